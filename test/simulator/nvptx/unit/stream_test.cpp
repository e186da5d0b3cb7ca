// Work that begins when somebody waits for it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <set>

using namespace test;

namespace {

/// Nothing begins unless somebody waits, so that no result depends on time.
class Streams : public Simulator {
protected:
  void SetUp() override {
    Simulator::SetUp();
    ASSERT_TRUE(simulator_streams("latest"));
    ASSERT_EQ(cuStreamCreate(&other, StreamNonBlocking), Success);
    ASSERT_EQ(cuEventCreate(&e, EventDefault), Success);
    void *memory = nullptr;
    ASSERT_EQ(cuMemHostAlloc(&memory, 64, 0), Success);
    locked = static_cast<volatile uint32_t *>(memory);
    locked[0] = 7;
    locked[1] = 7;
  }
  void TearDown() override {
    ASSERT_TRUE(simulator_streams("late"));
    Simulator::TearDown();
    cuMemFreeHost(const_cast<uint32_t *>(locked));
  }
  Address at(unsigned word) const {
    return reinterpret_cast<uintptr_t>(locked + word);
  }
  void fill(Address a, unsigned value, Stream s) {
    ASSERT_EQ(cuMemsetD2D32Async(a, 4, value, 1, 1, s), Success);
  }

  Stream other = nullptr;
  EventHandle e = nullptr;
  volatile uint32_t *locked = nullptr; ///< words of page-locked memory
};

TEST_F(Streams, BeginWhenSomebodyWaits) {
  Address a = words(1, 3);
  fill(a, 4, in);
  ASSERT_EQ(cuMemcpyAsync(at(0), a, 4, in), Success);
  EXPECT_EQ(locked[0], 7u);
  ASSERT_EQ(cuStreamSynchronize(in), Success);
  EXPECT_EQ(locked[0], 4u);
}

TEST_F(Streams, BeginWhenAskedTwice) {
  fill(at(0), 1, in);
  EXPECT_EQ(cuStreamQuery(in), NotReady);
  EXPECT_EQ(locked[0], 7u);
  while (cuStreamQuery(in) == NotReady)
    ;
  EXPECT_EQ(locked[0], 1u);
  fill(at(0), 2, in);
  ASSERT_EQ(cuEventRecord(e, in), Success);
  EXPECT_EQ(cuEventQuery(e), NotReady);
  while (cuEventQuery(e) == NotReady)
    ;
  EXPECT_EQ(locked[0], 2u);
}

TEST_F(Streams, DoNoMoreThanIsWaitedFor) {
  fill(at(0), 1, in);
  ASSERT_EQ(cuEventRecord(e, in), Success);
  fill(at(0), 2, in);
  fill(at(1), 3, other);
  ASSERT_EQ(cuEventSynchronize(e), Success);
  EXPECT_EQ(locked[0], 1u);
  ASSERT_EQ(cuStreamSynchronize(in), Success);
  EXPECT_EQ(locked[0], 2u);
  EXPECT_EQ(locked[1], 7u);
  ASSERT_EQ(cuStreamSynchronize(other), Success);
  EXPECT_EQ(locked[1], 3u);
}

TEST_F(Streams, MakeOthersBeginThatTheyWaitFor) {
  fill(at(0), 1, other);
  ASSERT_EQ(cuEventRecord(e, other), Success);
  fill(at(1), 2, other);
  ASSERT_EQ(cuStreamWaitEvent(in, e, 0), Success);
  fill(at(0), 3, in);
  ASSERT_EQ(cuStreamSynchronize(in), Success);
  EXPECT_EQ(locked[0], 3u);
  EXPECT_EQ(locked[1], 7u);
}

TEST_F(Streams, LaunchesAndCallsOfTheHostAreLateToo) {
  int called = 0;
  Module m = nullptr;
  Function f = nullptr;
  ASSERT_EQ(cuModuleLoadDataEx(&m, kernel("st.global.u32 [%out], 5;").c_str(),
                               0, nullptr, nullptr),
            Success);
  ASSERT_EQ(cuModuleGetFunction(&f, m, "k"), Success);
  Address a = at(0);
  size_t size = sizeof(a);
  void *extra[] = {LaunchBuffer, &a, LaunchBufferSize, &size, LaunchEnd};
  ASSERT_EQ(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, in, nullptr, extra),
            Success);
  ASSERT_EQ(cuLaunchHostFunc(
                in, [](void *p) { ++*static_cast<int *>(p); }, &called),
            Success);
  EXPECT_EQ(locked[0], 7u);
  EXPECT_EQ(called, 0);
  ASSERT_EQ(cuStreamSynchronize(in), Success);
  EXPECT_EQ(locked[0], 5u);
  EXPECT_EQ(called, 1);
}

TEST_F(Streams, CopiesReadPageLockedMemoryLateAndOtherAtOnce) {
  Address a = words(1), b = words(1);
  uint32_t own = 1;
  ASSERT_EQ(cuMemcpyAsync(a, reinterpret_cast<uintptr_t>(&own), 4, in),
            Success);
  ASSERT_EQ(cuMemcpyAsync(b, at(0), 4, in), Success);
  own = 2;
  locked[0] = 2;
  EXPECT_EQ(read(a, 1)[0], 1u);
  EXPECT_EQ(read(b, 1)[0], 2u);
}

TEST_F(Streams, FreeingMemoryWaitsForAll) {
  fill(at(0), 1, other);
  Address a = 0;
  ASSERT_EQ(cuMemAlloc_v2(&a, 4), Success);
  ASSERT_EQ(cuMemFree_v2(a), Success);
  EXPECT_EQ(locked[0], 1u);
}

TEST_F(Streams, SeedsChooseTheOrder) {
  std::set<uint32_t> seen;
  for (unsigned seed = 0; seed != 12; ++seed) {
    ASSERT_TRUE(simulator_streams(("random:" + std::to_string(seed)).c_str()));
    fill(at(0), 1, in);
    fill(at(0), 2, other);
    ASSERT_EQ(cuStreamSynchronize(in), Success);
    ASSERT_EQ(cuStreamSynchronize(other), Success);
    seen.insert(uint32_t(locked[0]));
  }
  EXPECT_EQ(seen, (std::set<uint32_t>{1, 2}));
  EXPECT_FALSE(simulator_streams("random"));
  EXPECT_FALSE(simulator_streams("never"));
}

/// A program may wait by looking at memory.
TEST_F(Streams, BeginAfterAWhile) {
  ASSERT_TRUE(simulator_streams("late"));
  fill(at(0), 1, in);
  while (locked[0] != 1)
    ;
}

} // namespace
