// What launches refer to is mapped where a device has memory of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits are written by hand: no compiler of ours is there.

#include "separate.h"
#include "unit.h"
#include "xcc/host.h"

#include <gtest/gtest.h>
#include <vector>

using namespace xcc::test;

namespace {

/// Begins a launch with one address of so many bytes.
xcc_mapping *begin(xcc_kernel_info &k, void *&argument, size_t bytes,
                   uint32_t flags = 0, xcc_stream *stream = nullptr) {
  static xcc_launch_config c;
  c = config(1, 4, stream);
  xcc_mapping *m = nullptr;
  EXPECT_EQ(xcc_launch_begin(&k, &c, &argument, sizeof(argument), &m),
            XCC_SUCCESS)
      << xcc_error_last();
  xcc_mapping_enter(m, "list", 0);
  EXPECT_EQ(xcc_mapping_range(m, argument, bytes, bytes, flags), 1);
  EXPECT_EQ(xcc_mapping_range(m, argument, bytes, bytes, flags), 0);
  xcc_mapping_address(m, &argument, XCC_ADDRESS_POINTER);
  xcc_mapping_leave(m);
  return m;
}

} // namespace

#define MAPPING_TEST(name)                                                     \
  static void run##name();                                                     \
  TEST(Mapping, name) { inSeparateChild("1", run##name); }                     \
  static void run##name()

MAPPING_TEST(GoesThereAndBack) {
  Unit u;
  std::vector<uint32_t> data{1, 2, 3, 4};
  void *argument = data.data();
  xcc_mapping *m = begin(u.kernel("increment", 8), argument, 16);
  ASSERT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(data[0], 1u) << "not before the synchronisation";
  EXPECT_EQ(argument, data.data());
  ASSERT_EQ(xcc_stream_synchronize(nullptr), XCC_SUCCESS);
  EXPECT_EQ(data, (std::vector<uint32_t>{2, 3, 4, 5}));
}

MAPPING_TEST(StaysBetweenLaunches) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  for (int i = 0; i != 10; ++i) {
    ASSERT_EQ(xcc_mapping_launch(begin(u.kernel("increment", 8), argument, 16)),
              XCC_SUCCESS);
    // In flight, so that the host's copy is as it was.
    EXPECT_EQ(data[3], 0u);
  }
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_EQ(data[3], 10u);
}

MAPPING_TEST(InOnlyDoesNotComeBack) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  ASSERT_EQ(xcc_mapping_launch(
                begin(u.kernel("increment", 8), argument, 16, XCC_MAP_IN)),
            XCC_SUCCESS);
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS);
  EXPECT_EQ(data[0], 0u);
}

MAPPING_TEST(EventsAndQueriesSettle) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc::stream s;
  xcc::event e;
  ASSERT_EQ(xcc_mapping_launch(
                begin(u.kernel("increment", 8), argument, 16, 0, s.handle())),
            XCC_SUCCESS);
  e.record(s);
  e.synchronize();
  EXPECT_EQ(data[0], 1u);
  ASSERT_EQ(xcc_mapping_launch(
                begin(u.kernel("increment", 8), argument, 16, 0, s.handle())),
            XCC_SUCCESS);
  while (!s.query())
    ;
  EXPECT_EQ(data[0], 2u);
}

MAPPING_TEST(AnEventBeforeTheLaunchDoesNot) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc::event e;
  e.record();
  ASSERT_EQ(xcc_mapping_launch(begin(u.kernel("increment", 8), argument, 16)),
            XCC_SUCCESS);
  e.synchronize();
  EXPECT_EQ(data[0], 0u);
  xcc::synchronize();
  EXPECT_EQ(data[0], 1u);
}

MAPPING_TEST(StreamsTakeTurns) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc::stream s, t;
  for (xcc_stream *on : {s.handle(), t.handle(), s.handle(), t.handle()})
    ASSERT_EQ(xcc_mapping_launch(
                  begin(u.kernel("increment", 8), argument, 16, 0, on)),
              XCC_SUCCESS);
  t.synchronize();
  s.synchronize();
  EXPECT_EQ(data[0], 4u);
}

MAPPING_TEST(WaitingForAnEventIsWaitingForBoth) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc::stream s, t;
  xcc::event e;
  ASSERT_EQ(xcc_mapping_launch(
                begin(u.kernel("increment", 8), argument, 16, 0, s.handle())),
            XCC_SUCCESS);
  e.record(s);
  t.wait(e);
  t.synchronize();
  EXPECT_EQ(data[0], 1u);
}

