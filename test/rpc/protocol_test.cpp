// Two threads and the protocol
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <algorithm>
#include <atomic>
#include <string>

namespace {
using namespace rpctest;

template <uint32_t N> using Warp = lanes::Vector<N>;

/// Serves on a thread until told to stop.
template <class P, class F> class Serving {
public:
  Serving(P &both, F serve)
      : thread([this, &both, serve] {
          for (bool last = false; !last;) {
            last = stop.load();
            while (auto port = both.s.tryOpen()) {
              serve(std::move(port));
              last = false;
            }
            std::this_thread::yield();
          }
        }) {}
  ~Serving() {
    stop = true;
    thread.join();
  }

private:
  std::atomic<bool> stop{false};
  std::thread thread;
};

auto adding = [](auto port) {
  uint64_t seen[64] = {};
  auto ended =
      std::move(port)
          .recv([&](Packet &p, uint32_t l) { seen[l] = number(p) + 1; })
          .send([&](Packet &p, uint32_t l) { setNumber(p, seen[l]); });
};

TEST(Protocol, RoundTrip) {
  Pair<Warp<1>> both(1, 1);
  Serving thread(both, adding);
  for (uint64_t i = 0, e = times(100000); i != e; ++i)
    ASSERT_EQ(callAdd(both.c, i), i + 1);
}

TEST(Protocol, OneThreadIsBothSides) {
  // Nothing waits that need not: the steps of a call, one by one.
  Pair<Warp<1>> both(40, 1);
  for (uint64_t i = 0; i != 1000; ++i) {
    EXPECT_FALSE(both.s.tryOpen());
    auto asked =
        both.c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); });
    auto port = both.s.tryOpen();
    ASSERT_TRUE(port);
    EXPECT_EQ(port.opcode(), Add);
    EXPECT_EQ(port.index(), asked.index());
    EXPECT_FALSE(both.s.tryOpen());
    adding(std::move(port));
    EXPECT_FALSE(both.s.tryOpen());
    uint64_t answer = 0;
    auto ended =
        std::move(asked).recv([&](Packet &p, uint32_t) { answer = number(p); });
    EXPECT_EQ(answer, i + 1);
  }
}

TEST(Protocol, ManyPortCounts) {
  for (uint32_t ports :
       {1u, 2u, 31u, 32u, 33u, 63u, 64u, 100u, 1000u, 4095u, MaxPorts}) {
    Pair<Warp<1>> both(ports, 1);
    // All at once, then each is answered.
    std::vector<Client<Warp<1>>::Port<State::Wait>> asked;
    for (uint32_t i = 0; i != ports; ++i)
      asked.push_back(
          both.c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); }));
    uint32_t served = 0;
    while (auto port = both.s.tryOpen(served * 7 % ports)) {
      adding(std::move(port));
      ++served;
    }
    ASSERT_EQ(served, ports);
    for (uint32_t i = 0; i != ports; ++i) {
      auto ended = std::move(asked[i]).recv(
          [&](Packet &p, uint32_t) { EXPECT_EQ(number(p), i + 1); });
      EXPECT_TRUE(ended.ok());
    }
  }
}

