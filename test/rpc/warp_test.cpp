// Lanes that are threads of their own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp of 32 or 64 threads, each of which stands for one lane, as on a GPU:
// what one lane does for all, what all have to know, divergence.

#include "support.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace {
using namespace rpctest;

/// Lets the lanes of a mask exchange a number each.
class LockStep {
public:
  using Values = std::array<uint64_t, 64>;
  Values exchange(uint64_t mask, uint32_t lane, uint64_t value) {
    std::unique_lock lock(mutex);
    Meeting &m = meetings[mask];
    m.in[lane] = value;
    if (++m.arrived == uint32_t(__builtin_popcountll(mask))) {
      m.out = m.in;
      m.arrived = 0;
      ++m.turn;
      changed.notify_all();
    } else {
      changed.wait(lock, [&, turn = m.turn] { return m.turn != turn; });
    }
    return m.out;
  }

private:
  struct Meeting {
    Values in{}, out{};
    uint32_t arrived = 0;
    uint64_t turn = 0;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint64_t, Meeting> meetings;
};

thread_local LockStep *myWarp;
thread_local uint32_t myLane;

/// The policy of rpc/lanes.h for such threads.
template <uint32_t N> struct Threads {
  static constexpr bool CanSleep = false;
  static uint32_t count() { return N; }
  static uint64_t active() { return ~uint64_t(0) >> (64 - N); }
  static bool among(uint64_t m) { return m >> myLane & 1; }
  static bool first(uint64_t m) {
    EXPECT_TRUE(among(m));
    return myLane == uint32_t(__builtin_ctzll(m));
  }
  static uint32_t broadcast(uint64_t m, uint32_t value) {
    return uint32_t(
        myWarp->exchange(m, myLane, value)[size_t(__builtin_ctzll(m))]);
  }
  template <class F> static uint64_t select(uint64_t m, F &&keep) {
    auto all = myWarp->exchange(m, myLane, keep(myLane));
    uint64_t kept = 0;
    lanes::Vector<64>::each(m, [&](uint32_t l) { kept |= all[l] << l; });
    return kept;
  }
  static bool any(uint64_t m, bool b) {
    return select(m, [b](uint32_t) { return b; }) != 0;
  }
  template <class F> static void each(uint64_t, F &&action) { action(myLane); }
  template <class T> struct PerLane {
    T only{};
    T &operator[](uint32_t lane) {
      EXPECT_EQ(lane, myLane);
      return only;
    }
  };
  static void sync(uint64_t m) { myWarp->exchange(m, myLane, 0); }
  static void pause() { std::this_thread::yield(); }
  static uint32_t hint() { return uint32_t(uintptr_t(myWarp) >> 4); }
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
};

template <uint32_t N, class F> void runWarps(unsigned warps, F &&body) {
  std::vector<LockStep> steps(warps);
  std::vector<std::thread> all;
  for (LockStep &s : steps)
    for (uint32_t l = 0; l != N; ++l)
      all.emplace_back([&, l] {
        myWarp = &s;
        myLane = l;
        body(uint32_t(&s - steps.data()), l);
      });
  for (auto &t : all)
    t.join();
}

/// Answers with the mask until the client has enough.
void masks(xcc_rpc_port *port, void *) {
  auto answer = [](void *packet, uint32_t, void *context) {
    uint64_t mask = xcc_rpc_port_lanes(static_cast<xcc_rpc_port *>(context));
    memcpy(packet, &mask, 8);
  };
  while (!xcc_rpc_recv_and_send(port, answer, port))
    ;
}

template <uint32_t N> void warps() {
  xcc_rpc_server_options o = {};
  o.ports = 3;
  o.lanes = N;
  o.patience_ms = 600'000;
  TestServer s(o);
  s.on(Add, addOne);
  s.on(Add + 1, echo);
  s.on(Add + 2, masks);
  auto c = s.client<Threads<N>>();
  // Such lanes do not wake a server, so this one does not sleep.
  std::atomic<bool> stop{false};
  std::thread serving([&] {
    while (!stop) {
      xcc_rpc_server_handle(s, nullptr);
      std::this_thread::yield();
    }
  });
  runWarps<N>(2, [&](uint32_t w, uint32_t l) {
    for (uint64_t i = 0; i != 6; ++i) {
      ASSERT_EQ(callAdd(c, w * 1000 + l * 10 + i), w * 1000 + l * 10 + i + 1);
      // Halves of the warp on ports of their own.
      const uint64_t all = Threads<N>::active();
      const uint64_t half =
          l % 2 ? all & 0xaaaaaaaaaaaaaaaa : all & 0x5555555555555555;
      std::string sent((l * 37 + i * 11) % 300, char('a' + l % 26)), got;
      auto ended =
          c.open(Add + 1, half)
              .send_n([&](uint32_t) { return Bytes{sent.data(), sent.size()}; })
              .recv_n([&](uint32_t, uint64_t size) {
                got.resize(size);
                return got.data();
              });
      ASSERT_TRUE(ended.ok());
      ASSERT_EQ(got, sent);
      std::move(ended).close();
      // Lanes leave one after the other; the first one first.
      uint64_t mask = 0;
      auto read = [&](Packet &p, uint32_t) { mask = number(p); };
      auto port = c.open(Add + 2).send([](Packet &, uint32_t) {}).recv(read);
      ASSERT_EQ(mask, all);
      for (uint32_t least = 1; least < N && port; least *= 4) {
        port = std::move(port).keep([=](uint32_t me) { return me >= least; });
        if (!port)
          continue;
        port = std::move(port).send([](Packet &, uint32_t) {}).recv(read);
        ASSERT_EQ(mask, all >> least << least);
      }
    }
  });
  stop = true;
  serving.join();
}
TEST(Warp, Of32Lanes) { warps<32>(); }
TEST(Warp, Of64Lanes) { warps<64>(); }
} // namespace
