// Memory that the host can use, and memory that it cannot
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

#include <csignal>
#include <set>
#include <unistd.h>

using namespace test;

namespace {

class Memory : public Simulator {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Simulator::SetUp();
  }
  static volatile uint32_t *seen(Address a) {
    return reinterpret_cast<volatile uint32_t *>(a);
  }
};

TEST_F(Memory, TheHostCannotUseADevices) {
  Address a = words(8, 3);
  EXPECT_DEATH((void)*seen(a + 4),
               "the host reads device memory at 0x[0-9a-f]+ \\(byte 4 of an "
               "allocation of 32 bytes\\)");
  EXPECT_DEATH(*seen(a) = 1, "the host writes device memory at .*byte 0 of an");
  EXPECT_EQ(read(a, 8), std::vector<uint32_t>(8, 3));
  ASSERT_EQ(cuMemAllocAsync(&a, 100, in), Success);
  EXPECT_DEATH(*seen(a) = 1, "the host writes device memory");
  ASSERT_EQ(cuMemFree_v2(a), Success);
  EXPECT_DEATH((void)*seen(a), "the host reads device memory at .*no alloc");
}

TEST_F(Memory, NorVariables) {
  Module m = nullptr;
  ASSERT_EQ(
      cuModuleLoadDataEx(&m,
                         (head() + ".visible .global .align 4 .u32 v = 5;\n"
                                   ".visible .const .align 4 .u32 c = 6;\n")
                             .c_str(),
                         0, nullptr, nullptr),
      Success);
  for (const char *name : {"v", "c"}) {
    Address a = 0;
    size_t size = 0;
    ASSERT_EQ(cuModuleGetGlobal_v2(&a, &size, m, name), Success);
    EXPECT_EQ(read(a, 1)[0], *name == 'v' ? 5u : 6u);
    EXPECT_DEATH((void)*seen(a), "the host reads device memory");
  }
}

TEST_F(Memory, TheHostUsesWhatBothShare) {
  Address managed = 0;
  void *locked = nullptr;
  ASSERT_EQ(cuMemAllocManaged(&managed, 4, AttachGlobal), Success);
  ASSERT_EQ(cuMemHostAlloc(&locked, 4, 0), Success);
  for (Address a : {managed, Address(reinterpret_cast<uintptr_t>(locked))}) {
    *seen(a) = 1;
    ASSERT_EQ(run(kernel("red.global.add.u32 [%out], 1;"), 1, 32, {a}),
              Success);
    EXPECT_EQ(*seen(a), 33u);
  }
  ASSERT_EQ(cuMemFree_v2(managed), Success);
  ASSERT_EQ(cuMemFreeHost(locked), Success);
}

/// Who handled the signal before is asked next; of other faults nothing is said.
TEST_F(Memory, LeavesTheSignalToOthers) {
  auto mine = [](int) {
    (void)!::write(2, "mine\n", 5);
    _exit(7);
  };
  EXPECT_EXIT(
      {
        signal(SIGSEGV, mine);
        (void)*seen(words(1));
      },
      testing::ExitedWithCode(7), "reads device memory.*\n.*mine");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, mine);
        words(1);
        (void)*seen(16);
      },
      testing::ExitedWithCode(7), "^[^s]*mine");
}

/// What was freed is used again, though not at once, and ranges that lie side by
/// side become one.
TEST_F(Memory, IsUsedAgain) {
  const size_t size = 1 << 20;
  // What other tests have freed is free from here on, too.
  Address large = 0;
  ASSERT_EQ(cuMemAlloc_v2(&large, 20 * size), Success);
  ASSERT_EQ(cuMemFree_v2(large), Success);
  std::set<Address> all;
  Address last = 0;
  for (int n = 0; n != 100; ++n) {
    Address a = 0;
    ASSERT_EQ(cuMemAlloc_v2(&a, size), Success);
    EXPECT_NE(a, last);
    all.insert(last = a);
    ASSERT_EQ(cuMemFree_v2(a), Success);
  }
  EXPECT_LE(all.size(), 20u);
  // One that is larger than what is kept makes all of it free.
  Address a = 0;
  for (int n = 0; n != 2; ++n) {
    ASSERT_EQ(cuMemAlloc_v2(&a, 20 * size), Success);
    EXPECT_EQ(read(a + 20 * size - 4, 1)[0], 0xA5A5A5A5u);
    ASSERT_EQ(cuMemFree_v2(a), Success);
  }
  ASSERT_EQ(cuMemAlloc_v2(&a, size), Success);
  EXPECT_LE(a, *all.begin());
  ASSERT_EQ(cuMemFree_v2(a), Success);
}

} // namespace
