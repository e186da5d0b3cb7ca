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
    std::lock_guard guard(mutex);
    opened = true;
    changed.notify_all();
  }
  void await() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return opened; });
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool opened = false;
};

TEST(Server, ABusyCallbackHoldsUpNobody) {
  // One that waits for something else, and one that waits for its client.
  TestServer s;
  Gate release, entered;
  struct Both {
    Gate *release, *entered;
  } gates{&release, &entered};
  s.on(
      Add + 1,
      [](xcc_rpc_port *port, void *user) {
        auto &g = *static_cast<Both *>(user);
        g.entered->open();
        g.release->await();
        addOne(port, nullptr);
      },
      &gates);
  s.on(Add + 2, [](xcc_rpc_port *port, void *) {
    addOne(port, nullptr);
    addOne(port, nullptr);
  });
  s.on(Add, addOne);
  s.start();
  auto c = s.client();
  auto nothing = [](Packet &, uint32_t) {};
  auto lengthy = c.open(Add + 1).send(nothing);
  entered.await();
  auto silent = c.open(Add + 2).send(nothing).recv(nothing);
  for (uint64_t i = 0; i != 100; ++i)
    EXPECT_EQ(callAdd(c, i), i + 1);
  release.open();
  EXPECT_TRUE(std::move(lengthy).ack().ok());
  EXPECT_TRUE(std::move(silent).send(nothing).ack().ok());
}

TEST(Server, SilentClientsAreCutWhenNobodyElseCanServe) {
  xcc_rpc_server_options o = {};
  o.ports = 8;
  o.max_threads = 2;
  o.patience_ms = 1;
  TestServer s(o);
  std::atomic<unsigned> cut{0};
  s.on(
      Add + 1,
      [](xcc_rpc_port *port, void *user) {
        addOne(port, nullptr);
        if (xcc_rpc_recv(port, nullptr, nullptr) == XCC_RPC_CUT)
          ++*static_cast<std::atomic<unsigned> *>(user);
      },
      &cut);
  s.on(Add, addOne);
  s.start();
  auto c = s.client();
  auto nothing = [](Packet &, uint32_t) {};
  {
    // Both threads wait for clients that say nothing.
    auto one = c.open(Add + 1).send(nothing).recv(nothing);
    auto two = c.open(Add + 1).send(nothing).recv(nothing);
    EXPECT_EQ(callAdd(c, 1), 2u);
    EXPECT_GE(cut, 1u);
    // Whoever was cut is told.
    s.stop();
    EXPECT_EQ(cut, 2u);
    s.start();
    EXPECT_EQ(std::move(one).send(nothing).ack().status(), Answer::Closed);
    EXPECT_EQ(std::move(two).send(nothing).ack().status(), Answer::Closed);
  }
  EXPECT_EQ(callAdd(c, 1), 2u);
}

TEST(Server, HandleHasPatienceToo) {
  xcc_rpc_server_options o = {};
  o.patience_ms = 1;
  TestServer s(o);
  xcc_rpc_status seen = XCC_RPC_SUCCESS;
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        addOne(port, nullptr);
        *static_cast<xcc_rpc_status *>(user) =
            xcc_rpc_recv(port, nullptr, nullptr);
      },
      &seen);
  auto c = s.client();
  auto port = c.open(Add).send([](Packet &, uint32_t) {});
  EXPECT_EQ(xcc_rpc_server_handle(s, nullptr), XCC_RPC_SUCCESS);
  EXPECT_EQ(seen, XCC_RPC_CUT);
}

TEST(Server, StartsAndStops) {
  TestServer s;
  s.on(Add, addOne);
  auto c = s.client();
  // Before the start.
  auto early = c.open(Add).send([](Packet &p, uint32_t) { setNumber(p, 1); });
  s.stop();
  s.start();
  EXPECT_EQ(xcc_rpc_server_start(s), XCC_RPC_BUSY);
  EXPECT_EQ(xcc_rpc_server_reset(s), XCC_RPC_BUSY);
  EXPECT_TRUE(std::move(early).ack().ok());
  for (unsigned i = 0; i != 50; ++i) {
    EXPECT_EQ(callAdd(c, i), i + 1);
    s.stop();
    s.start();
  }
  s.stop();
  s.stop();
}

