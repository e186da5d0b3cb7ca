// Much at once, in any order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_RPC_TEST_CALLS sets the number of calls of the longest test (10^7; less
// under a sanitizer), XCC_RPC_TEST_SEED the seed of the random schedules.

#include "support.h"

#include <atomic>
#include <random>
#include <string>

namespace {
using namespace rpctest;

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, nullptr, 10) : otherwise;
}

TEST(Stress, TenMillionCallsFrom64Threads) {
  // Every 64th waits for its answer, which says that none before was lost.
  const uint64_t calls =
      fromEnvironment("XCC_RPC_TEST_CALLS", times(10'000'000)) / 64;
  xcc_rpc_server_options o = {};
  o.ports = MaxPorts;
  TestServer s(o);
  struct alignas(64) Count {
    uint64_t calls = 0, sum = 0;
  };
  static Count counts[64];
  static std::atomic<uint64_t> total;
  for (Count &c : counts)
    c = {};
  total = 0;
  s.on(Add, [](xcc_rpc_port *port, void *) {
    xcc_rpc_recv(
        port,
        [](void *bytes, uint32_t, void *) {
          uint64_t n = number(*static_cast<Packet *>(bytes));
          // Calls of one thread can be served in any order.
          __atomic_fetch_add(&counts[n >> 56].calls, 1, __ATOMIC_RELAXED);
          __atomic_fetch_add(&counts[n >> 56].sum, n << 8 >> 8,
                             __ATOMIC_RELAXED);
        },
        nullptr);
    total.fetch_add(1, std::memory_order_relaxed);
  });
  s.start();
  auto c = s.client();
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t != 64; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i != calls; ++i) {
        auto asked = c.open(Add).send(
            [&](Packet &p, uint32_t) { setNumber(p, t << 56 | i); });
        if (i % 64 == 63) {
          ASSERT_TRUE(std::move(asked).ack().ok());
        }
      }
    });
  for (auto &t : threads)
    t.join();
  while (total != calls * 64)
    std::this_thread::yield();
  s.stop();
  for (Count &one : counts) {
    EXPECT_EQ(one.calls, calls);
    EXPECT_EQ(one.sum, calls * (calls - 1) / 2);
  }
}

TEST(Stress, RoundTripsFrom64ThreadsOverAnyNumberOfPorts) {
  for (uint32_t ports : {1u, 3u, 64u, MaxPorts}) {
    for (uint32_t servers : {1u, 3u}) {
      xcc_rpc_server_options o = {};
      o.ports = ports;
      o.threads = servers;
      TestServer s(o);
      s.on(Add, addOne);
      s.start();
      auto c = s.client();
      std::vector<std::thread> threads;
      for (uint64_t t = 0; t != 64; ++t)
        threads.emplace_back([&, t] {
          for (uint64_t i = 0, e = times(80); i != e; ++i)
            ASSERT_EQ(callAdd(c, t << 32 | i), (t << 32 | i) + 1);
        });
      for (auto &t : threads)
        t.join();
    }
  }
}

thread_local std::minstd_rand random;

/// Stands still for a random while.
void dither() {
  unsigned r = random();
  if (r % 64 == 0)
    std::this_thread::yield();
  else if (r % 8 == 0)
    for (unsigned i = r / 64 % 512; i; --i)
      relax();
}

/// One lane that dawdles wherever the protocol asks it something, and now and
/// then wakes from a sleep for no reason.
struct Dithering : lanes::Vector<4> {
  using Base = lanes::Vector<4>;
  static bool first(uint64_t m) {
    dither();
    return Base::first(m);
  }
  static uint32_t broadcast(uint64_t m, uint32_t value) {
    dither();
    return Base::broadcast(m, value);
  }
  template <class F> static void each(uint64_t m, F &&action) {
    dither();
    Base::each(m, action);
    dither();
  }
  static void sync(uint64_t) { dither(); }
  static void pause() { dither(); }
  static uint32_t hint() { return uint32_t(random()); }
  static void sleep(const uint32_t *word, uint32_t value, bool shared) {
    dither();
    if (random() % 4)
      Base::sleep(word, value, shared);
  }
  static void wake(uint32_t *word, uint32_t threads, bool shared) {
    dither();
    Base::wake(word, threads, shared);
  }
};

