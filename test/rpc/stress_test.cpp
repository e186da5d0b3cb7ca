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

uint64_t fromEnvironment(const char *Name, uint64_t Otherwise) {
  const char *Text = getenv(Name);
  return Text ? strtoull(Text, nullptr, 10) : Otherwise;
}

TEST(Stress, TenMillionCallsFrom64Threads) {
  // Every 64th waits for its answer, which says that none before was lost.
  const uint64_t Calls =
      fromEnvironment("XCC_RPC_TEST_CALLS", times(10'000'000)) / 64;
  xcc_rpc_server_options O = {};
  O.ports = MaxPorts;
  TestServer S(O);
  struct alignas(64) Count {
    uint64_t Calls = 0, Sum = 0;
  };
  static Count Counts[64];
  static std::atomic<uint64_t> Total;
  for (Count &C : Counts)
    C = {};
  Total = 0;
  S.on(Add, [](xcc_rpc_port *Port, void *) {
    xcc_rpc_recv(
        Port,
        [](void *Bytes, uint32_t, void *) {
          uint64_t N = number(*static_cast<Packet *>(Bytes));
          // Calls of one thread can be served in any order.
          __atomic_fetch_add(&Counts[N >> 56].Calls, 1, __ATOMIC_RELAXED);
          __atomic_fetch_add(&Counts[N >> 56].Sum, N << 8 >> 8,
                             __ATOMIC_RELAXED);
        },
        nullptr);
    Total.fetch_add(1, std::memory_order_relaxed);
  });
  S.start();
  auto C = S.client();
  std::vector<std::thread> Threads;
  for (uint64_t T = 0; T != 64; ++T)
    Threads.emplace_back([&, T] {
      for (uint64_t I = 0; I != Calls; ++I) {
        auto Asked = C.open(Add).send(
            [&](Packet &P, uint32_t) { setNumber(P, T << 56 | I); });
        if (I % 64 == 63) {
          ASSERT_TRUE(std::move(Asked).ack().ok());
        }
      }
    });
  for (auto &T : Threads)
    T.join();
  while (Total != Calls * 64)
    std::this_thread::yield();
  S.stop();
  for (Count &One : Counts) {
    EXPECT_EQ(One.Calls, Calls);
    EXPECT_EQ(One.Sum, Calls * (Calls - 1) / 2);
  }
}

TEST(Stress, RoundTripsFrom64ThreadsOverAnyNumberOfPorts) {
  for (uint32_t Ports : {1u, 3u, 64u, MaxPorts}) {
    for (uint32_t Servers : {1u, 3u}) {
      xcc_rpc_server_options O = {};
      O.ports = Ports;
      O.threads = Servers;
      TestServer S(O);
      S.on(Add, addOne);
      S.start();
      auto C = S.client();
      std::vector<std::thread> Threads;
      for (uint64_t T = 0; T != 64; ++T)
        Threads.emplace_back([&, T] {
          for (uint64_t I = 0, E = times(300); I != E; ++I)
            ASSERT_EQ(callAdd(C, T << 32 | I), (T << 32 | I) + 1);
        });
      for (auto &T : Threads)
        T.join();
    }
  }
}

thread_local std::minstd_rand Random;

/// Stands still for a random while.
void dither() {
  unsigned R = Random();
  if (R % 64 == 0)
    std::this_thread::yield();
  else if (R % 8 == 0)
    for (unsigned I = R / 64 % 512; I; --I)
      relax();
}

/// One lane that dawdles wherever the protocol asks it something, and now and
/// then wakes from a sleep for no reason.
struct Dithering : lanes::Vector<4> {
  using Base = lanes::Vector<4>;
  static bool first(uint64_t M) {
    dither();
    return Base::first(M);
  }
  static uint32_t broadcast(uint64_t M, uint32_t Value) {
    dither();
    return Base::broadcast(M, Value);
  }
  template <class F> static void each(uint64_t M, F &&Do) {
    dither();
    Base::each(M, Do);
    dither();
  }
  static void sync(uint64_t) { dither(); }
  static void pause() { dither(); }
  static uint32_t hint() { return uint32_t(Random()); }
  static void sleep(const uint32_t *Word, uint32_t Value, bool Shared) {
    dither();
    if (Random() % 4)
      Base::sleep(Word, Value, Shared);
  }
  static void wake(uint32_t *Word, uint32_t Threads, bool Shared) {
    dither();
    Base::wake(Word, Threads, Shared);
  }
};