template <uint32_t N> void lanesAndMasks() {
  Pair<Warp<N>> both(8, N);
  Serving thread(both, [](auto port) {
    uint64_t seen[64] = {};
    uint64_t mask = 0;
    auto ended = std::move(port)
                     .recv([&](Packet &p, uint32_t l) {
                       seen[l] = number(p);
                       mask |= uint64_t(1) << l;
                     })
                     .send([&](Packet &p, uint32_t l) {
                       setNumber(p, seen[l] * 1000 + l + mask);
                     });
  });
  const uint64_t all = Warp<N>::active();
  for (uint64_t mask : {all, all & 1, all & 0x8000'0000'0000'0001,
                        all & 0xaaaa'aaaa'aaaa'aaaa, all & ~uint64_t(1)}) {
    if (!mask)
      continue;
    uint64_t answered = 0;
    auto ended = both.c.open(Add, mask)
                     .send([&](Packet &p, uint32_t l) { setNumber(p, l + 1); })
                     .recv([&](Packet &p, uint32_t l) {
                       EXPECT_EQ(number(p), (l + 1) * 1000 + l + mask);
                       answered |= uint64_t(1) << l;
                     });
    EXPECT_EQ(answered, mask);
  }
}
TEST(Protocol, LanesAndMasks1) { lanesAndMasks<1>(); }
TEST(Protocol, LanesAndMasks32) { lanesAndMasks<32>(); }
TEST(Protocol, LanesAndMasks64) { lanesAndMasks<64>(); }

/// A text of its own for each lane and turn.
std::string textOf(uint64_t seed, uint32_t lane) {
  static constexpr uint64_t sizes[] = {0,  1,   55,  56,  57,  63,   64,
                                       65, 119, 120, 121, 184, 1000, 4097};
  std::string text(sizes[(seed + lane) % std::size(sizes)], 0);
  for (size_t i = 0; i != text.size(); ++i)
    text[i] = char(i * 31 + lane * 7 + seed);
  return text;
}

template <uint32_t N> void streams() {
  Pair<Warp<N>> both(3, N);
  Serving thread(both, [](auto port) {
    // Back to front.
    std::string got[64];
    auto ended = std::move(port).recv_n([&](uint32_t l, uint64_t size) {
      got[l].resize(size);
      return got[l].data();
    });
    for (auto &g : got)
      std::reverse(g.begin(), g.end());
    auto sent = std::move(ended).send_n(
        [&](uint32_t l) { return Bytes{got[l].data(), got[l].size()}; });
  });
  callReverse<N>(both.c, 40, textOf);
}
TEST(Protocol, Streams1) { streams<1>(); }
TEST(Protocol, Streams32) { streams<32>(); }
TEST(Protocol, Streams64) { streams<64>(); }

TEST(Protocol, SeveralRoundTripsOnOnePort) {
  Pair<Warp<1>> both(2, 1);
  Serving thread(both, [](auto port) {
    // Sums up until it is sent a zero, then counts down.
    uint64_t sum = 0, n = 1;
    auto got =
        std::move(port).recv([&](Packet &p, uint32_t) { n = number(p); });
    for (sum = n; n && got.ok(); sum += n)
      got = std::move(got)
                .send([&](Packet &p, uint32_t) { setNumber(p, sum); })
                .recv([&](Packet &p, uint32_t) { n = number(p); });
    auto last = std::move(got)
                    .send([&](Packet &p, uint32_t) { setNumber(p, ~sum); })
                    .ack()
                    .send([&](Packet &p, uint32_t) { setNumber(p, 99); });
  });
  for (int repeat = 0; repeat != 100; ++repeat) {
    uint64_t sum = 0;
    auto read = [&](Packet &p, uint32_t) { sum = number(p); };
    auto write = [](uint64_t n) {
      return [n](Packet &p, uint32_t) { setNumber(p, n); };
    };
    auto port = both.c.open(Add).send(write(3)).recv(read);
    EXPECT_EQ(sum, 3u);
    port = std::move(port).send(write(4)).recv(read);
    EXPECT_EQ(sum, 7u);
    port = std::move(port).send(write(0)).recv(read);
    EXPECT_EQ(sum, ~7ull);
    port = std::move(port).pass().recv(read);
    EXPECT_EQ(sum, 99u);
  }
}

TEST(Protocol, WithoutWaitingForAnAnswer) {
  Pair<Warp<1>> both(3, 1);
  std::atomic<uint64_t> sum{0};
  {
    Serving thread(both, [&](auto port) {
      auto got =
          std::move(port).recv([&](Packet &p, uint32_t) { sum += number(p); });
    });
    for (uint64_t i = 1; i <= 3000; ++i)
      both.c.open(Add).send([&](Packet &p, uint32_t) { setNumber(p, i); });
  }
  EXPECT_EQ(sum, 3000u * 3001 / 2);
}

TEST(Protocol, DroppedUnusedPortsAreFree) {
  Pair<Warp<1>> both(1, 1);
  for (int i = 0; i != 10; ++i) {
    auto port = both.c.open(Add);
    EXPECT_TRUE(port);
    auto moved = std::move(port);
    EXPECT_FALSE(port);
    EXPECT_FALSE(both.s.tryOpen());
  }
  {
    Serving thread(both, adding);
    EXPECT_EQ(callAdd(both.c, 1), 2u);
  }
}

TEST(Protocol, ClientEndsTheCallFirst) {
  // The server wants more than the client has to say, and is told.
  Pair<Warp<1>> both(1, 1);
  std::atomic<unsigned> closed{0};
  Serving thread(both, [&](auto port) {
    bool used = false;
    auto got = std::move(port)
                   .recv([](Packet &, uint32_t) {})
                   .send([](Packet &p, uint32_t) { setNumber(p, 5); })
                   .recv([&](Packet &, uint32_t) { used = true; });
    EXPECT_EQ(got.status(), Answer::Closed);
    EXPECT_FALSE(used);
    // Nothing happens any more.
    auto more = std::move(got)
                    .send([&](Packet &, uint32_t) { used = true; })
                    .recv([&](Packet &, uint32_t) { used = true; });
    EXPECT_FALSE(used);
    ++closed;
  });
  for (unsigned i = 0; i != 100; ++i) {
    uint64_t answer = 0;
    auto ended = both.c.open(Add)
                     .send([](Packet &p, uint32_t) { setNumber(p, 1); })
                     .recv([&](Packet &p, uint32_t) { answer = number(p); });
    EXPECT_EQ(answer, 5u);
  }
  while (closed != 100)
    std::this_thread::yield();
}

TEST(Protocol, FewerLanesGoOn) {
  Pair<Warp<32>> both(1, 32);
  Serving thread(both, [](auto port) {
    uint64_t masks[2] = {};
    auto ended =
        std::move(port)
            .recv([&](Packet &, uint32_t l) { masks[0] |= 1ull << l; })
            .send([&](Packet &p, uint32_t) { setNumber(p, masks[0]); })
            .recv([&](Packet &, uint32_t l) { masks[1] |= 1ull << l; })
            .send([&](Packet &p, uint32_t) { setNumber(p, masks[1]); });
  });
  for (unsigned i = 0; i != 100; ++i) {
    auto port = both.c.open(Add)
                    .send([](Packet &, uint32_t) {})
                    .recv([](Packet &p, uint32_t) {
                      EXPECT_EQ(number(p), 0xffffffffu);
                    });
    unsigned answers = 0;
    auto rest = std::move(port).keep([&](uint32_t l) { return l % 3 == 1; });
    ASSERT_TRUE(rest);
    auto ended = std::move(rest)
                     .send([](Packet &, uint32_t) {})
                     .recv([&](Packet &p, uint32_t l) {
                       EXPECT_EQ(l % 3, 1u);
                       EXPECT_EQ(number(p), 0x92492492u);
                       ++answers;
                     });
    EXPECT_EQ(answers, 11u);
    // And none: the port is free again.
    EXPECT_FALSE(std::move(ended).keep([](uint32_t) { return false; }));
  }
}

TEST(Protocol, ThreadsShareFewPorts) {
  for (uint32_t ports : {1u, 2u, 5u}) {
    Pair<Warp<1>> both(ports, 1);
    Serving thread(both, adding);
    callFromThreads(both.c);
  }
}

TEST(Protocol, SeveralServersShareThePorts) {
  Pair<Warp<1>> both(16, 1);
  Serving one(both, adding);
  Serving two(both, adding);
  Serving three(both, adding);
  callFromThreads(both.c);
}

TEST(Protocol, ANewServerGoesOn) {
  Pair<Warp<1>> both(3, 1);
  for (int i = 0; i != 10; ++i) {
    {
      Serving thread(both, adding);
      for (uint64_t n = 0; n != 7; ++n)
        EXPECT_EQ(callAdd(both.c, n), n + 1);
    }
    auto asked =
        both.c.open(Add).send([](Packet &p, uint32_t) { setNumber(p, 41); });
    Memory fresh(both.l.localSize());
    Server<> next(View(both.shared.get(), fresh.get(), both.l));
    auto port = next.tryOpen();
    ASSERT_TRUE(port);
    adding(std::move(port));
    auto ended = std::move(asked).recv(
        [](Packet &p, uint32_t) { EXPECT_EQ(number(p), 42u); });
    both.s = next;
    memcpy(both.serverLocal.get(), fresh.get(), both.l.localSize());
    both.s = Server<>(View(both.shared.get(), both.serverLocal.get(), both.l));
  }
}
} // namespace