TEST(Server, StopsAndStartsUnderLoad) {
  xcc_rpc_server_options o = {};
  o.ports = 5;
  o.threads = 2;
  TestServer s(o);
  s.on(Add, addOne);
  s.on(Add + 1, reverse);
  s.start();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  auto c = s.client();
  for (uint64_t t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      std::string text(t * 40, char('a' + t)), got;
      for (uint64_t i = 0; !stop; ++i) {
        ASSERT_EQ(callAdd(c, t << 32 | i), (t << 32 | i) + 1);
        auto ended = c.open(Add + 1)
                         .send_n([&](uint32_t) {
                           return Bytes{text.data(), text.size()};
                         })
                         .recv_n([&](uint32_t, uint64_t size) {
                           got.resize(size);
                           return got.data();
                         });
        ASSERT_TRUE(ended.ok());
        ASSERT_EQ(got, text);
      }
    });
  for (unsigned i = 0; i != 100; ++i) {
    s.stop();
    std::this_thread::yield();
    s.start();
  }
  stop = true;
  for (auto &t : threads)
    t.join();
}

/// What a GPU would do: only look, and never wake.
struct Mute : lanes::Vector<1> {
  static constexpr bool CanSleep = false;
  static void pause() { std::this_thread::yield(); }
};

TEST(Server, KernelsInFlight) {
  // Clients that do not wake: the server looks while a kernel runs.
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options o = {};
  o.size = sizeof o;
  o.ports = 4;
  o.lanes = 1;
  xcc_rpc_server *s = nullptr;
  ASSERT_EQ(xcc_rpc_server_create(&o, &s), XCC_RPC_SUCCESS);
  xcc_rpc_client_info info;
  ASSERT_EQ(xcc_rpc_server_client(s, &info), XCC_RPC_SUCCESS);
  Memory local(info.local_size);
  ASSERT_EQ(xcc_rpc_server_register(s, Add, addOne, nullptr), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_start(s), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_server_end_kernel(s), XCC_RPC_INVALID_VALUE);

  Client<Mute> c(View(info.shared, local.get(), {4, 1}));
  for (unsigned kernel = 0; kernel != 20; ++kernel) {
    EXPECT_EQ(xcc_rpc_server_begin_kernel(s), XCC_RPC_SUCCESS);
    for (unsigned i = 0; i != 20; ++i)
      EXPECT_EQ(callAdd(c, i), i + 1);
    // A last word, for which nobody waits.
    c.open(Add).send([](Packet &, uint32_t) {});
    EXPECT_EQ(xcc_rpc_server_end_kernel(s), XCC_RPC_SUCCESS);
  }
  xcc_rpc_server_destroy(s);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Server, Reset) {
  TestServer s;
  s.on(Add, addOne);
  {
    // A device that was lost with a call in progress.
    Memory lost(s.info.local_size);
    Client<> c(View(s.info.shared, lost.get(), {s.info.ports, s.info.lanes}));
    auto asked = c.open(Add).send([](Packet &, uint32_t) {});
  }
  EXPECT_EQ(xcc_rpc_server_reset(s), XCC_RPC_SUCCESS);
  uint32_t handled = 1;
  EXPECT_EQ(xcc_rpc_server_handle(s, &handled), XCC_RPC_SUCCESS);
  EXPECT_EQ(handled, 0u);
  s.start();
  EXPECT_EQ(callAdd(s.client(), 1), 2u);
}

/// Calls Add + 1 again with one less, as long as there is something left.
struct Nested {
  Client<> c;
  static void call(xcc_rpc_port *port, void *user) {
    xcc_rpc_recv_and_send(
        port,
        [](void *bytes, uint32_t, void *user) {
          Packet &p = *static_cast<Packet *>(bytes);
          uint64_t left = number(p), levels = 0;
          if (left)
            static_cast<Nested *>(user)
                ->c.open(Add + 1)
                .send([&](Packet &p, uint32_t) { setNumber(p, left - 1); })
                .recv([&](Packet &p, uint32_t) { levels = number(p); });
          setNumber(p, levels + 1);
        },
        user);
  }
  uint64_t operator()(uint64_t levels) {
    uint64_t answer = 0;
    auto ended = c.open(Add + 1)
                     .send([&](Packet &p, uint32_t) { setNumber(p, levels); })
                     .recv([&](Packet &p, uint32_t) { answer = number(p); });
    EXPECT_TRUE(ended.ok());
    return answer;
  }
};

TEST(Server, CallbacksMayCallTheirServer) {
  xcc_rpc_server_options o = {};
  o.threads = 2;
  TestServer s(o);
  Nested deep{s.client()};
  s.on(Add + 1, Nested::call, &deep);
  s.start();
  // A level that waited for the monitor would cost 10 ms, and all of it a
  // minute.
  for (unsigned i = 0; i != times(300); ++i)
    ASSERT_EQ(deep(20), 21u);
  // More levels than there may be threads.
  xcc_rpc_server_options few = {};
  few.max_threads = 3;
  TestServer small(few);
  Nested shallow{small.client()};
  small.on(Add + 1, Nested::call, &shallow);
  small.start();
  for (uint64_t levels = 0; levels != 30; ++levels)
    ASSERT_EQ(shallow(levels), levels + 1);
}

