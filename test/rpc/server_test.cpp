// One call, from the server's side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <atomic>
#include <string>
#include <tuple>

namespace {
using namespace rpctest;

TEST(Server, UnknownOpcodesAreAnswered) {
  TestServer S;
  S.on(Add, addOne);
  S.start();
  auto C = S.client();
  for (Opcode Op : {Opcode(0), Opcode(1), Add + 1, ~Opcode(0)}) {
    bool Used = false;
    auto Ended = C.open(Op)
                     .send([](Packet &, uint32_t) {})
                     .recv([&](Packet &, uint32_t) { Used = true; });
    EXPECT_EQ(Ended.status(), Answer::NoSuchOpcode);
    EXPECT_FALSE(Used);
    // A stream stops.
    std::string Much(100000, 'x');
    auto Stream = C.open(Op).send_n([&](uint32_t) {
      return Bytes{Much.data(), Much.size()};
    });
    EXPECT_EQ(Stream.status(), Answer::NoSuchOpcode);
    std::move(Ended).close();
    EXPECT_EQ(callAdd(C, 5), 6u);
  }
}

TEST(Server, OnePacketAtATime) {
  // The same call by single steps, on the thread that makes it.
  TestServer S;
  S.on(Add, addOne);
  auto C = S.client();
  for (uint64_t I = 0; I != 1000; ++I) {
    uint32_t Handled = 7;
    EXPECT_EQ(xcc_rpc_server_handle(S, &Handled), XCC_RPC_SUCCESS);
    EXPECT_EQ(Handled, 0u);
    auto One = C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); });
    auto Two = C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); });
    EXPECT_EQ(xcc_rpc_server_handle(S, &Handled), XCC_RPC_SUCCESS);
    EXPECT_EQ(Handled, 2u);
    auto check = [&](Packet &P, uint32_t) { EXPECT_EQ(number(P), I + 1); };
    auto First = std::move(One).recv(check);
    auto Second = std::move(Two).recv(check);
  }
}

TEST(Server, CallbackThatDoesNothing) {
  TestServer S;
  S.on(Add, [](xcc_rpc_port *, void *) {});
  S.on(Add + 1, [](xcc_rpc_port *Port, void *) {
    // Sends without having received.
    xcc_rpc_send(
        Port,
        [](void *Packet, uint32_t, void *) {
          setNumber(*static_cast<struct Packet *>(Packet), 77);
        },
        nullptr);
  });
  S.start();
  auto C = S.client();
  for (int I = 0; I != 100; ++I) {
    auto Nothing = C.open(Add).send([](Packet &, uint32_t) {}).ack();
    EXPECT_TRUE(Nothing.ok());
    uint64_t N = 0;
    auto Something = C.open(Add + 1)
                         .send([](Packet &, uint32_t) {})
                         .recv([&](Packet &P, uint32_t) { N = number(P); });
    EXPECT_EQ(N, 77u);
  }
}

template <uint32_t N> void streams() {
  xcc_rpc_server_options O = {};
  O.ports = 2;
  O.lanes = N;
  TestServer S(O);
  S.on(Add, reverse);
  S.start();
  auto C = S.client<lanes::Vector<N>>();
  for (uint64_t Seed = 0; Seed != 30; ++Seed) {
    std::string Sent[N], Got[N];
    for (uint32_t L = 0; L != N; ++L)
      for (uint64_t I = 0; I != (Seed * 29 + L * 57) % 700; ++I)
        Sent[L] += char(I + L);
    auto Ended = C.open(Add)
                     .send_n([&](uint32_t L) {
                       return Bytes{Sent[L].data(), Sent[L].size()};
                     })
                     .recv_n([&](uint32_t L, uint64_t Size) {
                       Got[L].resize(Size);
                       return Got[L].data();
                     });
    ASSERT_TRUE(Ended.ok());
    for (uint32_t L = 0; L != N; ++L) {
      std::reverse(Got[L].begin(), Got[L].end());
      ASSERT_EQ(Got[L], Sent[L]);
    }
  }
}
TEST(Server, Streams1) { streams<1>(); }
TEST(Server, Streams32) { streams<32>(); }
TEST(Server, Streams64) { streams<64>(); }

