// malloc and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <cerrno>
#include <thread>

using namespace xcc::test;

namespace {
using Malloc = Services;
bool isZero(const void *P, size_t Size) {
  for (size_t I = 0; I != Size; ++I)
    if (static_cast<const char *>(P)[I])
      return false;
  return true;
}
} // namespace

TEST_F(Malloc, Family) {
  auto *P = static_cast<char *>(dev_malloc(100));
  ASSERT_TRUE(P);
  EXPECT_GE(P, static_cast<char *>(HeapMemory));
  EXPECT_LT(P, static_cast<char *>(HeapMemory) + HeapSize);
  EXPECT_GE(dev_malloc_usable_size(P), 100u);
  memset(P, 'p', 100);
  P = static_cast<char *>(dev_realloc(P, 5000));
  EXPECT_EQ(std::string(P, 100), std::string(100, 'p'));
  P = static_cast<char *>(dev_realloc(P, 10));
  EXPECT_EQ(std::string(P, 10), std::string(10, 'p'));
  dev_free(P);
  dev_free(nullptr);
  P = static_cast<char *>(dev_realloc(nullptr, 8));
  ASSERT_TRUE(P);
  memset(P, 1, 8);
  dev_free(P);
  P = static_cast<char *>(dev_calloc(10, 30));
  EXPECT_TRUE(isZero(P, 300));
  dev_free(P);
  EXPECT_FALSE(dev_calloc(~size_t(0), 2));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);

  void *A = dev_aligned_alloc(256, 100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(A) % 256, 0u);
  dev_free(A);
  EXPECT_FALSE(dev_aligned_alloc(24, 100));
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  EXPECT_EQ(dev_posix_memalign(&A, 4096, 10), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(A) % 4096, 0u);
  dev_free(A);
  EXPECT_EQ(dev_posix_memalign(&A, 4, 10), EINVAL);

  char *S = dev_strdup("duplicate");
  EXPECT_STREQ(S, "duplicate");
  dev_free(S);
  S = dev_strndup("duplicate", 3);
  EXPECT_STREQ(S, "dup");
  dev_free(S);
}

TEST_F(Malloc, HostWhenTheHeapIsExhausted) {
  std::vector<void *> Blocks;
  const auto *Begin = static_cast<char *>(HeapMemory), *End = Begin + HeapSize;
  size_t Inside = 0;
  while (hostBlocks() < 5) {
    void *P = dev_malloc(1 << 20);
    ASSERT_TRUE(P);
    memset(P, 1, 1 << 20);
    Inside += P >= Begin && P < End;
    Blocks.push_back(P);
  }
  EXPECT_GE(Inside, 14u);
  // The host's blocks grow as others do.
  Blocks.back() = dev_realloc(Blocks.back(), 3 << 20);
  EXPECT_EQ(static_cast<char *>(Blocks.back())[(1 << 20) - 1], 1);
  for (void *P : Blocks)
    dev_free(P);
  EXPECT_EQ(hostBlocks(), 0u);
  EXPECT_FALSE(dev_malloc(size_t(1) << 62));
  EXPECT_FALSE(dev_malloc(~size_t(0)));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);
}

TEST_F(Malloc, NoHostMemoryEither) {
  start({.HeapSize = 0, .HostMemory = false});
  EXPECT_FALSE(dev_malloc(16));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);
}

TEST_F(Malloc, WhatIsLeftIsFreed) {
  start({.HeapSize = 0});
  for (int I = 0; I != 10; ++I)
    EXPECT_TRUE(dev_malloc(100));
  EXPECT_EQ(hostBlocks(), 10u);
  stop();
  EXPECT_EQ(hostBlocks(), 0u);
}

TEST_F(Malloc, BadFreesEndTheLaunch) {
  void *P = dev_malloc(64), *Q = dev_malloc(64);
  EXPECT_FALSE(onDevice([&] { dev_free(P); }).Did);
  Trapped T = onDevice([&] { dev_free(P); });
  EXPECT_TRUE(T.Did);
  EXPECT_EQ(T.Text, "free of what is not an allocated block");
  int Mine;
  EXPECT_TRUE(onDevice([&] { dev_free(&Mine); }).Did);
  EXPECT_TRUE(onDevice([&] { dev_realloc(&Mine, 100); }).Did);
  EXPECT_TRUE(onDevice([&] { dev_free(static_cast<char *>(Q) + 8); }).Did);
  EXPECT_FALSE(onDevice([&] { dev_free(Q); }).Did);
}

TEST_F(Malloc, Warps) {
  std::vector<std::thread> Warps;
  for (int W = 0; W != 3; ++W)
    Warps.emplace_back([] {
      onWarp(0xffff, [](uint32_t L) {
        for (int I = 0; I != 20; ++I) {
          auto *P = static_cast<unsigned char *>(dev_malloc(L * 100 + 1));
          ASSERT_TRUE(P);
          memset(P, int(L), L * 100 + 1);
          EXPECT_EQ(P[L * 100], L);
          dev_free(P);
        }
      });
    });
  for (std::thread &W : Warps)
    W.join();
}
