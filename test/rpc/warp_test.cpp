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
  Values exchange(uint64_t Mask, uint32_t Lane, uint64_t Value) {
    std::unique_lock Lock(Mutex);
    Meeting &M = Meetings[Mask];
    M.In[Lane] = Value;
    if (++M.Arrived == uint32_t(__builtin_popcountll(Mask))) {
      M.Out = M.In;
      M.Arrived = 0;
      ++M.Turn;
      Changed.notify_all();
    } else {
      Changed.wait(Lock, [&, Turn = M.Turn] { return M.Turn != Turn; });
    }
    return M.Out;
  }

private:
  struct Meeting {
    Values In{}, Out{};
    uint32_t Arrived = 0;
    uint64_t Turn = 0;
  };
  std::mutex Mutex;
  std::condition_variable Changed;
  std::map<uint64_t, Meeting> Meetings;
};

thread_local LockStep *MyWarp;
thread_local uint32_t MyLane;

/// The policy of rpc/lanes.h for such threads.
template <uint32_t N> struct Threads {
  static constexpr bool CanSleep = false;
  static uint32_t count() { return N; }
  static uint64_t active() { return ~uint64_t(0) >> (64 - N); }
  static bool among(uint64_t M) { return M >> MyLane & 1; }
  static bool first(uint64_t M) {
    EXPECT_TRUE(among(M));
    return MyLane == uint32_t(__builtin_ctzll(M));
  }
  static uint32_t broadcast(uint64_t M, uint32_t Value) {
    return uint32_t(
        MyWarp->exchange(M, MyLane, Value)[size_t(__builtin_ctzll(M))]);
  }
  template <class F> static uint64_t select(uint64_t M, F &&Keep) {
    auto All = MyWarp->exchange(M, MyLane, Keep(MyLane));
    uint64_t Kept = 0;
    lanes::Vector<64>::each(M, [&](uint32_t L) { Kept |= All[L] << L; });
    return Kept;
  }
  static bool any(uint64_t M, bool B) {
    return select(M, [B](uint32_t) { return B; }) != 0;
  }
  template <class F> static void each(uint64_t, F &&Do) { Do(MyLane); }
  template <class T> struct PerLane {
    T Only{};
    T &operator[](uint32_t Lane) {
      EXPECT_EQ(Lane, MyLane);
      return Only;
    }
  };
  static void sync(uint64_t M) { MyWarp->exchange(M, MyLane, 0); }
  static void pause() { std::this_thread::yield(); }
  static uint32_t hint() { return uint32_t(uintptr_t(MyWarp) >> 4); }
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
};

template <uint32_t N, class F> void runWarps(unsigned Warps, F &&Body) {
  std::vector<LockStep> Steps(Warps);
  std::vector<std::thread> All;
  for (LockStep &S : Steps)
    for (uint32_t L = 0; L != N; ++L)
      All.emplace_back([&, L] {
        MyWarp = &S;
        MyLane = L;
        Body(uint32_t(&S - Steps.data()), L);
      });
  for (auto &T : All)
    T.join();
}

/// Answers with the mask until the client has enough.
void masks(xcc_rpc_port *Port, void *) {
  auto answer = [](void *Packet, uint32_t, void *Context) {
    uint64_t Mask = xcc_rpc_port_lanes(static_cast<xcc_rpc_port *>(Context));
    memcpy(Packet, &Mask, 8);
  };
  while (!xcc_rpc_recv_and_send(Port, answer, Port))
    ;
}

template <uint32_t N> void warps() {
  xcc_rpc_server_options O = {};
  O.ports = 3;
  O.lanes = N;
  O.patience_ms = 600'000;
  TestServer S(O);
  S.on(Add, addOne);
  S.on(Add + 1, echo);
  S.on(Add + 2, masks);
  auto C = S.client<Threads<N>>();
  // Such lanes do not wake a server, so this one does not sleep.
  std::atomic<bool> Stop{false};
  std::thread Serving([&] {
    while (!Stop) {
      xcc_rpc_server_handle(S, nullptr);
      std::this_thread::yield();
    }
  });
  runWarps<N>(2, [&](uint32_t W, uint32_t L) {
    for (uint64_t I = 0; I != 20; ++I) {
      ASSERT_EQ(callAdd(C, W * 1000 + L * 10 + I), W * 1000 + L * 10 + I + 1);
      // Halves of the warp on ports of their own.
      const uint64_t All = Threads<N>::active();
      const uint64_t Half =
          L % 2 ? All & 0xaaaaaaaaaaaaaaaa : All & 0x5555555555555555;
      std::string Sent((L * 37 + I * 11) % 300, char('a' + L % 26)), Got;
      auto Ended = C.open(Add + 1, Half)
                       .send_n([&](uint32_t) {
                         return Bytes{Sent.data(), Sent.size()};
                       })
                       .recv_n([&](uint32_t, uint64_t Size) {
                         Got.resize(Size);
                         return Got.data();
                       });
      ASSERT_TRUE(Ended.ok());
      ASSERT_EQ(Got, Sent);
      std::move(Ended).close();
      // Lanes leave one after the other; the first one first.
      uint64_t Mask = 0;
      auto read = [&](Packet &P, uint32_t) { Mask = number(P); };
      auto Port = C.open(Add + 2).send([](Packet &, uint32_t) {}).recv(read);
      ASSERT_EQ(Mask, All);
      for (uint32_t Least = 1; Least < N && Port; Least *= 4) {
        Port = std::move(Port).keep([=](uint32_t Me) { return Me >= Least; });
        if (!Port)
          continue;
        Port = std::move(Port).send([](Packet &, uint32_t) {}).recv(read);
        ASSERT_EQ(Mask, All >> Least << Least);
      }
    }
  });
  Stop = true;
  Serving.join();
}
TEST(Warp, Of32Lanes) { warps<32>(); }
TEST(Warp, Of64Lanes) { warps<64>(); }
} // namespace