TEST(Server, CallbacksMayCallTheirServerWhileItStops) {
  TestServer s;
  Nested deep{s.client()};
  s.on(Add + 1, Nested::call, &deep);
  for (unsigned i = 0; i != times(100); ++i) {
    s.start();
    auto sent =
        deep.c.open(Add + 1).send([](Packet &p, uint32_t) { setNumber(p, 5); });
    s.stop();
    EXPECT_EQ(xcc_rpc_server_drain(s), XCC_RPC_SUCCESS);
    EXPECT_TRUE(std::move(sent).ack().ok());
  }
}

TEST(Server, CallbacksMayCallTheirServerWithoutThreads) {
  TestServer s;
  Nested deep{s.client()};
  s.on(Add + 1, Nested::call, &deep);
  uint64_t levels = 0;
  auto sent =
      deep.c.open(Add + 1).send([](Packet &p, uint32_t) { setNumber(p, 9); });
  EXPECT_EQ(xcc_rpc_server_handle(s, nullptr), XCC_RPC_SUCCESS);
  auto ended =
      std::move(sent).recv([&](Packet &p, uint32_t) { levels = number(p); });
  EXPECT_EQ(levels, 10u);
}

TEST(Server, WhatNobodyWaitsForIsServed) {
  std::atomic<uint64_t> sum{0};
  auto add = [](xcc_rpc_port *port, void *user) {
    xcc_rpc_recv(
        port,
        [](void *bytes, uint32_t, void *user) {
          *static_cast<std::atomic<uint64_t> *>(user) +=
              number(*static_cast<Packet *>(bytes));
        },
        user);
  };
  auto send = [&](auto &c) {
    for (uint64_t i = 1; i <= 40; ++i)
      c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); });
  };
  for (bool started : {false, true})
    for (bool drained : {false, true}) {
      sum = 0;
      xcc_rpc_server_options o = {};
      o.ports = 256; // one for each message
      TestServer s(o);
      s.on(Add, add, &sum);
      auto c = s.client();
      if (started)
        s.start();
      send(c);
      if (drained) {
        EXPECT_EQ(xcc_rpc_server_drain(s), XCC_RPC_SUCCESS);
        EXPECT_EQ(sum, 820u);
        send(c);
      }
      if (started)
        s.stop();
      send(c);
      EXPECT_EQ(xcc_rpc_server_destroy(s.handle), XCC_RPC_SUCCESS);
      s.handle = nullptr;
      EXPECT_EQ(sum, drained ? 3 * 820u : 2 * 820u);
    }
}

TEST(Server, EndsWithAConversationLeftOpen) {
  // What its client never ends does not keep the server.
  xcc_rpc_server_options o = {};
  o.patience_ms = 20;
  TestServer s(o);
  std::atomic<unsigned> statuses{0};
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        addOne(port, nullptr);
        if (xcc_rpc_recv(port, nullptr, nullptr) == XCC_RPC_CUT)
          ++*static_cast<std::atomic<unsigned> *>(user);
      },
      &statuses);
  auto c = s.client();
  auto nothing = [](Packet &, uint32_t) {};
  auto one = c.open(Add).send(nothing);
  auto two = c.open(Add).send(nothing);
  EXPECT_EQ(xcc_rpc_server_destroy(s.handle), XCC_RPC_SUCCESS);
  s.handle = nullptr;
  EXPECT_EQ(statuses, 2u);
  // The memory is gone: nothing may be done with these any more.
  new (static_cast<void *>(&one)) Client<>::Port<State::Wait>();
  new (static_cast<void *>(&two)) Client<>::Port<State::Wait>();
}

TEST(Server, IsNotEndedFromWithin) {
  TestServer s;
  struct {
    xcc_rpc_status stop, drain, destroy, reset, shutdown;
  } got = {};
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        auto &to = *static_cast<decltype(got) *>(user);
        xcc_rpc_server *s = xcc_rpc_port_server(port);
        to = {xcc_rpc_server_stop(s), xcc_rpc_server_drain(s),
              xcc_rpc_server_destroy(s), xcc_rpc_server_reset(s),
              xcc_rpc_shutdown()};
        addOne(port, nullptr);
      },
      &got);
  auto c = s.client();
  for (bool started : {false, true}) {
    got = {};
    if (started)
      s.start();
    auto sent = c.open(Add).send([](Packet &p, uint32_t) { setNumber(p, 1); });
    if (!started)
      EXPECT_EQ(xcc_rpc_server_handle(s, nullptr), XCC_RPC_SUCCESS);
    EXPECT_TRUE(std::move(sent).ack().ok());
    for (xcc_rpc_status status :
         {got.stop, got.drain, got.destroy, got.reset, got.shutdown})
      EXPECT_EQ(status, XCC_RPC_BUSY);
  }
  EXPECT_EQ(callAdd(c, 5), 6u);
}
} // namespace
