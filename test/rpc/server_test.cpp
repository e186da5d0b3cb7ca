//===-- server_test.cpp - The server library ------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <tuple>

extern "C" int xcc_rpc_test_from_c(void *Memory, size_t Size);

namespace {
using namespace rpctest;

/// Lets a callback and a test wait for each other.
class Gate {
public:
  void open() {
    std::lock_guard Guard(Mutex);
    Opened = true;
    Changed.notify_all();
  }
  void await() {
    std::unique_lock Lock(Mutex);
    Changed.wait(Lock, [&] { return Opened; });
  }

private:
  std::mutex Mutex;
  std::condition_variable Changed;
  bool Opened = false;
};

TEST(Library, InitCounts) {
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NOT_INITIALIZED);
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = O.lanes = 1;
  xcc_rpc_server *S = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_NOT_INITIALIZED);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_BUSY);
  xcc_rpc_server_destroy(S);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  // Forgotten.
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, StatusesHaveNames) {
  for (int I = XCC_RPC_SUCCESS; I <= XCC_RPC_SYSTEM; ++I)
    for (int K = I + 1; K <= XCC_RPC_SYSTEM + 1; ++K)
      EXPECT_STRNE(xcc_rpc_status_string(xcc_rpc_status(I)),
                   xcc_rpc_status_string(xcc_rpc_status(K)));
  EXPECT_STREQ(xcc_rpc_status_string(xcc_rpc_status(4711)),
               xcc_rpc_status_string(XCC_RPC_STATUS_32_BITS));
}