TEST(Server, StreamsBeyondTheLimitAreCut) {
  xcc_rpc_server_options O = {};
  O.lanes = 32;
  O.max_stream = 1000;
  TestServer S(O);
  S.on(Add, reverse);
  S.start();
  auto C = S.client<lanes::Vector<32>>();
  std::string Text(2000, 'x');
  auto send = [&](uint64_t Size) {
    auto Ended = C.open(Add)
                     .send_n([&](uint32_t) {
                       return Bytes{Text.data(), Size};
                     })
                     .recv_n([&](uint32_t, uint64_t) { return nullptr; });
    return Ended.status();
  };
  EXPECT_EQ(send(31), Answer::Ok);
  EXPECT_EQ(send(32), Answer::BadMessage); // 1024 of all lanes
  EXPECT_EQ(send(2000), Answer::BadMessage);
  // Sizes whose sum is small again.
  auto Bad = C.open(Add, 7).send([](Packet &P, uint32_t L) {
    setNumber(P, L ? ~uint64_t(0) / 2 + 1 : 5);
  });
  EXPECT_EQ(std::move(Bad).ack().status(), Answer::BadMessage);
  EXPECT_EQ(send(31), Answer::Ok);
}

TEST(Server, CallbackGetsNoMemory) {
  TestServer S;
  S.on(Add, [](xcc_rpc_port *Port, void *) {
    void *Data[64];
    auto none = [](uint64_t, uint32_t, void *) -> void * { return nullptr; };
    EXPECT_EQ(xcc_rpc_recv_n(Port, Data, nullptr, none, nullptr),
              XCC_RPC_OUT_OF_MEMORY);
    EXPECT_EQ(xcc_rpc_recv(Port, nullptr, nullptr), XCC_RPC_OUT_OF_MEMORY);
  });
  S.start();
  std::string Text(500, 'x');
  auto C = S.client();
  auto Ended = C.open(Add).send_n([&](uint32_t) {
    return Bytes{Text.data(), Text.size()};
  });
  EXPECT_EQ(std::move(Ended).ack().status(), Answer::BadMessage);
}

TEST(Server, WhatComesAfterTheEndIsNoNewCall) {
  // The callback takes one packet, the client sends three.
  TestServer S;
  std::atomic<unsigned> Calls{0};
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        ++*static_cast<std::atomic<unsigned> *>(User);
        addOne(Port, nullptr);
      },
      &Calls);
  S.start();
  auto C = S.client();
  for (unsigned I = 1; I != 100; ++I) {
    auto Ended = C.open(Add)
                     .send([](Packet &, uint32_t) {})
                     .recv([](Packet &, uint32_t) {})
                     .send([](Packet &, uint32_t) {})
                     .ack()
                     .send([](Packet &, uint32_t) { FAIL(); })
                     .ack();
    EXPECT_EQ(Ended.status(), Answer::Closed);
    EXPECT_EQ(Calls, I);
  }
}

TEST(Server, ClientLeavesEarly) {
  TestServer S;
  std::atomic<unsigned> Closed{0};
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        xcc_rpc_status Status = XCC_RPC_SUCCESS;
        for (int Turns = 0; !Status; ++Turns) {
          ASSERT_LT(Turns, 4);
          Status = xcc_rpc_recv_and_send(Port, nullptr, nullptr);
        }
        EXPECT_EQ(Status, XCC_RPC_CLOSED);
        EXPECT_EQ(xcc_rpc_recv(Port, nullptr, nullptr), XCC_RPC_CLOSED);
        EXPECT_EQ(xcc_rpc_send(Port, nullptr, nullptr), XCC_RPC_CLOSED);
        ++*static_cast<std::atomic<unsigned> *>(User);
      },
      &Closed);
  S.start();
  auto C = S.client();
  auto nothing = [](Packet &, uint32_t) {};
  for (unsigned I = 0; I != 200; ++I) {
    switch (I % 4) {
    case 0: // Never looks at an answer.
      C.open(Add).send(nothing);
      break;
    case 1:
      std::ignore = C.open(Add).send(nothing).recv(nothing);
      break;
    case 2:
      std::ignore = C.open(Add).send(nothing).recv(nothing).send(nothing);
      break;
    case 3:
      std::ignore =
          C.open(Add).send(nothing).recv(nothing).send(nothing).recv(nothing);
      break;
    }
  }
  while (Closed != 200)
    std::this_thread::yield();
}

} // namespace
