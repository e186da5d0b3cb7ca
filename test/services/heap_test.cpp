// The device's heap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device-runtime/rpc/heap.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using xcc::device::Heap;

namespace {
struct Memory {
  explicit Memory(size_t Size, size_t Shift = 0)
      : Bytes(calloc(1, Size + Shift)),
        View(reinterpret_cast<uint64_t>(Bytes) + Shift, Size) {}
  ~Memory() { free(Bytes); }
  void *Bytes;
  Heap View;
};
uint64_t addressOf(void *P) { return reinterpret_cast<uint64_t>(P); }
} // namespace

TEST(HeapTest, SizesAndAlignments) {
  Memory M(32 << 20, 48);
  std::map<uint64_t, uint64_t> Blocks;
  uint32_t Hint = 0;
  for (uint64_t Alignment = 1; Alignment <= 1 << 18; Alignment *= 2)
    for (uint64_t Size : {0, 1, 15, 16, 17, 100, 1000, 4096, 5000, 32768, 32769,
                          65536, 65537, 200000}) {
      void *P = M.View.allocate(Size, Alignment, Hint++);
      ASSERT_TRUE(P) << Size << ' ' << Alignment;
      EXPECT_EQ(addressOf(P) % (Alignment > 16 ? Alignment : 16), 0u);
      EXPECT_GE(M.View.usable(P), Size);
      memset(P, 0xee, M.View.usable(P));
      auto [At, New] = Blocks.emplace(addressOf(P), M.View.usable(P));
      ASSERT_TRUE(New);
      if (auto After = std::next(At); After != Blocks.end())
        EXPECT_LE(At->first + At->second, After->first);
      if (At != Blocks.begin())
        EXPECT_LE(std::prev(At)->first + std::prev(At)->second, At->first);
    }
  for (auto &[At, Size] : Blocks)
    EXPECT_EQ(M.View.free(reinterpret_cast<void *>(At)), Heap::Freed::Done);
  EXPECT_EQ(M.View.used(), 0u);
}

TEST(HeapTest, ExhaustedAndAgain) {
  Memory M(4 << 20);
  for (uint64_t Size : {16, 48, 5000, 40000, 300000}) {
    std::vector<void *> Blocks[2];
    for (auto &Round : Blocks) {
      while (void *P = M.View.allocate(Size, 16, 7))
        Round.push_back(P);
      for (void *P : Round)
        ASSERT_EQ(M.View.free(P), Heap::Freed::Done);
      EXPECT_EQ(M.View.used(), 0u);
    }
    EXPECT_EQ(Blocks[0].size(), Blocks[1].size());
    EXPECT_GT(Blocks[0].size() * Size, (4u << 20) / 2) << Size;
  }
  EXPECT_FALSE(M.View.allocate(5 << 20, 16, 0));
  EXPECT_FALSE(M.View.allocate(~uint64_t(0), 16, 0));
  EXPECT_FALSE(M.View.allocate(~uint64_t(0) - 70000, 16, 0));
  EXPECT_FALSE(M.View.allocate(16, uint64_t(1) << 40, 0));
}

TEST(HeapTest, TooSmallToBeOne) {
  for (size_t Size : {0, 100, 60000, 130000}) {
    Memory M(Size ? Size : 1);
    Heap H(addressOf(M.Bytes), Size);
    if (H.slabs() == 0)
      EXPECT_FALSE(H.allocate(16, 16, 0));
    EXPECT_NE(H.free(M.Bytes), Heap::Freed::Done);
  }
  EXPECT_FALSE(Heap(0, 1 << 20).allocate(1, 1, 0));
}