TEST(Library, OptionsAreChecked) {
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options Good = {};
  Good.size = sizeof Good;
  Good.ports = Good.lanes = 1;
  xcc_rpc_server *S = nullptr;
  auto refuses = [&](auto Spoil) {
    xcc_rpc_server_options O = Good;
    Spoil(O);
    xcc_rpc_status Status = xcc_rpc_server_create(&O, &S);
    EXPECT_EQ(S, nullptr);
    return Status == XCC_RPC_INVALID_VALUE;
  };
  using Options = xcc_rpc_server_options;
  EXPECT_TRUE(refuses([](Options &O) { O.size = 8; }));
  EXPECT_TRUE(refuses([](Options &O) { O.ports = 0; }));
  EXPECT_TRUE(refuses([](Options &O) { O.ports = MaxPorts + 1; }));
  EXPECT_TRUE(refuses([](Options &O) { O.lanes = 0; }));
  EXPECT_TRUE(refuses([](Options &O) { O.lanes = 65; }));
  EXPECT_TRUE(refuses([](Options &O) { O.flags = 4; }));
  EXPECT_TRUE(refuses([](Options &O) {
    O.allocate = [](size_t, void *) -> void * { return nullptr; };
  }));
  Memory M(xcc_rpc_memory_size(1, 1));
  EXPECT_TRUE(refuses([&](Options &O) {
    O.memory = M.get();
    O.memory_size = xcc_rpc_memory_size(1, 1) - 1;
  }));
  EXPECT_TRUE(refuses([&](Options &O) {
    O.memory = M.get() + 8;
    O.memory_size = xcc_rpc_memory_size(1, 1);
  }));
  EXPECT_EQ(xcc_rpc_server_create(nullptr, &S), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_server_create(&Good, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_memory_size(0, 1), 0u);
  EXPECT_EQ(xcc_rpc_memory_size(1, 65), 0u);
  xcc_rpc_server_destroy(nullptr);
  xcc_rpc_client_detach(nullptr);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, AllocationCallbacks) {
  struct State {
    size_t Size = 0;
    unsigned Frees = 0;
    bool Refuse = true;
  } State;
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = 100;
  O.lanes = 32;
  O.context = &State;
  O.allocate = [](size_t Size, void *Context) -> void * {
    auto &S = *static_cast<struct State *>(Context);
    if (S.Refuse)
      return nullptr;
    S.Size = Size;
    void *Bytes = aligned_alloc(4096, (Size + 4095) / 4096 * 4096);
    memset(Bytes, 0xab, Size);
    return Bytes;
  };
  O.free = [](void *Memory, size_t Size, void *Context) {
    auto &S = *static_cast<struct State *>(Context);
    EXPECT_EQ(Size, S.Size);
    ++S.Frees;
    free(Memory);
  };
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server *S = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_OUT_OF_MEMORY);
  State.Refuse = false;
  ASSERT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_SUCCESS);
  EXPECT_EQ(State.Size, xcc_rpc_memory_size(100, 32));
  uint32_t Handled = 9;
  EXPECT_EQ(xcc_rpc_server_handle(S, &Handled), XCC_RPC_SUCCESS);
  EXPECT_EQ(Handled, 0u); // It was zeroed.
  xcc_rpc_server_destroy(S);
  EXPECT_EQ(State.Frees, 1u);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, OpcodesAreTakenOnce) {
  TestServer S;
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, &S), XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(xcc_rpc_register(0, addOne, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_register(Add + 1, nullptr, nullptr), XCC_RPC_INVALID_VALUE);
  S.start();
  auto C = S.client();
  EXPECT_EQ(callAdd(C, 1), 2u);
  // A server's own come first.
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        EXPECT_EQ(xcc_rpc_port_opcode(Port), Add);
        EXPECT_EQ(xcc_rpc_port_server(Port), *static_cast<TestServer *>(User));
        addOne(Port, nullptr);
        xcc_rpc_send(
            Port, [](void *, uint32_t, void *) {}, nullptr);
      },
      &S);
  EXPECT_EQ(xcc_rpc_server_register(S, Add, addOne, nullptr),
            XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(callAdd(C, 2), 3u);
  EXPECT_EQ(xcc_rpc_server_unregister(S, Add), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_server_unregister(S, Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(callAdd(C, 3), 4u);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_SUCCESS);
  auto Ended = C.open(Add).send([](Packet &, uint32_t) {}).ack();
  EXPECT_EQ(Ended.status(), Answer::NoSuchOpcode);
}

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

/// Reverses each lane's bytes.
void reverse(xcc_rpc_port *Port, void *) {
  void *Data[64] = {};
  uint64_t Sizes[64] = {};
  auto allocate = [](uint64_t Size, uint32_t, void *) {
    return malloc(Size + 1);
  };
  if (!xcc_rpc_recv_n(Port, Data, Sizes, allocate, nullptr)) {
    for (unsigned L = 0; L != 64; ++L)
      if (auto *Text = static_cast<char *>(Data[L]))
        std::reverse(Text, Text + Sizes[L]);
    xcc_rpc_send_n(Port, Data, Sizes);
  }
  for (void *D : Data)
    free(D);
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

TEST(Server, ABusyCallbackHoldsUpNobody) {
  // One that waits for something else, and one that waits for its client.
  TestServer S;
  Gate Release, Entered;
  struct Both {
    Gate *Release, *Entered;
  } Gates{&Release, &Entered};
  S.on(
      Add + 1,
      [](xcc_rpc_port *Port, void *User) {
        auto &G = *static_cast<Both *>(User);
        G.Entered->open();
        G.Release->await();
        addOne(Port, nullptr);
      },
      &Gates);
  S.on(Add + 2, [](xcc_rpc_port *Port, void *) {
    addOne(Port, nullptr);
    addOne(Port, nullptr);
  });
  S.on(Add, addOne);
  S.start();
  auto C = S.client();
  auto nothing = [](Packet &, uint32_t) {};
  auto Long = C.open(Add + 1).send(nothing);
  Entered.await();
  auto Silent = C.open(Add + 2).send(nothing).recv(nothing);
  for (uint64_t I = 0; I != 100; ++I)
    EXPECT_EQ(callAdd(C, I), I + 1);
  Release.open();
  EXPECT_TRUE(std::move(Long).ack().ok());
  EXPECT_TRUE(std::move(Silent).send(nothing).ack().ok());
}

TEST(Server, SilentClientsAreCutWhenNobodyElseCanServe) {
  xcc_rpc_server_options O = {};
  O.ports = 8;
  O.max_threads = 2;
  O.patience_ms = 1;
  TestServer S(O);
  std::atomic<unsigned> Cut{0};
  S.on(
      Add + 1,
      [](xcc_rpc_port *Port, void *User) {
        addOne(Port, nullptr);
        if (xcc_rpc_recv(Port, nullptr, nullptr) == XCC_RPC_CUT)
          ++*static_cast<std::atomic<unsigned> *>(User);
      },
      &Cut);
  S.on(Add, addOne);
  S.start();
  auto C = S.client();
  auto nothing = [](Packet &, uint32_t) {};
  {
    // Both threads wait for clients that say nothing.
    auto One = C.open(Add + 1).send(nothing).recv(nothing);
    auto Two = C.open(Add + 1).send(nothing).recv(nothing);
    EXPECT_EQ(callAdd(C, 1), 2u);
    EXPECT_GE(Cut, 1u);
    // Whoever was cut is told.
    S.stop();
    EXPECT_EQ(Cut, 2u);
    S.start();
    EXPECT_EQ(std::move(One).send(nothing).ack().status(), Answer::Closed);
    EXPECT_EQ(std::move(Two).send(nothing).ack().status(), Answer::Closed);
  }
  EXPECT_EQ(callAdd(C, 1), 2u);
}

TEST(Server, HandleHasPatienceToo) {
  xcc_rpc_server_options O = {};
  O.patience_ms = 1;
  TestServer S(O);
  xcc_rpc_status Seen = XCC_RPC_SUCCESS;
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        addOne(Port, nullptr);
        *static_cast<xcc_rpc_status *>(User) =
            xcc_rpc_recv(Port, nullptr, nullptr);
      },
      &Seen);
  auto C = S.client();
  auto Port = C.open(Add).send([](Packet &, uint32_t) {});
  EXPECT_EQ(xcc_rpc_server_handle(S, nullptr), XCC_RPC_SUCCESS);
  EXPECT_EQ(Seen, XCC_RPC_CUT);
}