/// A conversation of random length and kind, known to both sides: each turn is
/// a packet or a stream, and the client can leave after any of them.
struct Script {
  std::minstd_rand r;
  explicit Script(uint64_t seed) : r(unsigned(seed * 2 + 1)) { r(); }
  bool stream() { return r() % 4 == 0; }
  bool goOn() { return r() % 4 != 0; }
  std::string text(uint32_t lane) {
    std::string text((r() % 200 + lane * 50) % 300, 0);
    for (char &c : text)
      c = char(r());
    return text;
  }
};

void converse(xcc_rpc_port *port, void *) {
  uint64_t seed = 0;
  xcc_rpc_recv_and_send(
      port, [](void *packet, uint32_t, void *to) { memcpy(to, packet, 8); },
      &seed);
  Script both(seed);
  while (true) {
    if (!both.stream()) {
      if (xcc_rpc_recv_and_send(
              port,
              [](void *bytes, uint32_t l, void *) {
                auto &p = *static_cast<Packet *>(bytes);
                setNumber(p, number(p) * 3 + l);
              },
              nullptr))
        break;
    } else {
      void *data[64] = {};
      uint64_t sizes[64] = {};
      auto allocate = [](uint64_t size, uint32_t, void *) {
        return malloc(size + 1);
      };
      xcc_rpc_status status =
          xcc_rpc_recv_n(port, data, sizes, allocate, nullptr);
      if (!status)
        status = xcc_rpc_send_n(port, data, sizes);
      for (void *d : data)
        free(d);
      if (status)
        break;
      // Keeps step with the client's random numbers.
      lanes::Vector<64>::each(xcc_rpc_port_lanes(port),
                              [&](uint32_t l) { both.text(l); });
    }
    if (!both.goOn())
      break;
  }
}

template <class C> void holdConversation(const C &from, uint64_t seed) {
  Script both(seed);
  const uint64_t mask = seed % 15 + 1;
  auto nothing = [](Packet &, uint32_t) {};
  auto port = from.open(Add, mask)
                  .send([&](Packet &p, uint32_t) { setNumber(p, seed); })
                  .recv(nothing);
  while (true) {
    ASSERT_TRUE(port.ok());
    if (!both.stream()) {
      bool listen = random() % 8;
      auto asked = std::move(port).send(
          [&](Packet &p, uint32_t l) { setNumber(p, seed + l); });
      if (!listen)
        return; // Leaves without a word.
      port = std::move(asked).recv([&](Packet &p, uint32_t l) {
        EXPECT_EQ(number(p), (seed + l) * 3 + l);
      });
    } else {
      std::string sent[4], got[4];
      lanes::Vector<4>::each(mask, [&](uint32_t l) { sent[l] = both.text(l); });
      port = std::move(port)
                 .send_n([&](uint32_t l) {
                   return Bytes{sent[l].data(), sent[l].size()};
                 })
                 .recv_n([&](uint32_t l, uint64_t size) {
                   got[l].resize(size);
                   return got[l].data();
                 });
      for (uint32_t l = 0; l != 4; ++l)
        ASSERT_EQ(got[l], sent[l]);
    }
    if (!both.goOn() || random() % 8 == 0)
      return;
  }
}

TEST(Stress, RandomSchedules) {
  const uint64_t seed = fromEnvironment("XCC_RPC_TEST_SEED", 1);
  for (uint32_t ports : {1u, 2u, 7u, 40u}) {
    xcc_rpc_server_options o = {};
    o.ports = ports;
    o.lanes = 32;
    o.threads = 1 + ports % 3;
    o.patience_ms = 600'000;
    TestServer s(o);
    s.on(Add, converse);
    s.start();
    auto c = s.client<Dithering>();
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t != 12; ++t)
      threads.emplace_back([&, t] {
        random.seed(unsigned(seed * 1000 + ports * 100 + t));
        for (uint64_t i = 0, e = times(80); i != e; ++i)
          holdConversation(c, random());
      });
    // The server stops and starts while they talk.
    for (unsigned i = 0; i != 10; ++i) {
      s.stop();
      s.start();
    }
    for (auto &t : threads)
      t.join();
  }
}
} // namespace
