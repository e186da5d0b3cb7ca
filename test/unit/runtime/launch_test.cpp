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
  Unit u;
  xcc_kernel_info &k = u.kernel("increment", 8);
  for (uint32_t grid : {1u, 2u, 3u, 17u, 1000u, 100000u}) {
    std::vector<uint32_t> data(grid * 4);
    uint32_t *pointer = data.data();
    ASSERT_EQ(launch(k, config(grid, 4), pointer), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_error_last();
    for (uint32_t value : data)
      ASSERT_EQ(value, 1u);
  }
}

TEST(Launch, ThreeDimensions) {
  Unit u;
  std::vector<uint32_t> data(3 * 5 * 7 * 2 * 3 * 4);
  uint32_t *pointer = data.data();
  xcc_launch_config c{{3, 5, 7}, {2, 3, 4}, 0, nullptr, nullptr, 0};
  ASSERT_EQ(launch(u.kernel("increment", 8), c, pointer), XCC_SUCCESS);
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0u), data.size());
}

TEST(Launch, KeepsStreamOrder) {
  Unit u;
  struct {
    uint32_t *list;
    uint32_t value;
  } args;
  std::vector<uint32_t> list(5001);
  for (uint32_t i = 0; i != 5000; ++i) {
    args = {list.data(), i};
    ASSERT_EQ(launch(u.kernel("append", 16), config(1, 1), args), XCC_SUCCESS);
  }
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  ASSERT_EQ(list[0], 5000u);
  for (uint32_t i = 0; i != 5000; ++i)
    ASSERT_EQ(list[i + 1], i);
}

TEST(Launch, MakesProgressWithoutSynchronising) {
  Unit u;
  uint32_t counter = 0, *pointer = &counter;
  ASSERT_EQ(launch(u.kernel("count", 8), config(100, 1), pointer), XCC_SUCCESS);
  while (__atomic_load_n(&counter, __ATOMIC_RELAXED) != 100)
    std::this_thread::yield();
  xcc::synchronize();
}

TEST(Launch, ArgumentsLargerThanTheRing) {
  Unit u;
  struct {
    uint8_t bytes[1000];
    uint32_t *out;
  } args;
  uint32_t out = 0;
  for (int i = 0; i != 1000; ++i)
    args.bytes[i] = uint8_t(i);
  args.out = &out;
  ASSERT_EQ(launch(u.kernel("big", 1008), config(1, 1), args), XCC_SUCCESS);
  memset(args.bytes, 0, sizeof(args.bytes)); // the launch has copied them
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  uint32_t sum = 0;
  for (int i = 0; i != 1000; ++i)
    sum += uint8_t(i);
  EXPECT_EQ(out, sum);
}

TEST(Launch, GivesBlocksTheirMemory) {
  Unit u;
  uint64_t out[4] = {}, *pointer = out;
  xcc_launch_config c = config(1, 1024);
  c.shared_bytes = XCC_CPU_MAX_SHARED - 128;
  ASSERT_EQ(launch(u.kernel("memory", 8), c, pointer), XCC_SUCCESS)
      << xcc_error_last();
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(out[0], 128u); // 100 bytes, rounded up
  EXPECT_EQ(out[1], XCC_CPU_MAX_SHARED - 128);
  EXPECT_EQ(out[2], 0u);
  EXPECT_EQ(out[3], 0u);
}

TEST(Launch, FullQueueHoldsTheProducerBack) {
  Unit u;
  uint32_t flag = 0, counter = 0;
  uint32_t *flagPointer = &flag, *counterPointer = &counter;
  xcc::stream s;
  ASSERT_EQ(
      launch(u.kernel("wait_for", 8), config(1, 1, s.handle()), flagPointer),
      XCC_SUCCESS);
  xcc_kernel_info &count = u.kernel("count", 8);
  std::thread producer([&] {
    for (int i = 0; i != 3000; ++i)
      EXPECT_EQ(launch(count, config(1, 1, s.handle()), counterPointer),
                XCC_SUCCESS);
  });
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  producer.join();
  s.synchronize();
  EXPECT_EQ(counter, 3000u);
}

TEST(Launch, ThirtyTwoThreads) {
  Unit u;
  xcc_kernel_info &increment = u.kernel("increment", 8);
  std::vector<std::thread> threads;
  for (int t = 0; t != 32; ++t)
    threads.emplace_back([&, t] {
      std::vector<uint32_t> data(64);
      uint32_t *pointer = data.data();
      xcc_stream *own = nullptr;
      if (t % 2) {
        ASSERT_EQ(xcc_stream_create(&own), XCC_SUCCESS);
      }
      for (uint32_t i = 1; i <= 200; ++i) {
        ASSERT_EQ(launch(increment, config(16, 4, own), pointer), XCC_SUCCESS);
        if (i % 3)
          continue;
        ASSERT_EQ(xcc_stream_synchronize(own), XCC_SUCCESS);
        for (uint32_t value : data)
          ASSERT_EQ(value, i);
      }
      ASSERT_EQ(xcc_stream_synchronize(own), XCC_SUCCESS);
      EXPECT_EQ(xcc_stream_destroy(own), XCC_SUCCESS);
    });
  for (std::thread &t : threads)
    t.join();
}

TEST(Launch, PrepareTellsTheKernelsNeeds) {
  Unit u;
  xcc_kernel_properties p;
  ASSERT_EQ(xcc_kernel_prepare(&u.kernel("memory", 8), &p), XCC_SUCCESS);
  EXPECT_EQ(p.shared_size, 128u);
  EXPECT_EQ(p.scratch_size, 48u);
  EXPECT_EQ(p.max_threads, XCC_CPU_MAX_BLOCK);
}

TEST(Unit, UnloadWaitsForItsKernels) {
  uint32_t counter = 0, *pointer = &counter;
  {
    Unit u;
    for (int i = 0; i != 100; ++i)
      ASSERT_EQ(launch(u.kernel("count", 8), config(10, 1), pointer),
                XCC_SUCCESS);
  }
  EXPECT_EQ(counter, 1000u);
}

TEST(Unit, LaunchAfterUnloadIsAnError) {
  Unit u;
  ASSERT_EQ(launch(u.kernel("nothing"), config(1, 1)), XCC_SUCCESS);
  xcc_binary_unload(&u.binary);
  EXPECT_EQ(launch(u.kernel("nothing"), config(1, 1)),
            XCC_ERROR_INVALID_KERNEL);
  EXPECT_NE(std::string(xcc_error_last()).find("unloaded"), std::string::npos);
}

TEST(Unit, ManyUnitsOneAfterAnother) {
  for (int i = 0; i != 20; ++i) {
    Unit a, b;
    ASSERT_EQ(launch(a.kernel("nothing"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(launch(b.kernel("nothing"), config(3, 1)), XCC_SUCCESS);
    ASSERT_EQ(xcc_device_synchronize(0), XCC_SUCCESS);
  }
}