MAPPING_TEST(PartsAndUnions) {
  Unit u;
  std::vector<uint32_t> data(8, 1);
  void *half = data.data(), *all = data.data();
  ASSERT_EQ(xcc_mapping_launch(begin(u.kernel("increment", 8), half, 16)),
            XCC_SUCCESS);
  // More of the same: what is in flight comes back first.
  ASSERT_EQ(xcc_mapping_launch(begin(u.kernel("increment", 8), all, 32)),
            XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(data, (std::vector<uint32_t>{3, 3, 3, 3, 1, 1, 1, 1}));
}

MAPPING_TEST(CopiesSeeWhatKernelsWrote) {
  Unit u;
  std::vector<uint32_t> data(4);
  uint32_t copy[4] = {};
  void *argument = data.data();
  ASSERT_EQ(xcc_mapping_launch(begin(u.kernel("increment", 8), argument, 16)),
            XCC_SUCCESS);
  ASSERT_EQ(xcc_memory_copy_async(copy, data.data(), 16, nullptr), XCC_SUCCESS);
  xcc::synchronize();
  EXPECT_EQ(copy[0], 1u);
}

MAPPING_TEST(UnmappedMemoryIsAnError) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc_launch_config c = config(1, 4);
  xcc_mapping *m = nullptr;
  ASSERT_EQ(xcc_launch_begin(&u.kernel("increment", 8), &c, &argument, 8, &m),
            XCC_SUCCESS);
  xcc_mapping_enter(m, "world", 0);
  xcc_mapping_enter(m, nullptr, 3);
  xcc_mapping_enter(m, "next", 0);
  xcc_mapping_address(m, &argument, XCC_ADDRESS_POINTER);
  EXPECT_EQ(xcc_mapping_launch(m), XCC_ERROR_INVALID_VALUE);
  EXPECT_STREQ(xcc_error_last(),
               (std::string("launch of 'increment' (test.cpp:7) on device 0 "
                            "(host): 'world[3].next' points to host memory "
                            "that is not mapped (") +
                [&] {
                  char text[32];
                  snprintf(text, sizeof(text), "%#llx",
                           (unsigned long long)(uintptr_t(argument)));
                  return std::string(text);
                }() +
                "); pass a std::span or a container, hold the memory in an "
                "xcc::map, or use xcc::buffer")
                   .c_str());
}

MAPPING_TEST(DeviceMemoryPasses) {
  Unit u;
  xcc::buffer<uint32_t> data(4);
  data.fill(0);
  void *argument = data.data();
  xcc_launch_config c = config(1, 4);
  ASSERT_EQ(launch(u.kernel("increment", 8), c, argument), XCC_SUCCESS);
  xcc_mapping *m = nullptr;
  ASSERT_EQ(xcc_launch_begin(&u.kernel("increment", 8), &c, &argument, 8, &m),
            XCC_SUCCESS);
  // Not to be looked into by the host.
  EXPECT_EQ(xcc_mapping_range(m, argument, 16, 16, 0), 0);
  xcc_mapping_address(m, &argument, XCC_ADDRESS_POINTER);
  ASSERT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  uint32_t back[4];
  data.copy_to(back, 4);
  EXPECT_EQ(back[3], 2u);
}

MAPPING_TEST(CancelledAndRefused) {
  Unit u;
  std::vector<uint32_t> data(4, 7);
  void *argument = data.data();
  xcc_mapping_cancel(begin(u.kernel("increment", 8), argument, 16));
  xcc_mapping_cancel(nullptr);
  xcc_mapping *m = begin(u.kernel("increment", 8), argument, 16);
  xcc_mapping_enter(m, "lock", 0);
  xcc_mapping_refuse(m, "cannot be mapped");
  xcc_mapping_leave(m);
  EXPECT_EQ(xcc_mapping_launch(m), XCC_ERROR_INVALID_VALUE);
  EXPECT_NE(strstr(xcc_error_last(), "'lock' cannot be mapped"), nullptr)
      << xcc_error_last();
  EXPECT_EQ(xcc_mapping_launch(nullptr), XCC_ERROR_INVALID_VALUE);
  xcc::synchronize();
  EXPECT_EQ(data[0], 7u);
}

/// { list pointer, value } of the kernel append; the list is in an object that
/// holds its address.
MAPPING_TEST(AddressesWithinWhatIsMapped) {
  Unit u;
  struct {
    uint32_t *list;
    uint32_t value;
  } args;
  uint32_t list[3] = {};
  args = {list, 9};
  xcc_launch_config c = config(1, 1);
  xcc_mapping *m = nullptr;
  ASSERT_EQ(
      xcc_launch_begin(&u.kernel("append", 16), &c, &args, sizeof(args), &m),
      XCC_SUCCESS);
  xcc_mapping_address(m, &args.list, XCC_ADDRESS_REFERENCE);
  // Two ranges that touch: one copy.
  EXPECT_EQ(xcc_mapping_range(m, list, 4, 4, 0), 1);
  EXPECT_EQ(xcc_mapping_range(m, list + 1, 8, 8, 0), 1);
  ASSERT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  ASSERT_EQ(xcc_device_synchronize(-1), XCC_SUCCESS) << xcc_error_last();
  EXPECT_EQ(list[0], 1u);
  EXPECT_EQ(list[1], 9u);
}

/// Bytes that an address among the arguments leads to.
static uint64_t listSize = 16;

