// Streams, events and copies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"
#include "xcc/host.h"

#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace xcc::test;

TEST(Stream, RunAtTheSameTime) {
  // Each stream's kernel waits for a flag that only the host sets after it saw
  // the other stream's work end.
  Unit u;
  xcc::stream a, b;
  uint32_t flag = 0, counter = 0, *flagP = &flag, *counterP = &counter;
  ASSERT_EQ(launch(u.kernel("wait_for", 8), config(1, 1, a.handle()), flagP),
            XCC_SUCCESS);
  ASSERT_EQ(launch(u.kernel("count", 8), config(10, 1, b.handle()), counterP),
            XCC_SUCCESS);
  b.synchronize();
  EXPECT_EQ(counter, 10u);
  EXPECT_FALSE(a.query());
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  a.synchronize();
  EXPECT_TRUE(a.query());
}

TEST(Stream, Move) {
  xcc::stream a, b;
  xcc_stream *handle = a.handle();
  b = std::move(a);
  EXPECT_EQ(b.handle(), handle);
  xcc::stream c(std::move(b));
  EXPECT_EQ(c.handle(), handle);
  c.synchronize();
}

TEST(Event, OrdersStreams) {
  Unit u;
  xcc_kernel_info &append = u.kernel("append", 16);
  struct {
    uint32_t *list;
    uint32_t value;
  } args;
  std::vector<uint32_t> list(2001);
  xcc::stream a, b;
  xcc::event atA, atB;
  for (uint32_t i = 0; i != 1000; ++i) {
    args = {list.data(), 2 * i};
    a.wait(atB);
    ASSERT_EQ(launch(append, config(1, 1, a.handle()), args), XCC_SUCCESS);
    atA.record(a);
    b.wait(atA);
    args.value = 2 * i + 1;
    ASSERT_EQ(launch(append, config(1, 1, b.handle()), args), XCC_SUCCESS);
    atB.record(b);
  }
  atB.synchronize();
  ASSERT_EQ(list[0], 2000u);
  for (uint32_t i = 0; i != 2000; ++i)
    ASSERT_EQ(list[i + 1], i);
}

TEST(Event, BlocksUntilRecorded) {
  Unit u;
  uint32_t flag = 0, counter = 0, *flagP = &flag, *counterP = &counter;
  xcc::stream a, b;
  xcc::event e;
  ASSERT_EQ(launch(u.kernel("wait_for", 8), config(1, 1, a.handle()), flagP),
            XCC_SUCCESS);
  e.record(a);
  b.wait(e);
  ASSERT_EQ(launch(u.kernel("count", 8), config(10, 1, b.handle()), counterP),
            XCC_SUCCESS);
  EXPECT_FALSE(e.query());
  EXPECT_FALSE(b.query());
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  b.synchronize();
  EXPECT_EQ(counter, 10u);
  EXPECT_TRUE(e.query());
}

TEST(Event, SynchroniseReportsTheStreamsFailure) {
  Unit u;
  xcc::stream s;
  xcc::event e;
  ASSERT_EQ(launch(u.kernel("bad_write"), config(1, 1, s.handle())),
            XCC_SUCCESS);
  e.record(s);
  EXPECT_THROW(e.synchronize(), xcc::error);
  e.synchronize();
}

TEST(Event, Elapsed) {
  xcc::event a, b;
  double time = -1;
  EXPECT_EQ(xcc_event_elapsed(a.handle(), b.handle(), &time),
            XCC_ERROR_INVALID_VALUE);
  a.record();
  b.record();
  EXPECT_GE(a.elapsed<std::chrono::microseconds>(b).count(), 0);
}

TEST(Event, NeverRecordedHoldsNothingUp) {
  xcc::stream s;
  xcc::event e;
  s.wait(e);
  s.synchronize();
  e.synchronize();
  EXPECT_TRUE(e.query());
}

TEST(Event, ManyDestroyedWhilePending) {
  Unit u;
  uint32_t flag = 0, *flagP = &flag;
  xcc::stream a, b;
  ASSERT_EQ(launch(u.kernel("wait_for", 8), config(1, 1, a.handle()), flagP),
            XCC_SUCCESS);
  for (int i = 0; i != 100; ++i) {
    xcc::event e;
    e.record(a);
    b.wait(e);
  }
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  b.synchronize();
}

TEST(Memory, CopiesOfEverySize) {
  for (size_t size : {1ul, 63ul, 4096ul, 262144ul, 262145ul, 3000001ul}) {
    std::vector<unsigned char> from(size), to(size);
    std::iota(from.begin(), from.end(), 1);
    xcc::buffer<unsigned char> b(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(b.data()) % 64, 0u);
    b.copy_from(from.data(), size);
    b.copy_to(to.data(), size);
    EXPECT_EQ(from, to);
    b.fill(7);
    b.copy_to(to.data(), size);
    EXPECT_EQ(to, std::vector<unsigned char>(size, 7));
  }
}

