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
bool isZero(const void *p, size_t size) {
  for (size_t i = 0; i != size; ++i)
    if (static_cast<const char *>(p)[i])
      return false;
  return true;
}
} // namespace

TEST_F(Malloc, Family) {
  auto *p = static_cast<char *>(dev_malloc(100));
  ASSERT_TRUE(p);
  EXPECT_GE(p, static_cast<char *>(heapMemory));
  EXPECT_LT(p, static_cast<char *>(heapMemory) + heapSize);
  EXPECT_GE(dev_malloc_usable_size(p), 100u);
  memset(p, 'p', 100);
  p = static_cast<char *>(dev_realloc(p, 5000));
  EXPECT_EQ(std::string(p, 100), std::string(100, 'p'));
  p = static_cast<char *>(dev_realloc(p, 10));
  EXPECT_EQ(std::string(p, 10), std::string(10, 'p'));
  dev_free(p);
  dev_free(nullptr);
  p = static_cast<char *>(dev_realloc(nullptr, 8));
  ASSERT_TRUE(p);
  memset(p, 1, 8);
  dev_free(p);
  p = static_cast<char *>(dev_calloc(10, 30));
  EXPECT_TRUE(isZero(p, 300));
  dev_free(p);
  EXPECT_FALSE(dev_calloc(~size_t(0), 2));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);

  void *a = dev_aligned_alloc(256, 100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
  dev_free(a);
  EXPECT_FALSE(dev_aligned_alloc(24, 100));
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  EXPECT_EQ(dev_posix_memalign(&a, 4096, 10), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 4096, 0u);
  dev_free(a);
  EXPECT_EQ(dev_posix_memalign(&a, 4, 10), EINVAL);

  char *s = dev_strdup("duplicate");
  EXPECT_STREQ(s, "duplicate");
  dev_free(s);
  s = dev_strndup("duplicate", 3);
  EXPECT_STREQ(s, "dup");
  dev_free(s);
}

TEST_F(Malloc, HostWhenTheHeapIsExhausted) {
  std::vector<void *> blocks;
  const auto *begin = static_cast<char *>(heapMemory), *end = begin + heapSize;
  size_t inside = 0;
  while (hostBlocks() < 5) {
    void *p = dev_malloc(1 << 20);
    ASSERT_TRUE(p);
    memset(p, 1, 1 << 20);
    inside += p >= begin && p < end;
    blocks.push_back(p);
  }
  EXPECT_GE(inside, 14u);
  // The host's blocks grow as others do.
  blocks.back() = dev_realloc(blocks.back(), 3 << 20);
  EXPECT_EQ(static_cast<char *>(blocks.back())[(1 << 20) - 1], 1);
  for (void *p : blocks)
    dev_free(p);
  EXPECT_EQ(hostBlocks(), 0u);
  EXPECT_FALSE(dev_malloc(size_t(1) << 62));
  EXPECT_FALSE(dev_malloc(~size_t(0)));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);
}

TEST_F(Malloc, NoHostMemoryEither) {
  start({.heapSize = 0, .hostMemory = false});
  EXPECT_FALSE(dev_malloc(16));
  EXPECT_EQ(*dev_errno_location(), ENOMEM);
}

TEST_F(Malloc, WhatIsLeftIsFreed) {
  start({.heapSize = 0});
  for (int i = 0; i != 10; ++i)
    EXPECT_TRUE(dev_malloc(100));
  EXPECT_EQ(hostBlocks(), 10u);
  stop();
  EXPECT_EQ(hostBlocks(), 0u);
}

TEST_F(Malloc, BadFreesEndTheLaunch) {
  void *p = dev_malloc(64), *q = dev_malloc(64);
  EXPECT_FALSE(onDevice([&] { dev_free(p); }).did);
  Trapped t = onDevice([&] { dev_free(p); });
  EXPECT_TRUE(t.did);
  EXPECT_EQ(t.text, "free of what is not an allocated block");
  int mine;
  EXPECT_TRUE(onDevice([&] { dev_free(&mine); }).did);
  EXPECT_TRUE(onDevice([&] { dev_realloc(&mine, 100); }).did);
  EXPECT_TRUE(onDevice([&] { dev_free(static_cast<char *>(q) + 8); }).did);
  EXPECT_FALSE(onDevice([&] { dev_free(q); }).did);
}

TEST_F(Malloc, Warps) {
  std::vector<std::thread> warps;
  for (int w = 0; w != 3; ++w)
    warps.emplace_back([] {
      onWarp(0xffff, [](uint32_t l) {
        for (int i = 0; i != 20; ++i) {
          auto *p = static_cast<unsigned char *>(dev_malloc(l * 100 + 1));
          ASSERT_TRUE(p);
          memset(p, int(l), l * 100 + 1);
          EXPECT_EQ(p[l * 100], l);
          dev_free(p);
        }
      });
    });
  for (std::thread &w : warps)
    w.join();
}
