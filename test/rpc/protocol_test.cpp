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
  Serving(P &Both, F Serve)
      : Thread([this, &Both, Serve] {
          for (bool Last = false; !Last;) {
            Last = Stop.load();
            while (auto Port = Both.S.tryOpen()) {
              Serve(std::move(Port));
              Last = false;
            }
            std::this_thread::yield();
          }
        }) {}
  ~Serving() {
    Stop = true;
    Thread.join();
  }

private:
  std::atomic<bool> Stop{false};
  std::thread Thread;
};

auto adding = [](auto Port) {
  uint64_t Seen[64] = {};
  auto Ended =
      std::move(Port)
          .recv([&](Packet &P, uint32_t L) { Seen[L] = number(P) + 1; })
          .send([&](Packet &P, uint32_t L) { setNumber(P, Seen[L]); });
};

TEST(Protocol, RoundTrip) {
  Pair<Warp<1>> Both(1, 1);
  Serving Thread(Both, adding);
  for (uint64_t I = 0, E = times(100000); I != E; ++I)
    ASSERT_EQ(callAdd(Both.C, I), I + 1);
}

TEST(Protocol, OneThreadIsBothSides) {
  // Nothing waits that need not: the steps of a call, one by one.
  Pair<Warp<1>> Both(40, 1);
  for (uint64_t I = 0; I != 1000; ++I) {
    EXPECT_FALSE(Both.S.tryOpen());
    auto Asked =
        Both.C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); });
    auto Port = Both.S.tryOpen();
    ASSERT_TRUE(Port);
    EXPECT_EQ(Port.opcode(), Add);
    EXPECT_EQ(Port.index(), Asked.index());
    EXPECT_FALSE(Both.S.tryOpen());
    adding(std::move(Port));
    EXPECT_FALSE(Both.S.tryOpen());
    uint64_t Answer = 0;
    auto Ended =
        std::move(Asked).recv([&](Packet &P, uint32_t) { Answer = number(P); });
    EXPECT_EQ(Answer, I + 1);
  }
}

TEST(Protocol, ManyPortCounts) {
  for (uint32_t Ports :
       {1u, 2u, 31u, 32u, 33u, 63u, 64u, 100u, 1000u, 4095u, MaxPorts}) {
    Pair<Warp<1>> Both(Ports, 1);
    // All at once, then each is answered.
    std::vector<Client<Warp<1>>::Port<State::Wait>> Asked;
    for (uint32_t I = 0; I != Ports; ++I)
      Asked.push_back(
          Both.C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); }));
    uint32_t Served = 0;
    while (auto Port = Both.S.tryOpen(Served * 7 % Ports)) {
      adding(std::move(Port));
      ++Served;
    }
    ASSERT_EQ(Served, Ports);
    for (uint32_t I = 0; I != Ports; ++I) {
      auto Ended = std::move(Asked[I]).recv(
          [&](Packet &P, uint32_t) { EXPECT_EQ(number(P), I + 1); });
      EXPECT_TRUE(Ended.ok());
    }
  }
}

template <uint32_t N> void lanesAndMasks() {
  Pair<Warp<N>> Both(8, N);
  Serving Thread(Both, [](auto Port) {
    uint64_t Seen[64] = {};
    uint64_t Mask = 0;
    auto Ended = std::move(Port)
                     .recv([&](Packet &P, uint32_t L) {
                       Seen[L] = number(P);
                       Mask |= uint64_t(1) << L;
                     })
                     .send([&](Packet &P, uint32_t L) {
                       setNumber(P, Seen[L] * 1000 + L + Mask);
                     });
  });
  const uint64_t All = Warp<N>::active();
  for (uint64_t Mask : {All, All & 1, All & 0x8000'0000'0000'0001,
                        All & 0xaaaa'aaaa'aaaa'aaaa, All & ~uint64_t(1)}) {
    if (!Mask)
      continue;
    uint64_t Answered = 0;
    auto Ended = Both.C.open(Add, Mask)
                     .send([&](Packet &P, uint32_t L) { setNumber(P, L + 1); })
                     .recv([&](Packet &P, uint32_t L) {
                       EXPECT_EQ(number(P), (L + 1) * 1000 + L + Mask);
                       Answered |= uint64_t(1) << L;
                     });
    EXPECT_EQ(Answered, Mask);
  }
}
TEST(Protocol, LanesAndMasks1) { lanesAndMasks<1>(); }
TEST(Protocol, LanesAndMasks32) { lanesAndMasks<32>(); }
TEST(Protocol, LanesAndMasks64) { lanesAndMasks<64>(); }

/// A text of its own for each lane and turn.
std::string textOf(uint64_t Seed, uint32_t Lane) {
  static constexpr uint64_t Sizes[] = {0,  1,   55,  56,  57,  63,   64,
                                       65, 119, 120, 121, 184, 1000, 4097};
  std::string Text(Sizes[(Seed + Lane) % std::size(Sizes)], 0);
  for (size_t I = 0; I != Text.size(); ++I)
    Text[I] = char(I * 31 + Lane * 7 + Seed);
  return Text;
}

template <uint32_t N> void streams() {
  Pair<Warp<N>> Both(3, N);
  Serving Thread(Both, [](auto Port) {
    // Back to front.
    std::string Got[64];
    auto Ended = std::move(Port).recv_n([&](uint32_t L, uint64_t Size) {
      Got[L].resize(Size);
      return Got[L].data();
    });
    for (auto &G : Got)
      std::reverse(G.begin(), G.end());
    auto Sent = std::move(Ended).send_n([&](uint32_t L) {
      return Bytes{Got[L].data(), Got[L].size()};
    });
  });
  for (uint64_t Seed = 0; Seed != 40; ++Seed) {
    std::string Sent[N], Got[N];
    for (uint32_t L = 0; L != N; ++L)
      Sent[L] = textOf(Seed, L);
    auto Ended = Both.C.open(Add)
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
      ASSERT_EQ(Got[L], Sent[L]) << "lane " << L << ", seed " << Seed;
    }
  }
}
TEST(Protocol, Streams1) { streams<1>(); }
TEST(Protocol, Streams32) { streams<32>(); }
TEST(Protocol, Streams64) { streams<64>(); }

