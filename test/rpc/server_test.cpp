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
  TestServer s;
  s.on(Add, addOne);
  s.start();
  auto c = s.client();
  for (Opcode op : {Opcode(0), Opcode(1), Add + 1, ~Opcode(0)}) {
    bool used = false;
    auto ended = c.open(op)
                     .send([](Packet &, uint32_t) {})
                     .recv([&](Packet &, uint32_t) { used = true; });
    EXPECT_EQ(ended.status(), Answer::NoSuchOpcode);
    EXPECT_FALSE(used);
    // A stream stops.
    std::string much(100000, 'x');
    auto stream = c.open(op).send_n(
        [&](uint32_t) { return Bytes{much.data(), much.size()}; });
    EXPECT_EQ(stream.status(), Answer::NoSuchOpcode);
    std::move(ended).close();
    EXPECT_EQ(callAdd(c, 5), 6u);
  }
}

TEST(Server, OnePacketAtATime) {
  // The same call by single steps, on the thread that makes it.
  TestServer s;
  s.on(Add, addOne);
  auto c = s.client();
  for (uint64_t i = 0; i != 1000; ++i) {
    uint32_t handled = 7;
    EXPECT_EQ(xcc_rpc_server_handle(s, &handled), XCC_RPC_SUCCESS);
    EXPECT_EQ(handled, 0u);
    auto one = c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); });
    auto two = c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); });
    EXPECT_EQ(xcc_rpc_server_handle(s, &handled), XCC_RPC_SUCCESS);
    EXPECT_EQ(handled, 2u);
    auto check = [&](Packet &p, uint32_t) { EXPECT_EQ(number(p), i + 1); };
    auto first = std::move(one).recv(check);
    auto second = std::move(two).recv(check);
  }
}

TEST(Server, CallbackThatDoesNothing) {
  TestServer s;
  s.on(Add, [](xcc_rpc_port *, void *) {});
  s.on(Add + 1, [](xcc_rpc_port *port, void *) {
    // Sends without having received.
    xcc_rpc_send(
        port,
        [](void *packet, uint32_t, void *) {
          setNumber(*static_cast<struct Packet *>(packet), 77);
        },
        nullptr);
  });
  s.start();
  auto c = s.client();
  for (int i = 0; i != 100; ++i) {
    auto nothing = c.open(Add).send([](Packet &, uint32_t) {}).ack();
    EXPECT_TRUE(nothing.ok());
    uint64_t n = 0;
    auto something = c.open(Add + 1)
                         .send([](Packet &, uint32_t) {})
                         .recv([&](Packet &p, uint32_t) { n = number(p); });
    EXPECT_EQ(n, 77u);
  }
}

template <uint32_t N> void streams() {
  xcc_rpc_server_options o = {};
  o.ports = 2;
  o.lanes = N;
  TestServer s(o);
  s.on(Add, reverse);
  s.start();
  auto c = s.client<lanes::Vector<N>>();
  callReverse<N>(c, 30, [](uint64_t seed, uint32_t lane) {
    std::string text;
    for (uint64_t i = 0; i != (seed * 29 + lane * 57) % 700; ++i)
      text += char(i + lane);
    return text;
  });
}
TEST(Server, Streams1) { streams<1>(); }
TEST(Server, Streams32) { streams<32>(); }
TEST(Server, Streams64) { streams<64>(); }

TEST(Server, StreamsBeyondTheLimitAreCut) {
  xcc_rpc_server_options o = {};
  o.lanes = 32;
  o.max_stream = 1000;
  TestServer s(o);
  s.on(Add, reverse);
  s.start();
  auto c = s.client<lanes::Vector<32>>();
  std::string text(2000, 'x');
  auto send = [&](uint64_t size) {
    auto ended = c.open(Add)
                     .send_n([&](uint32_t) { return Bytes{text.data(), size}; })
                     .recv_n([&](uint32_t, uint64_t) { return nullptr; });
    return ended.status();
  };
  EXPECT_EQ(send(31), Answer::Ok);
  EXPECT_EQ(send(32), Answer::BadMessage); // 1024 of all lanes
  EXPECT_EQ(send(2000), Answer::BadMessage);
  // Sizes whose sum is small again.
  auto bad = c.open(Add, 7).send([](Packet &p, uint32_t l) {
    setNumber(p, l ? ~uint64_t(0) / 2 + 1 : 5);
  });
  EXPECT_EQ(std::move(bad).ack().status(), Answer::BadMessage);
  EXPECT_EQ(send(31), Answer::Ok);
}

TEST(Server, CallbackGetsNoMemory) {
  TestServer s;
  s.on(Add, [](xcc_rpc_port *port, void *) {
    void *data[64];
    auto none = [](uint64_t, uint32_t, void *) -> void * { return nullptr; };
    EXPECT_EQ(xcc_rpc_recv_n(port, data, nullptr, none, nullptr),
              XCC_RPC_OUT_OF_MEMORY);
    EXPECT_EQ(xcc_rpc_recv(port, nullptr, nullptr), XCC_RPC_OUT_OF_MEMORY);
  });
  s.start();
  std::string text(500, 'x');
  auto c = s.client();
  auto ended = c.open(Add).send_n(
      [&](uint32_t) { return Bytes{text.data(), text.size()}; });
  EXPECT_EQ(std::move(ended).ack().status(), Answer::BadMessage);
}

TEST(Server, WhatComesAfterTheEndIsNoNewCall) {
  // The callback takes one packet, the client sends three.
  TestServer s;
  std::atomic<unsigned> calls{0};
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        ++*static_cast<std::atomic<unsigned> *>(user);
        addOne(port, nullptr);
      },
      &calls);
  s.start();
  auto c = s.client();
  for (unsigned i = 1; i != 100; ++i) {
    auto ended = c.open(Add)
                     .send([](Packet &, uint32_t) {})
                     .recv([](Packet &, uint32_t) {})
                     .send([](Packet &, uint32_t) {})
                     .ack()
                     .send([](Packet &, uint32_t) { FAIL(); })
                     .ack();
    EXPECT_EQ(ended.status(), Answer::Closed);
    EXPECT_EQ(calls, i);
  }
}

TEST(Server, ClientLeavesEarly) {
  TestServer s;
  std::atomic<unsigned> closed{0};
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        xcc_rpc_status status = XCC_RPC_SUCCESS;
        for (int turns = 0; !status; ++turns) {
          ASSERT_LT(turns, 4);
          status = xcc_rpc_recv_and_send(port, nullptr, nullptr);
        }
        EXPECT_EQ(status, XCC_RPC_CLOSED);
        EXPECT_EQ(xcc_rpc_recv(port, nullptr, nullptr), XCC_RPC_CLOSED);
        EXPECT_EQ(xcc_rpc_send(port, nullptr, nullptr), XCC_RPC_CLOSED);
        ++*static_cast<std::atomic<unsigned> *>(user);
      },
      &closed);
  s.start();
  auto c = s.client();
  auto nothing = [](Packet &, uint32_t) {};
  for (unsigned i = 0; i != 200; ++i) {
    switch (i % 4) {
    case 0: // Never looks at an answer.
      c.open(Add).send(nothing);
      break;
    case 1:
      std::ignore = c.open(Add).send(nothing).recv(nothing);
      break;
    case 2:
      std::ignore = c.open(Add).send(nothing).recv(nothing).send(nothing);
      break;
    case 3:
      std::ignore =
          c.open(Add).send(nothing).recv(nothing).send(nothing).recv(nothing);
      break;
    }
  }
  while (closed != 200)
    std::this_thread::yield();
}

} // namespace