/// Launches with an address of so many bytes. True when there was something to
/// name.
static bool launchList(xcc_kernel_info &k, uint32_t *&argument) {
  xcc_launch_config c = config(1, 4);
  xcc_mapping *m = nullptr;
  EXPECT_EQ(xcc_launch_repeat(&k, &c, &argument, sizeof(argument), &m),
            XCC_SUCCESS)
      << xcc_error_last();
  if (!m)
    return false;
  xcc_mapping_address(m, &argument, XCC_ADDRESS_POINTER);
  xcc_mapping_depends(m, &listSize, sizeof(listSize));
  xcc_mapping_range(m, argument, listSize, listSize, 0);
  EXPECT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  return true;
}

MAPPING_TEST(RepeatedLaunchesAreKnown) {
  setenv("XCC_CPU_SEPARATE", "2", 1); // nothing is known where memory is hidden
  Unit u;
  std::vector<uint32_t> a(8), b(8);
  uint32_t *argument = a.data();
  xcc_kernel_info &k = u.kernel("increment", 8);
  EXPECT_TRUE(launchList(k, argument));
  EXPECT_TRUE(launchList(k, argument)) << "the first found nothing present";
  EXPECT_FALSE(launchList(k, argument));
  // Another argument, and back.
  argument = b.data();
  EXPECT_TRUE(launchList(k, argument));
  EXPECT_TRUE(launchList(k, argument));
  argument = a.data();
  EXPECT_TRUE(launchList(k, argument)) << "what is present has changed";
  EXPECT_FALSE(launchList(k, argument));
  argument = b.data();
  EXPECT_FALSE(launchList(k, argument));
  EXPECT_FALSE(launchList(k, argument));
  xcc::synchronize();
  EXPECT_EQ(a[1], 5u);
  EXPECT_EQ(b[1], 4u);
  // What was asked has changed, and nothing is present.
  listSize = 32;
  argument = a.data();
  EXPECT_TRUE(launchList(k, argument));
  EXPECT_TRUE(launchList(k, argument));
  EXPECT_FALSE(launchList(k, argument));
  xcc::synchronize();
  EXPECT_EQ(a, (std::vector<uint32_t>{8, 8, 8, 8, 0, 0, 0, 0}));
}

MAPPING_TEST(RepeatedLaunchesInAScope) {
  setenv("XCC_CPU_SEPARATE", "2", 1);
  Unit u;
  std::vector<uint32_t> a(4);
  uint32_t *argument = a.data();
  xcc_kernel_info &k = u.kernel("increment", 8);
  void *pointers[] = {a.data()};
  uint64_t sizes[] = {16};
  auto begins = [&] {
    ASSERT_EQ(
        xcc_data_begin(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr),
        XCC_SUCCESS);
  };
  auto ends = [&] {
    ASSERT_EQ(
        xcc_data_end(nullptr, 1, nullptr, pointers, sizes, nullptr, nullptr),
        XCC_SUCCESS);
  };
  begins();
  EXPECT_TRUE(launchList(k, argument));
  EXPECT_FALSE(launchList(k, argument));
  xcc::synchronize();
  EXPECT_FALSE(launchList(k, argument)) << "it is still there";
  EXPECT_EQ(a[1], 0u);
  ends();
  EXPECT_EQ(a[1], 3u);
  EXPECT_TRUE(launchList(k, argument));
  xcc::synchronize();
  begins();
  EXPECT_TRUE(launchList(k, argument)) << "another scope's";
  ends();
  EXPECT_EQ(a[1], 5u);
}

MAPPING_TEST(WhatFollowsFromMoreIsNamedAgain) {
  setenv("XCC_CPU_SEPARATE", "2", 1);
  Unit u;
  std::vector<uint32_t> a(4);
  uint32_t *argument = a.data();
  xcc_launch_config c = config(1, 4);
  for (int i = 0; i != 4; ++i) {
    xcc_mapping *m = nullptr;
    ASSERT_EQ(
        xcc_launch_repeat(&u.kernel("increment", 8), &c, &argument, 8, &m),
        XCC_SUCCESS);
    ASSERT_NE(m, nullptr);
    xcc_mapping_address(m, &argument, XCC_ADDRESS_POINTER);
    xcc_mapping_depends(m, nullptr, 0);
    xcc_mapping_range(m, argument, 16, 16, 0);
    ASSERT_EQ(xcc_mapping_launch(m), XCC_SUCCESS) << xcc_error_last();
  }
  xcc::synchronize();
  EXPECT_EQ(a[3], 4u);
}

TEST(MappingWithSharedMemory, NothingIsCollected) {
  Unit u;
  std::vector<uint32_t> data(4);
  void *argument = data.data();
  xcc_launch_config c = config(1, 4);
  xcc_mapping *m = reinterpret_cast<xcc_mapping *>(1);
  ASSERT_EQ(xcc_launch_begin(&u.kernel("increment", 8), &c, &argument, 8, &m),
            XCC_SUCCESS);
  EXPECT_EQ(m, nullptr);
  xcc::synchronize();
  EXPECT_EQ(data[0], 1u);
}