TEST(Protocol, SeveralRoundTripsOnOnePort) {
  Pair<Warp<1>> Both(2, 1);
  Serving Thread(Both, [](auto Port) {
    // Sums up until it is sent a zero, then counts down.
    uint64_t Sum = 0, N = 1;
    auto Got =
        std::move(Port).recv([&](Packet &P, uint32_t) { N = number(P); });
    for (Sum = N; N && Got.ok(); Sum += N)
      Got = std::move(Got)
                .send([&](Packet &P, uint32_t) { setNumber(P, Sum); })
                .recv([&](Packet &P, uint32_t) { N = number(P); });
    auto Last = std::move(Got)
                    .send([&](Packet &P, uint32_t) { setNumber(P, ~Sum); })
                    .ack()
                    .send([&](Packet &P, uint32_t) { setNumber(P, 99); });
  });
  for (int Repeat = 0; Repeat != 100; ++Repeat) {
    uint64_t Sum = 0;
    auto read = [&](Packet &P, uint32_t) { Sum = number(P); };
    auto write = [](uint64_t N) {
      return [N](Packet &P, uint32_t) { setNumber(P, N); };
    };
    auto Port = Both.C.open(Add).send(write(3)).recv(read);
    EXPECT_EQ(Sum, 3u);
    Port = std::move(Port).send(write(4)).recv(read);
    EXPECT_EQ(Sum, 7u);
    Port = std::move(Port).send(write(0)).recv(read);
    EXPECT_EQ(Sum, ~7ull);
    Port = std::move(Port).pass().recv(read);
    EXPECT_EQ(Sum, 99u);
  }
}

TEST(Protocol, WithoutWaitingForAnAnswer) {
  Pair<Warp<1>> Both(3, 1);
  std::atomic<uint64_t> Sum{0};
  {
    Serving Thread(Both, [&](auto Port) {
      auto Got =
          std::move(Port).recv([&](Packet &P, uint32_t) { Sum += number(P); });
    });
    for (uint64_t I = 1; I <= 3000; ++I)
      Both.C.open(Add).send([&](Packet &P, uint32_t) { setNumber(P, I); });
  }
  EXPECT_EQ(Sum, 3000u * 3001 / 2);
}

TEST(Protocol, DroppedUnusedPortsAreFree) {
  Pair<Warp<1>> Both(1, 1);
  for (int I = 0; I != 10; ++I) {
    auto Port = Both.C.open(Add);
    EXPECT_TRUE(Port);
    auto Moved = std::move(Port);
    EXPECT_FALSE(Port);
    EXPECT_FALSE(Both.S.tryOpen());
  }
  {
    Serving Thread(Both, adding);
    EXPECT_EQ(callAdd(Both.C, 1), 2u);
  }
}

