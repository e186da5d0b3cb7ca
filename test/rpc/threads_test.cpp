// Who serves, who waits, who is cut
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

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

/// Calls Add + 1 again with one less, as long as there is something left.
struct Nested {
  Client<> C;
  static void call(xcc_rpc_port *Port, void *User) {
    xcc_rpc_recv_and_send(
        Port,
        [](void *Bytes, uint32_t, void *User) {
          Packet &P = *static_cast<Packet *>(Bytes);
          uint64_t Left = number(P), Levels = 0;
          if (Left)
            static_cast<Nested *>(User)
                ->C.open(Add + 1)
                .send([&](Packet &P, uint32_t) { setNumber(P, Left - 1); })
                .recv([&](Packet &P, uint32_t) { Levels = number(P); });
          setNumber(P, Levels + 1);
        },
        User);
  }
  uint64_t operator()(uint64_t Levels) {
    uint64_t Answer = 0;
    auto Ended = C.open(Add + 1)
                     .send([&](Packet &P, uint32_t) { setNumber(P, Levels); })
                     .recv([&](Packet &P, uint32_t) { Answer = number(P); });
    EXPECT_TRUE(Ended.ok());
    return Answer;
  }
};

TEST(Server, CallbacksMayCallTheirServer) {
  xcc_rpc_server_options O = {};
  O.threads = 2;
  TestServer S(O);
  Nested Deep{S.client()};
  S.on(Add + 1, Nested::call, &Deep);
  S.start();
  // A level that waited for the monitor would cost 10 ms, and all of it a
  // minute.
  for (unsigned I = 0; I != times(300); ++I)
    ASSERT_EQ(Deep(20), 21u);
  // More levels than there may be threads.
  xcc_rpc_server_options Few = {};
  Few.max_threads = 3;
  TestServer Small(Few);
  Nested Shallow{Small.client()};
  Small.on(Add + 1, Nested::call, &Shallow);
  Small.start();
  for (uint64_t Levels = 0; Levels != 30; ++Levels)
    ASSERT_EQ(Shallow(Levels), Levels + 1);
}

TEST(Server, CallbacksMayCallTheirServerWhileItStops) {
  TestServer S;
  Nested Deep{S.client()};
  S.on(Add + 1, Nested::call, &Deep);
  for (unsigned I = 0; I != times(100); ++I) {
    S.start();
    auto Sent =
        Deep.C.open(Add + 1).send([](Packet &P, uint32_t) { setNumber(P, 5); });
    S.stop();
    EXPECT_EQ(xcc_rpc_server_drain(S), XCC_RPC_SUCCESS);
    EXPECT_TRUE(std::move(Sent).ack().ok());
  }
}

TEST(Server, CallbacksMayCallTheirServerWithoutThreads) {
  TestServer S;
  Nested Deep{S.client()};
  S.on(Add + 1, Nested::call, &Deep);
  uint64_t Levels = 0;
  auto Sent =
      Deep.C.open(Add + 1).send([](Packet &P, uint32_t) { setNumber(P, 9); });
  EXPECT_EQ(xcc_rpc_server_handle(S, nullptr), XCC_RPC_SUCCESS);
  auto Ended =
      std::move(Sent).recv([&](Packet &P, uint32_t) { Levels = number(P); });
  EXPECT_EQ(Levels, 10u);
}

TEST(Server, WhatNobodyWaitsForIsServed) {
  std::atomic<uint64_t> Sum{0};
  auto add = [](xcc_rpc_port *Port, void *User) {
    xcc_rpc_recv(
        Port,
        [](void *Bytes, uint32_t, void *User) {
          *static_cast<std::atomic<uint64_t> *>(User) +=
              number(*static_cast<Packet *>(Bytes));
        },
        User);
  };
  auto send = [&](auto &C) {
    for (uint64_t I = 1; I <= 40; ++I)
      C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); });
  };
  for (bool Started : {false, true})
    for (bool Drained : {false, true}) {
      Sum = 0;
      xcc_rpc_server_options O = {};
      O.ports = 256; // one for each message
      TestServer S(O);
      S.on(Add, add, &Sum);
      auto C = S.client();
      if (Started)
        S.start();
      send(C);
      if (Drained) {
        EXPECT_EQ(xcc_rpc_server_drain(S), XCC_RPC_SUCCESS);
        EXPECT_EQ(Sum, 820u);
        send(C);
      }
      if (Started)
        S.stop();
      send(C);
      EXPECT_EQ(xcc_rpc_server_destroy(S.Handle), XCC_RPC_SUCCESS);
      S.Handle = nullptr;
      EXPECT_EQ(Sum, Drained ? 3 * 820u : 2 * 820u);
    }
}

TEST(Server, EndsWithAConversationLeftOpen) {
  // What its client never ends does not keep the server.
  xcc_rpc_server_options O = {};
  O.patience_ms = 20;
  TestServer S(O);
  std::atomic<unsigned> Statuses{0};
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        addOne(Port, nullptr);
        if (xcc_rpc_recv(Port, nullptr, nullptr) == XCC_RPC_CUT)
          ++*static_cast<std::atomic<unsigned> *>(User);
      },
      &Statuses);
  auto C = S.client();
  auto nothing = [](Packet &, uint32_t) {};
  auto One = C.open(Add).send(nothing);
  auto Two = C.open(Add).send(nothing);
  EXPECT_EQ(xcc_rpc_server_destroy(S.Handle), XCC_RPC_SUCCESS);
  S.Handle = nullptr;
  EXPECT_EQ(Statuses, 2u);
  // The memory is gone: nothing may be done with these any more.
  new (static_cast<void *>(&One)) Client<>::Port<State::Wait>();
  new (static_cast<void *>(&Two)) Client<>::Port<State::Wait>();
}

TEST(Server, IsNotEndedFromWithin) {
  TestServer S;
  struct {
    xcc_rpc_status Stop, Drain, Destroy, Reset, Shutdown;
  } Got = {};
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        auto &To = *static_cast<decltype(Got) *>(User);
        xcc_rpc_server *S = xcc_rpc_port_server(Port);
        To = {xcc_rpc_server_stop(S), xcc_rpc_server_drain(S),
              xcc_rpc_server_destroy(S), xcc_rpc_server_reset(S),
              xcc_rpc_shutdown()};
        addOne(Port, nullptr);
      },
      &Got);
  auto C = S.client();
  for (bool Started : {false, true}) {
    Got = {};
    if (Started)
      S.start();
    auto Sent = C.open(Add).send([](Packet &P, uint32_t) { setNumber(P, 1); });
    if (!Started)
      EXPECT_EQ(xcc_rpc_server_handle(S, nullptr), XCC_RPC_SUCCESS);
    EXPECT_TRUE(std::move(Sent).ack().ok());
    for (xcc_rpc_status Status :
         {Got.Stop, Got.Drain, Got.Destroy, Got.Reset, Got.Shutdown})
      EXPECT_EQ(Status, XCC_RPC_BUSY);
  }
  EXPECT_EQ(callAdd(C, 5), 6u);
}
} // namespace