/// A conversation of random length and kind, known to both sides: each turn is
/// a packet or a stream, and the client can leave after any of them.
struct Script {
  std::minstd_rand R;
  explicit Script(uint64_t Seed) : R(unsigned(Seed * 2 + 1)) { R(); }
  bool stream() { return R() % 4 == 0; }
  bool goOn() { return R() % 4 != 0; }
  std::string text(uint32_t Lane) {
    std::string Text((R() % 200 + Lane * 50) % 300, 0);
    for (char &C : Text)
      C = char(R());
    return Text;
  }
};

void converse(xcc_rpc_port *Port, void *) {
  uint64_t Seed = 0;
  xcc_rpc_recv_and_send(
      Port, [](void *Packet, uint32_t, void *To) { memcpy(To, Packet, 8); },
      &Seed);
  Script Both(Seed);
  while (true) {
    if (!Both.stream()) {
      if (xcc_rpc_recv_and_send(
              Port,
              [](void *Bytes, uint32_t L, void *) {
                auto &P = *static_cast<Packet *>(Bytes);
                setNumber(P, number(P) * 3 + L);
              },
              nullptr))
        break;
    } else {
      void *Data[64] = {};
      uint64_t Sizes[64] = {};
      auto allocate = [](uint64_t Size, uint32_t, void *) {
        return malloc(Size + 1);
      };
      xcc_rpc_status Status =
          xcc_rpc_recv_n(Port, Data, Sizes, allocate, nullptr);
      if (!Status)
        Status = xcc_rpc_send_n(Port, Data, Sizes);
      for (void *D : Data)
        free(D);
      if (Status)
        break;
      // Keeps step with the client's random numbers.
      lanes::Vector<64>::each(xcc_rpc_port_lanes(Port),
                              [&](uint32_t L) { Both.text(L); });
    }
    if (!Both.goOn())
      break;
  }
}

template <class C> void holdConversation(const C &From, uint64_t Seed) {
  Script Both(Seed);
  const uint64_t Mask = Seed % 15 + 1;
  auto nothing = [](Packet &, uint32_t) {};
  auto Port = From.open(Add, Mask)
                  .send([&](Packet &P, uint32_t) { setNumber(P, Seed); })
                  .recv(nothing);
  while (true) {
    ASSERT_TRUE(Port.ok());
    if (!Both.stream()) {
      bool Listen = Random() % 8;
      auto Asked = std::move(Port).send(
          [&](Packet &P, uint32_t L) { setNumber(P, Seed + L); });
      if (!Listen)
        return; // Leaves without a word.
      Port = std::move(Asked).recv([&](Packet &P, uint32_t L) {
        EXPECT_EQ(number(P), (Seed + L) * 3 + L);
      });
    } else {
      std::string Sent[4], Got[4];
      lanes::Vector<4>::each(Mask, [&](uint32_t L) { Sent[L] = Both.text(L); });
      Port = std::move(Port)
                 .send_n([&](uint32_t L) {
                   return Bytes{Sent[L].data(), Sent[L].size()};
                 })
                 .recv_n([&](uint32_t L, uint64_t Size) {
                   Got[L].resize(Size);
                   return Got[L].data();
                 });
      for (uint32_t L = 0; L != 4; ++L)
        ASSERT_EQ(Got[L], Sent[L]);
    }
    if (!Both.goOn() || Random() % 8 == 0)
      return;
  }
}

TEST(Stress, RandomSchedules) {
  const uint64_t Seed = fromEnvironment("XCC_RPC_TEST_SEED", 1);
  for (uint32_t Ports : {1u, 2u, 7u, 40u}) {
    xcc_rpc_server_options O = {};
    O.ports = Ports;
    O.lanes = 32;
    O.threads = 1 + Ports % 3;
    O.patience_ms = 600'000;
    TestServer S(O);
    S.on(Add, converse);
    S.start();
    auto C = S.client<Dithering>();
    std::vector<std::thread> Threads;
    for (uint64_t T = 0; T != 12; ++T)
      Threads.emplace_back([&, T] {
        Random.seed(unsigned(Seed * 1000 + Ports * 100 + T));
        for (uint64_t I = 0, E = times(250); I != E; ++I)
          holdConversation(C, Random());
      });
    // The server stops and starts while they talk.
    for (unsigned I = 0; I != 10; ++I) {
      S.stop();
      S.start();
    }
    for (auto &T : Threads)
      T.join();
  }
}
} // namespace