TEST(Protocol, ClientEndsTheCallFirst) {
  // The server wants more than the client has to say, and is told.
  Pair<Warp<1>> Both(1, 1);
  std::atomic<unsigned> Closed{0};
  Serving Thread(Both, [&](auto Port) {
    bool Used = false;
    auto Got = std::move(Port)
                   .recv([](Packet &, uint32_t) {})
                   .send([](Packet &P, uint32_t) { setNumber(P, 5); })
                   .recv([&](Packet &, uint32_t) { Used = true; });
    EXPECT_EQ(Got.status(), Answer::Closed);
    EXPECT_FALSE(Used);
    // Nothing happens any more.
    auto More = std::move(Got)
                    .send([&](Packet &, uint32_t) { Used = true; })
                    .recv([&](Packet &, uint32_t) { Used = true; });
    EXPECT_FALSE(Used);
    ++Closed;
  });
  for (unsigned I = 0; I != 100; ++I) {
    uint64_t Answer = 0;
    auto Ended = Both.C.open(Add)
                     .send([](Packet &P, uint32_t) { setNumber(P, 1); })
                     .recv([&](Packet &P, uint32_t) { Answer = number(P); });
    EXPECT_EQ(Answer, 5u);
  }
  while (Closed != 100)
    std::this_thread::yield();
}

TEST(Protocol, FewerLanesGoOn) {
  Pair<Warp<32>> Both(1, 32);
  Serving Thread(Both, [](auto Port) {
    uint64_t Masks[2] = {};
    auto Ended =
        std::move(Port)
            .recv([&](Packet &, uint32_t L) { Masks[0] |= 1ull << L; })
            .send([&](Packet &P, uint32_t) { setNumber(P, Masks[0]); })
            .recv([&](Packet &, uint32_t L) { Masks[1] |= 1ull << L; })
            .send([&](Packet &P, uint32_t) { setNumber(P, Masks[1]); });
  });
  for (unsigned I = 0; I != 100; ++I) {
    auto Port = Both.C.open(Add)
                    .send([](Packet &, uint32_t) {})
                    .recv([](Packet &P, uint32_t) {
                      EXPECT_EQ(number(P), 0xffffffffu);
                    });
    unsigned Answers = 0;
    auto Rest = std::move(Port).keep([&](uint32_t L) { return L % 3 == 1; });
    ASSERT_TRUE(Rest);
    auto Ended = std::move(Rest)
                     .send([](Packet &, uint32_t) {})
                     .recv([&](Packet &P, uint32_t L) {
                       EXPECT_EQ(L % 3, 1u);
                       EXPECT_EQ(number(P), 0x92492492u);
                       ++Answers;
                     });
    EXPECT_EQ(Answers, 11u);
    // And none: the port is free again.
    EXPECT_FALSE(std::move(Ended).keep([](uint32_t) { return false; }));
  }
}

TEST(Protocol, ThreadsShareFewPorts) {
  for (uint32_t Ports : {1u, 2u, 5u}) {
    Pair<Warp<1>> Both(Ports, 1);
    Serving Thread(Both, adding);
    std::vector<std::thread> Threads;
    for (uint64_t T = 0; T != 8; ++T)
      Threads.emplace_back([&, T] {
        for (uint64_t I = 0, E = times(4000); I != E; ++I)
          ASSERT_EQ(callAdd(Both.C, T << 32 | I), (T << 32 | I) + 1);
      });
    for (auto &T : Threads)
      T.join();
  }
}

TEST(Protocol, SeveralServersShareThePorts) {
  Pair<Warp<1>> Both(16, 1);
  Serving One(Both, adding);
  Serving Two(Both, adding);
  Serving Three(Both, adding);
  std::vector<std::thread> Threads;
  for (uint64_t T = 0; T != 8; ++T)
    Threads.emplace_back([&, T] {
      for (uint64_t I = 0, E = times(4000); I != E; ++I)
        ASSERT_EQ(callAdd(Both.C, T << 32 | I), (T << 32 | I) + 1);
    });
  for (auto &T : Threads)
    T.join();
}

TEST(Protocol, ANewServerGoesOn) {
  Pair<Warp<1>> Both(3, 1);
  for (int I = 0; I != 10; ++I) {
    {
      Serving Thread(Both, adding);
      for (uint64_t N = 0; N != 7; ++N)
        EXPECT_EQ(callAdd(Both.C, N), N + 1);
    }
    auto Asked =
        Both.C.open(Add).send([](Packet &P, uint32_t) { setNumber(P, 41); });
    Memory Fresh(Both.L.localSize());
    Server<> Next(View(Both.Shared.get(), Fresh.get(), Both.L));
    auto Port = Next.tryOpen();
    ASSERT_TRUE(Port);
    adding(std::move(Port));
    auto Ended = std::move(Asked).recv(
        [](Packet &P, uint32_t) { EXPECT_EQ(number(P), 42u); });
    Both.S = Next;
    memcpy(Both.ServerLocal.get(), Fresh.get(), Both.L.localSize());
    Both.S = Server<>(View(Both.Shared.get(), Both.ServerLocal.get(), Both.L));
  }
}
} // namespace
