// exit, system, the environment, the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <cerrno>
#include <cstdlib>
#include <sys/wait.h>

using namespace xcc::test;

namespace {
using Process = Services;
using ProcessDeathTest = Services;
} // namespace

TEST_F(Process, Environment) {
  setenv("XCC_TEST_VALUE", "some value", 1);
  setenv("XCC_TEST_LONG", std::string(1000, 'v').c_str(), 1);
  setenv("XCC_TEST_EMPTY", "", 1);
  char *V = dev_getenv("XCC_TEST_VALUE");
  EXPECT_STREQ(V, "some value");
  EXPECT_EQ(dev_getenv("XCC_TEST_VALUE"), V);
  EXPECT_EQ(dev_getenv("XCC_TEST_LONG"), std::string(1000, 'v'));
  EXPECT_STREQ(dev_getenv("XCC_TEST_EMPTY"), "");
  EXPECT_EQ(dev_getenv("XCC_TEST_NONE"), nullptr);
  EXPECT_EQ(dev_getenv("XCC_TEST_NONE"), nullptr);
}

TEST_F(Process, System) {
  EXPECT_NE(dev_system(nullptr), 0);
  EXPECT_EQ(WEXITSTATUS(dev_system("exit 3")), 3);
}

TEST_F(Process, Clock) {
  time_t Before = time(nullptr);
  long Now, Told;
  Now = dev_time(&Told);
  EXPECT_EQ(Now, Told);
  EXPECT_GE(Now, Before);
  EXPECT_LE(Now, time(nullptr));
  timespec A, T, B;
  clock_gettime(CLOCK_MONOTONIC, &A);
  EXPECT_EQ(dev_clock_gettime(CLOCK_MONOTONIC, &T), 0);
  clock_gettime(CLOCK_MONOTONIC, &B);
  auto ns = [](timespec X) { return X.tv_sec * 1000000000L + X.tv_nsec; };
  EXPECT_LE(ns(A), ns(T));
  EXPECT_LE(ns(T), ns(B));
  EXPECT_EQ(dev_clock_gettime(9999, &T), -1);
  EXPECT_EQ(*dev_errno_location(), EINVAL);
  EXPECT_GE(dev_clock(), 0);
}

TEST_F(ProcessDeathTest, Exit) {
  stop();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        start({});
        dev_printf("left in the buffer");
        dev_exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(Trap, Report) {
  auto Record = std::make_unique<xcc_trap_record>();
  xcc_services_trap_info Info;
  EXPECT_FALSE(xcc_services_trap(Record.get(), &Info));
  Record->claimed = 3;
  EXPECT_FALSE(xcc_services_trap(Record.get(), &Info));
  EXPECT_EQ(Record->claimed, 0u);
  Record->claimed = 1;
  Record->kind = XCC_CPU_TRAP_ASSERT;
  Record->line = 12;
  Record->block[1] = 4;
  Record->thread[2] = 5;
  Record->has_text = 1;
  memset(Record->text, 't', sizeof Record->text);
  Record->complete = 1;
  ASSERT_TRUE(xcc_services_trap(Record.get(), &Info));
  EXPECT_EQ(Info.kind, unsigned(XCC_CPU_TRAP_ASSERT));
  EXPECT_EQ(Info.line, 12u);
  EXPECT_EQ(Info.block[1], 4u);
  EXPECT_EQ(Info.thread[2], 5u);
  EXPECT_EQ(strlen(Info.text), XCC_TRAP_TEXT - 1);
  EXPECT_FALSE(Info.has_file);
  EXPECT_FALSE(xcc_services_trap(Record.get(), &Info));
}