TEST(Memory, OverlappingCopy) {
  std::vector<uint32_t> data(500000);
  std::iota(data.begin(), data.end(), 0u);
  ASSERT_EQ(xcc_memory_copy(&data[1], &data[0], (data.size() - 1) * 4),
            XCC_SUCCESS);
  for (uint32_t i = 1; i != data.size(); ++i)
    ASSERT_EQ(data[i], i - 1);
}

TEST(Memory, CopiesWaitForAllStreams) {
  Unit u;
  xcc::buffer<uint32_t> b(1 << 16);
  b.fill(0);
  xcc::stream s;
  uint32_t *pointer = b.data();
  for (int i = 0; i != 10; ++i)
    ASSERT_EQ(launch(u.kernel("increment", 8), config(1 << 14, 4, s.handle()),
                     pointer),
              XCC_SUCCESS);
  std::vector<uint32_t> out(b.size());
  b.copy_to(out.data(), out.size());
  EXPECT_EQ(out, std::vector<uint32_t>(b.size(), 10));
}

TEST(Memory, AsynchronousCopiesKeepOrder) {
  Unit u;
  xcc::stream s;
  std::vector<uint32_t> in(1 << 18, 5), out(1 << 18);
  xcc::buffer<uint32_t> b(in.size());
  size_t bytes = in.size() * 4;
  uint32_t *pointer = b.data();
  ASSERT_EQ(xcc_memory_copy_async(b.data(), in.data(), bytes, s.handle()),
            XCC_SUCCESS);
  ASSERT_EQ(
      launch(u.kernel("increment", 8), config(1 << 16, 4, s.handle()), pointer),
      XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_copy_async(out.data(), b.data(), bytes, s.handle()),
            XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_fill_async(b.data(), 0, bytes, s.handle()), XCC_SUCCESS);
  s.synchronize();
  EXPECT_EQ(out, std::vector<uint32_t>(in.size(), 6));
}

TEST(Memory, BadRangesAreErrors) {
  xcc::buffer<uint32_t> b(100);
  std::vector<uint32_t> host(200);
  EXPECT_EQ(xcc_memory_copy(b.data(), host.data(), 404),
            XCC_ERROR_INVALID_VALUE);
  EXPECT_NE(strstr(xcc_error_last(), "past the end of an allocation of 400"),
            nullptr);
  EXPECT_EQ(xcc_memory_copy(nullptr, host.data(), 4), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_copy(b.data(), nullptr, 4), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_fill(b.data() + 99, 0, 8), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_copy(nullptr, nullptr, 0), XCC_SUCCESS);
  EXPECT_EQ(xcc_memory_free(host.data()), XCC_ERROR_INVALID_VALUE);
  EXPECT_EQ(xcc_memory_free(nullptr), XCC_SUCCESS);
}

TEST(Memory, RunsOut) {
  void *pointer = &pointer;
  EXPECT_EQ(xcc_memory_alloc(SIZE_MAX / 2, &pointer), XCC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_THROW(xcc::buffer<double>(SIZE_MAX / 4), xcc::error);
}

TEST(Memory, LargeBlocksStayInThePool) {
  const auto device = xcc::device::current();
  const uint64_t limit = device.pool().limit;
  if (!limit)
    GTEST_SKIP() << "a sanitizer sees freed memory";
  const auto freed = [](size_t bytes) {
    void *p = nullptr;
    EXPECT_EQ(xcc_memory_alloc_async(bytes, nullptr, &p), XCC_SUCCESS);
    EXPECT_EQ(xcc_memory_free_async(p, nullptr), XCC_SUCCESS);
    EXPECT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
    return p;
  };
  device.trim_pool();
  void *const block = freed(1 << 20);
  EXPECT_EQ(device.pool().kept, 1u << 20);
  EXPECT_EQ(freed((1 << 20) - 1000), block); // the best that fits
  freed(16);                                 // small: the C library's
  EXPECT_EQ(device.pool().kept, 1u << 20);
  freed(4 << 20); // too large for the block that is kept
  EXPECT_EQ(device.pool().kept, 5u << 20);
  device.trim_pool(4 << 20); // the oldest goes
  EXPECT_EQ(device.pool().kept, 4u << 20);
  device.set_pool_limit(0);
  EXPECT_EQ(device.pool().kept, 0u);
  freed(1 << 20);
  EXPECT_EQ(device.pool().kept, 0u);
  device.set_pool_limit(limit);
  EXPECT_EQ(device.pool().limit, limit);
}
