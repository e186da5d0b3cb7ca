// Kernels whose threads wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace xcc::test;

/// Launches a kernel that takes one pointer and waits for it.
static std::vector<uint32_t> run(const char *name, xcc_launch_config c) {
  Unit u;
  size_t size = 1;
  for (int i = 0; i != 3; ++i)
    size *= size_t(c.grid[i]) * c.block[i];
  std::vector<uint32_t> data(size);
  std::iota(data.begin(), data.end(), 0u);
  uint32_t *pointer = data.data();
  EXPECT_EQ(launch(u.kernel(name, 8), c, pointer), XCC_SUCCESS)
      << xcc_error_last();
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_error_last();
  return data;
}

TEST(Fibers, BlockBarrierOrdersSharedMemory) {
  for (uint32_t block : {1u, 2u, 31u, 32u, 33u, 256u, 1024u}) {
    std::vector<uint32_t> data = run("reverse", config(5, block));
    for (uint32_t i = 0; i != data.size(); ++i) {
      uint32_t b = i / block;
      ASSERT_EQ(data[i], b * block + block - 1 - i % block) << block;
    }
  }
}

TEST(Fibers, EndedThreadsDoNotHoldABarrierUp) {
  std::vector<uint32_t> data = run("early", config(3, 64));
  for (uint32_t i = 0; i != data.size(); ++i)
    ASSERT_EQ(data[i], i % 2 ? i : 0x55555555u);
}

TEST(Fibers, WarpBarrierPassesLanesAtABlockBarrier) {
  std::vector<uint32_t> data = run("warp", config(2, 80));
  for (uint32_t i = 0; i != data.size(); ++i) {
    uint32_t lane = i % 80 % 32, lanes = i % 80 >= 64 ? 16 : 32;
    uint32_t all = lanes == 32 ? ~0u : (1u << lanes) - 1;
    ASSERT_EQ(data[i], lane ? all & ~1u : 0u) << i;
  }
}

TEST(Fibers, LanesAtOnePositionMeet) {
  std::vector<uint32_t> data = run("meet", config(2, 32));
  for (uint32_t i = 0; i != 32; ++i) {
    EXPECT_EQ(data[i], 0x49249249u << i % 3 & (i % 3 == 2 ? 0x24924924u : ~0u));
    EXPECT_EQ(data[32 + i] / 11, i % 3) << i;
  }
}

TEST(Fibers, CurrentThreadIsTheCaller) {
  xcc_launch_config c{{2, 3, 2}, {4, 3, 5}, 0, nullptr, nullptr, 0};
  for (uint32_t value : run("where", c))
    ASSERT_EQ(value, 1u);
}

TEST(Fibers, BlockSizesMayChange) {
  Unit u;
  std::vector<uint32_t> data(1024);
  uint32_t *pointer = data.data();
  for (uint32_t block : {64u, 7u, 1024u, 32u, 100u}) {
    std::iota(data.begin(), data.end(), 0u);
    ASSERT_EQ(launch(u.kernel("reverse", 8), config(1, block), pointer),
              XCC_SUCCESS);
    xcc::synchronize();
    for (uint32_t i = 0; i != block; ++i)
      ASSERT_EQ(data[i], block - 1 - i);
  }
}