TEST(Server, StartsAndStops) {
  TestServer S;
  S.on(Add, addOne);
  auto C = S.client();
  // Before the start.
  auto Early = C.open(Add).send([](Packet &P, uint32_t) { setNumber(P, 1); });
  S.stop();
  S.start();
  EXPECT_EQ(xcc_rpc_server_start(S), XCC_RPC_BUSY);
  EXPECT_EQ(xcc_rpc_server_reset(S), XCC_RPC_BUSY);
  EXPECT_TRUE(std::move(Early).ack().ok());
  for (unsigned I = 0; I != 50; ++I) {
    EXPECT_EQ(callAdd(C, I), I + 1);
    S.stop();
    S.start();
  }
  S.stop();
  S.stop();
}

TEST(Server, StopsAndStartsUnderLoad) {
  xcc_rpc_server_options O = {};
  O.ports = 5;
  O.threads = 2;
  TestServer S(O);
  S.on(Add, addOne);
  S.on(Add + 1, reverse);
  S.start();
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Threads;
  auto C = S.client();
  for (uint64_t T = 0; T != 8; ++T)
    Threads.emplace_back([&, T] {
      std::string Text(T * 40, char('a' + T)), Got;
      for (uint64_t I = 0; !Stop; ++I) {
        ASSERT_EQ(callAdd(C, T << 32 | I), (T << 32 | I) + 1);
        auto Ended = C.open(Add + 1)
                         .send_n([&](uint32_t) {
                           return Bytes{Text.data(), Text.size()};
                         })
                         .recv_n([&](uint32_t, uint64_t Size) {
                           Got.resize(Size);
                           return Got.data();
                         });
        ASSERT_TRUE(Ended.ok());
        ASSERT_EQ(Got, Text);
      }
    });
  for (unsigned I = 0; I != 100; ++I) {
    S.stop();
    std::this_thread::yield();
    S.start();
  }
  Stop = true;
  for (auto &T : Threads)
    T.join();
}

/// What a GPU would do: only look, and never wake.
struct Mute : lanes::Vector<1> {
  static constexpr bool CanSleep = false;
  static void pause() { std::this_thread::yield(); }
};

TEST(Server, KernelsInFlight) {
  // Clients that do not wake: the server looks while a kernel runs.
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = 4;
  O.lanes = 1;
  xcc_rpc_server *S = nullptr;
  ASSERT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_SUCCESS);
  xcc_rpc_client_info Info;
  ASSERT_EQ(xcc_rpc_server_client(S, &Info), XCC_RPC_SUCCESS);
  Memory Local(Info.local_size);
  ASSERT_EQ(xcc_rpc_server_register(S, Add, addOne, nullptr), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_start(S), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_server_end_kernel(S), XCC_RPC_INVALID_VALUE);

  Client<Mute> C(View(Info.shared, Local.get(), {4, 1}));
  for (unsigned Kernel = 0; Kernel != 20; ++Kernel) {
    EXPECT_EQ(xcc_rpc_server_begin_kernel(S), XCC_RPC_SUCCESS);
    for (unsigned I = 0; I != 20; ++I)
      EXPECT_EQ(callAdd(C, I), I + 1);
    // A last word, for which nobody waits.
    C.open(Add).send([](Packet &, uint32_t) {});
    EXPECT_EQ(xcc_rpc_server_end_kernel(S), XCC_RPC_SUCCESS);
  }
  xcc_rpc_server_destroy(S);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Server, Reset) {
  TestServer S;
  S.on(Add, addOne);
  {
    // A device that was lost with a call in progress.
    Memory Lost(S.Info.local_size);
    Client<> C(View(S.Info.shared, Lost.get(), {S.Info.ports, S.Info.lanes}));
    auto Asked = C.open(Add).send([](Packet &, uint32_t) {});
  }
  EXPECT_EQ(xcc_rpc_server_reset(S), XCC_RPC_SUCCESS);
  uint32_t Handled = 1;
  EXPECT_EQ(xcc_rpc_server_handle(S, &Handled), XCC_RPC_SUCCESS);
  EXPECT_EQ(Handled, 0u);
  S.start();
  EXPECT_EQ(callAdd(S.client(), 1), 2u);
}

TEST(Server, FromC) {
  xcc_rpc_server_options O = {};
  O.flags = XCC_RPC_PROCESS_SHARED;
  TestServer S(O);
  S.on(XCC_RPC_OPCODE(7, 1), addOne);
  S.on(XCC_RPC_OPCODE(7, 2), reverse);
  S.start();
  EXPECT_EQ(xcc_rpc_test_from_c(S.Info.shared, S.Info.shared_size), 0);
}
} // namespace