TEST(HeapTest, BadFrees) {
  Memory M(4 << 20);
  char *Small = static_cast<char *>(M.View.allocate(100, 16, 0));
  char *Large = static_cast<char *>(M.View.allocate(100000, 16, 0));
  int Mine;
  EXPECT_EQ(M.View.free(&Mine), Heap::Freed::NotOurs);
  EXPECT_EQ(M.View.free(M.Bytes), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Small + 16), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Small + 128), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Small + 1), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Large + 16), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Large + 65536), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Large), Heap::Freed::Done);
  EXPECT_EQ(M.View.free(Large), Heap::Freed::Bad);
  // While the slab lives, a block's bit tells.
  void *Other = M.View.allocate(100, 16, 0);
  EXPECT_EQ(M.View.free(Small), Heap::Freed::Done);
  EXPECT_EQ(M.View.free(Small), Heap::Freed::Bad);
  EXPECT_EQ(M.View.free(Other), Heap::Freed::Done);
  EXPECT_EQ(M.View.free(Other), Heap::Freed::Bad);
  EXPECT_EQ(M.View.used(), 0u);
}

/// Blocks that threads fill with their own pattern and hand to each other: an
/// overlap would show as a wrong byte, and as a race.
TEST(HeapTest, ManyThreads) {
  constexpr int Threads = 64, Steps = 1600;
  Memory M(64 << 20);
  struct Block {
    unsigned char *At = nullptr;
    uint64_t Size = 0;
    unsigned char Fill = 0;
  };
  std::vector<std::vector<Block>> Left(Threads);
  auto check = [](const Block &B) {
    for (uint64_t I = 0; I < B.Size; I += I < 64 ? 1 : 997)
      ASSERT_EQ(B.At[I], B.Fill);
  };
  auto run = [&](int T) {
    std::mt19937_64 Random(T);
    std::vector<Block> &Mine = Left[T];
    for (int I = 0; I != Steps; ++I) {
      if (Mine.size() > 24 || (!Mine.empty() && Random() % 5 < 2)) {
        size_t Which = Random() % Mine.size();
        Block B = Mine[Which];
        Mine[Which] = Mine.back();
        Mine.pop_back();
        check(B);
        ASSERT_EQ(M.View.free(B.At), Heap::Freed::Done);
        continue;
      }
      // Mostly small, some large.
      uint64_t Size = uint64_t(1) << Random() % (Random() % 16 ? 11 : 17);
      Size += Random() % Size;
      Block B{static_cast<unsigned char *>(
                  M.View.allocate(Size, 16, uint32_t(Random()))),
              Size, (unsigned char)Random()};
      if (!B.At)
        continue;
      memset(B.At, B.Fill, Size);
      Mine.push_back(B);
    }
  };
  std::vector<std::thread> All;
  for (int T = 0; T != Threads; ++T)
    All.emplace_back(run, T);
  for (std::thread &T : All)
    T.join();
  // No two of what is left overlap.
  std::map<uint64_t, uint64_t> Live;
  for (auto &Mine : Left)
    for (Block &B : Mine)
      ASSERT_TRUE(Live.emplace(addressOf(B.At), B.Size).second);
  uint64_t End = 0;
  for (auto &[At, Size] : Live) {
    ASSERT_GE(At, End);
    End = At + Size;
  }
  for (auto &Mine : Left)
    for (Block &B : Mine) {
      check(B);
      ASSERT_EQ(M.View.free(B.At), Heap::Freed::Done);
    }
  EXPECT_EQ(M.View.used(), 0u);
}

TEST(HeapTest, FullHeapWithManyThreads) {
  // Little room: slabs change their kind all the time.
  Memory M(600 << 10);
  std::vector<std::thread> All;
  for (int T = 0; T != 8; ++T)
    All.emplace_back([&, T] {
      std::mt19937 Random(T);
      for (int I = 0; I != 4000; ++I) {
        uint64_t Size = uint64_t(16) << Random() % 14;
        auto *P =
            static_cast<unsigned char *>(M.View.allocate(Size, 16, Random()));
        if (!P)
          continue;
        P[0] = P[Size - 1] = (unsigned char)T;
        std::this_thread::yield();
        ASSERT_EQ(P[0], T);
        ASSERT_EQ(P[Size - 1], T);
        ASSERT_EQ(M.View.free(P), Heap::Freed::Done);
      }
    });
  for (std::thread &T : All)
    T.join();
  EXPECT_EQ(M.View.used(), 0u);
}
