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
static std::vector<uint32_t> run(const char *Name, xcc_launch_config C) {
  Unit U;
  size_t Size = 1;
  for (int I = 0; I != 3; ++I)
    Size *= size_t(C.grid[I]) * C.block[I];
  std::vector<uint32_t> Data(Size);
  std::iota(Data.begin(), Data.end(), 0u);
  uint32_t *Pointer = Data.data();
  EXPECT_EQ(launch(U.kernel(Name, 8), C, Pointer), XCC_SUCCESS)
      << xcc_last_error();
  EXPECT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_last_error();
  return Data;
}

TEST(Fibers, BlockBarrierOrdersSharedMemory) {
  for (uint32_t Block : {1u, 2u, 31u, 32u, 33u, 256u, 1024u}) {
    std::vector<uint32_t> Data = run("reverse", config(5, Block));
    for (uint32_t I = 0; I != Data.size(); ++I) {
      uint32_t B = I / Block;
      ASSERT_EQ(Data[I], B * Block + Block - 1 - I % Block) << Block;
    }
  }
}

TEST(Fibers, EndedThreadsDoNotHoldABarrierUp) {
  std::vector<uint32_t> Data = run("early", config(3, 64));
  for (uint32_t I = 0; I != Data.size(); ++I)
    ASSERT_EQ(Data[I], I % 2 ? I : 0x55555555u);
}

TEST(Fibers, WarpBarrierPassesLanesAtABlockBarrier) {
  std::vector<uint32_t> Data = run("warp", config(2, 80));
  for (uint32_t I = 0; I != Data.size(); ++I) {
    uint32_t Lane = I % 80 % 32, Lanes = I % 80 >= 64 ? 16 : 32;
    uint32_t All = Lanes == 32 ? ~0u : (1u << Lanes) - 1;
    ASSERT_EQ(Data[I], Lane ? All & ~1u : 0u) << I;
  }
}

TEST(Fibers, LanesAtOnePositionMeet) {
  std::vector<uint32_t> Data = run("meet", config(2, 32));
  for (uint32_t I = 0; I != 32; ++I) {
    EXPECT_EQ(Data[I], 0x49249249u << I % 3 & (I % 3 == 2 ? 0x24924924u : ~0u));
    EXPECT_EQ(Data[32 + I] / 11, I % 3) << I;
  }
}

TEST(Fibers, CurrentThreadIsTheCaller) {
  xcc_launch_config C{{2, 3, 2}, {4, 3, 5}, 0, nullptr, nullptr, 0};
  for (uint32_t Value : run("where", C))
    ASSERT_EQ(Value, 1u);
}

TEST(Fibers, BlockSizesMayChange) {
  Unit U;
  std::vector<uint32_t> Data(1024);
  uint32_t *Pointer = Data.data();
  for (uint32_t Block : {64u, 7u, 1024u, 32u, 100u}) {
    std::iota(Data.begin(), Data.end(), 0u);
    ASSERT_EQ(launch(U.kernel("reverse", 8), config(1, Block), Pointer),
              XCC_SUCCESS);
    xcc::synchronize();
    for (uint32_t I = 0; I != Block; ++I)
      ASSERT_EQ(Data[I], Block - 1 - I);
  }
}
