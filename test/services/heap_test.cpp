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
  explicit Memory(size_t size, size_t shift = 0)
      : bytes(calloc(1, size + shift)),
        view(reinterpret_cast<uint64_t>(bytes) + shift, size) {}
  ~Memory() { free(bytes); }
  void *bytes;
  Heap view;
};
uint64_t addressOf(void *p) { return reinterpret_cast<uint64_t>(p); }
} // namespace

TEST(HeapTest, SizesAndAlignments) {
  Memory m(32 << 20, 48);
  std::map<uint64_t, uint64_t> blocks;
  uint32_t hint = 0;
  for (uint64_t alignment = 1; alignment <= 1 << 18; alignment *= 2)
    for (uint64_t size : {0, 1, 15, 16, 17, 100, 1000, 4096, 5000, 32768, 32769,
                          65536, 65537, 200000}) {
      void *p = m.view.allocate(size, alignment, hint++);
      ASSERT_TRUE(p) << size << ' ' << alignment;
      EXPECT_EQ(addressOf(p) % (alignment > 16 ? alignment : 16), 0u);
      EXPECT_GE(m.view.usable(p), size);
      memset(p, 0xee, m.view.usable(p));
      auto [at, fresh] = blocks.emplace(addressOf(p), m.view.usable(p));
      ASSERT_TRUE(fresh);
      if (auto after = std::next(at); after != blocks.end())
        EXPECT_LE(at->first + at->second, after->first);
      if (at != blocks.begin())
        EXPECT_LE(std::prev(at)->first + std::prev(at)->second, at->first);
    }
  for (auto &[at, size] : blocks)
    EXPECT_EQ(m.view.free(reinterpret_cast<void *>(at)), Heap::Freed::Done);
  EXPECT_EQ(m.view.used(), 0u);
}

TEST(HeapTest, ExhaustedAndAgain) {
  Memory m(4 << 20);
  for (uint64_t size : {16, 48, 5000, 40000, 300000}) {
    std::vector<void *> blocks[2];
    for (auto &round : blocks) {
      while (void *p = m.view.allocate(size, 16, 7))
        round.push_back(p);
      for (void *p : round)
        ASSERT_EQ(m.view.free(p), Heap::Freed::Done);
      EXPECT_EQ(m.view.used(), 0u);
    }
    EXPECT_EQ(blocks[0].size(), blocks[1].size());
    EXPECT_GT(blocks[0].size() * size, (4u << 20) / 2) << size;
  }
  EXPECT_FALSE(m.view.allocate(5 << 20, 16, 0));
  EXPECT_FALSE(m.view.allocate(~uint64_t(0), 16, 0));
  EXPECT_FALSE(m.view.allocate(~uint64_t(0) - 70000, 16, 0));
  EXPECT_FALSE(m.view.allocate(16, uint64_t(1) << 40, 0));
}

TEST(HeapTest, TooSmallToBeOne) {
  for (size_t size : {0, 100, 60000, 130000}) {
    Memory m(size ? size : 1);
    Heap h(addressOf(m.bytes), size);
    if (h.slabs() == 0)
      EXPECT_FALSE(h.allocate(16, 16, 0));
    EXPECT_NE(h.free(m.bytes), Heap::Freed::Done);
  }
  EXPECT_FALSE(Heap(0, 1 << 20).allocate(1, 1, 0));
}

TEST(HeapTest, BadFrees) {
  Memory m(4 << 20);
  char *small = static_cast<char *>(m.view.allocate(100, 16, 0));
  char *large = static_cast<char *>(m.view.allocate(100000, 16, 0));
  int mine;
  EXPECT_EQ(m.view.free(&mine), Heap::Freed::NotOurs);
  EXPECT_EQ(m.view.free(m.bytes), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(small + 16), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(small + 128), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(small + 1), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(large + 16), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(large + 65536), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(large), Heap::Freed::Done);
  EXPECT_EQ(m.view.free(large), Heap::Freed::Bad);
  // While the slab lives, a block's bit tells.
  void *other = m.view.allocate(100, 16, 0);
  EXPECT_EQ(m.view.free(small), Heap::Freed::Done);
  EXPECT_EQ(m.view.free(small), Heap::Freed::Bad);
  EXPECT_EQ(m.view.free(other), Heap::Freed::Done);
  EXPECT_EQ(m.view.free(other), Heap::Freed::Bad);
  EXPECT_EQ(m.view.used(), 0u);
}

/// Blocks that threads fill with their own pattern and hand to each other: an
/// overlap would show as a wrong byte, and as a race.
TEST(HeapTest, ManyThreads) {
  constexpr int threads = 64, steps = 1600;
  Memory m(64 << 20);
  struct Block {
    unsigned char *at = nullptr;
    uint64_t size = 0;
    unsigned char fill = 0;
  };
  std::vector<std::vector<Block>> left(threads);
  auto check = [](const Block &b) {
    for (uint64_t i = 0; i < b.size; i += i < 64 ? 1 : 997)
      ASSERT_EQ(b.at[i], b.fill);
  };
  auto run = [&](int t) {
    std::mt19937_64 random(t);
    std::vector<Block> &mine = left[t];
    for (int i = 0; i != steps; ++i) {
      if (mine.size() > 24 || (!mine.empty() && random() % 5 < 2)) {
        size_t which = random() % mine.size();
        Block b = mine[which];
        mine[which] = mine.back();
        mine.pop_back();
        check(b);
        ASSERT_EQ(m.view.free(b.at), Heap::Freed::Done);
        continue;
      }
      // Mostly small, some large.
      uint64_t size = uint64_t(1) << random() % (random() % 16 ? 11 : 17);
      size += random() % size;
      Block b{static_cast<unsigned char *>(
                  m.view.allocate(size, 16, uint32_t(random()))),
              size, (unsigned char)random()};
      if (!b.at)
        continue;
      memset(b.at, b.fill, size);
      mine.push_back(b);
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t != threads; ++t)
    all.emplace_back(run, t);
  for (std::thread &t : all)
    t.join();
  // No two of what is left overlap.
  std::map<uint64_t, uint64_t> live;
  for (auto &mine : left)
    for (Block &b : mine)
      ASSERT_TRUE(live.emplace(addressOf(b.at), b.size).second);
  uint64_t end = 0;
  for (auto &[at, size] : live) {
    ASSERT_GE(at, end);
    end = at + size;
  }
  for (auto &mine : left)
    for (Block &b : mine) {
      check(b);
      ASSERT_EQ(m.view.free(b.at), Heap::Freed::Done);
    }
  EXPECT_EQ(m.view.used(), 0u);
}

TEST(HeapTest, FullHeapWithManyThreads) {
  // Little room: slabs change their kind all the time.
  Memory m(600 << 10);
  std::vector<std::thread> all;
  for (int t = 0; t != 8; ++t)
    all.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i != 4000; ++i) {
        uint64_t size = uint64_t(16) << random() % 14;
        auto *p =
            static_cast<unsigned char *>(m.view.allocate(size, 16, random()));
        if (!p)
          continue;
        p[0] = p[size - 1] = (unsigned char)t;
        std::this_thread::yield();
        ASSERT_EQ(p[0], t);
        ASSERT_EQ(p[size - 1], t);
        ASSERT_EQ(m.view.free(p), Heap::Freed::Done);
      }
    });
  for (std::thread &t : all)
    t.join();
  EXPECT_EQ(m.view.used(), 0u);
}
