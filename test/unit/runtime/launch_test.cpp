// Kernels run, whole and in order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace xcc::test;

TEST(Launch, RunsEveryThreadOnce) {
  Unit U;
  xcc_kernel_info &K = U.kernel("increment", 8);
  for (uint32_t Grid : {1u, 2u, 3u, 17u, 1000u, 100000u}) {
    std::vector<uint32_t> Data(Grid * 4);
    uint32_t *Pointer = Data.data();
    ASSERT_EQ(launch(K, config(Grid, 4), Pointer), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_last_error();
    for (uint32_t Value : Data)
      ASSERT_EQ(Value, 1u);
  }
}

TEST(Launch, ThreeDimensions) {
  Unit U;
  std::vector<uint32_t> Data(3 * 5 * 7 * 2 * 3 * 4);
  uint32_t *Pointer = Data.data();
  xcc_launch_config C{{3, 5, 7}, {2, 3, 4}, 0, nullptr, nullptr, 0};
  ASSERT_EQ(launch(U.kernel("increment", 8), C, Pointer), XCC_SUCCESS);
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_EQ(std::accumulate(Data.begin(), Data.end(), 0u), Data.size());
}

TEST(Launch, KeepsStreamOrder) {
  Unit U;
  struct {
    uint32_t *List;
    uint32_t Value;
  } Args;
  std::vector<uint32_t> List(5001);
  for (uint32_t I = 0; I != 5000; ++I) {
    Args = {List.data(), I};
    ASSERT_EQ(launch(U.kernel("append", 16), config(1, 1), Args), XCC_SUCCESS);
  }
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  ASSERT_EQ(List[0], 5000u);
  for (uint32_t I = 0; I != 5000; ++I)
    ASSERT_EQ(List[I + 1], I);
}

TEST(Launch, MakesProgressWithoutSynchronising) {
  Unit U;
  uint32_t Counter = 0, *Pointer = &Counter;
  ASSERT_EQ(launch(U.kernel("count", 8), config(100, 1), Pointer), XCC_SUCCESS);
  while (__atomic_load_n(&Counter, __ATOMIC_RELAXED) != 100)
    std::this_thread::yield();
  xcc::synchronize();
}

TEST(Launch, ArgumentsLargerThanTheRing) {
  Unit U;
  struct {
    uint8_t Bytes[1000];
    uint32_t *Out;
  } Args;
  uint32_t Out = 0;
  for (int I = 0; I != 1000; ++I)
    Args.Bytes[I] = uint8_t(I);
  Args.Out = &Out;
  ASSERT_EQ(launch(U.kernel("big", 1008), config(1, 1), Args), XCC_SUCCESS);
  memset(Args.Bytes, 0, sizeof(Args.Bytes)); // the launch has copied them
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  uint32_t Sum = 0;
  for (int I = 0; I != 1000; ++I)
    Sum += uint8_t(I);
  EXPECT_EQ(Out, Sum);
}

TEST(Launch, GivesBlocksTheirMemory) {
  Unit U;
  uint64_t Out[4] = {}, *Pointer = Out;
  xcc_launch_config C = config(1, 1024);
  C.shared_bytes = XCC_CPU_MAX_SHARED - 128;
  ASSERT_EQ(launch(U.kernel("memory", 8), C, Pointer), XCC_SUCCESS)
      << xcc_last_error();
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_last_error();
  EXPECT_EQ(Out[0], 128u); // 100 bytes, rounded up
  EXPECT_EQ(Out[1], XCC_CPU_MAX_SHARED - 128);
  EXPECT_EQ(Out[2], 0u);
  EXPECT_EQ(Out[3], 0u);
}

TEST(Launch, FullQueueHoldsTheProducerBack) {
  Unit U;
  uint32_t Flag = 0, Counter = 0;
  uint32_t *FlagPointer = &Flag, *CounterPointer = &Counter;
  xcc::stream S;
  ASSERT_EQ(
      launch(U.kernel("wait_for", 8), config(1, 1, S.handle()), FlagPointer),
      XCC_SUCCESS);
  xcc_kernel_info &Count = U.kernel("count", 8);
  std::thread Producer([&] {
    for (int I = 0; I != 3000; ++I)
      EXPECT_EQ(launch(Count, config(1, 1, S.handle()), CounterPointer),
                XCC_SUCCESS);
  });
  __atomic_store_n(&Flag, 1, __ATOMIC_RELEASE);
  Producer.join();
  S.synchronize();
  EXPECT_EQ(Counter, 3000u);
}

TEST(Launch, ThirtyTwoThreads) {
  Unit U;
  xcc_kernel_info &Increment = U.kernel("increment", 8);
  std::vector<std::thread> Threads;
  for (int T = 0; T != 32; ++T)
    Threads.emplace_back([&, T] {
      std::vector<uint32_t> Data(64);
      uint32_t *Pointer = Data.data();
      xcc_stream *Own = nullptr;
      if (T % 2) {
        ASSERT_EQ(xcc_stream_create(&Own), XCC_SUCCESS);
      }
      for (uint32_t I = 1; I <= 200; ++I) {
        ASSERT_EQ(launch(Increment, config(16, 4, Own), Pointer), XCC_SUCCESS);
        if (I % 3)
          continue;
        ASSERT_EQ(xcc_stream_synchronize(Own), XCC_SUCCESS);
        for (uint32_t Value : Data)
          ASSERT_EQ(Value, I);
      }
      ASSERT_EQ(xcc_stream_synchronize(Own), XCC_SUCCESS);
      EXPECT_EQ(xcc_stream_destroy(Own), XCC_SUCCESS);
    });
  for (std::thread &T : Threads)
    T.join();
}

TEST(Launch, PrepareTellsTheKernelsNeeds) {
  Unit U;
  xcc_kernel_properties P;
  ASSERT_EQ(xcc_kernel_prepare(&U.kernel("memory", 8), &P), XCC_SUCCESS);
  EXPECT_EQ(P.shared_size, 128u);
  EXPECT_EQ(P.scratch_size, 48u);
  EXPECT_EQ(P.max_threads, XCC_CPU_MAX_BLOCK);
}

TEST(Unit, UnloadWaitsForItsKernels) {
  uint32_t Counter = 0, *Pointer = &Counter;
  {
    Unit U;
    for (int I = 0; I != 100; ++I)
      ASSERT_EQ(launch(U.kernel("count", 8), config(10, 1), Pointer),
                XCC_SUCCESS);
  }
  EXPECT_EQ(Counter, 1000u);
}

TEST(Unit, LaunchAfterUnloadIsAnError) {
  Unit U;
  ASSERT_EQ(launch(U.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  xcc_binary_unload(&U.Binary);
  EXPECT_EQ(launch(U.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_NE(std::string(xcc_last_error()).find("unloaded"), std::string::npos);
}

TEST(Unit, ManyUnitsOneAfterAnother) {
  for (int I = 0; I != 20; ++I) {
    Unit A, B;
    ASSERT_EQ(launch(A.kernel("nothing"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(launch(B.kernel("nothing"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  }
}
