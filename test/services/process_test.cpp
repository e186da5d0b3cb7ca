// exit, system, the environment, the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace xcc::test;

namespace {
using Process = Services;
using ProcessDeathTest = Services;
} // namespace

TEST_F(Process, Environment) {
  setenv("XCC_TEST_VALUE", "some value", 1);
  setenv("XCC_TEST_LONG", std::string(1000, 'v').c_str(), 1);
  setenv("XCC_TEST_EMPTY", "", 1);
  char *v = dev_getenv("XCC_TEST_VALUE");
  EXPECT_STREQ(v, "some value");
  EXPECT_EQ(dev_getenv("XCC_TEST_VALUE"), v);
  EXPECT_EQ(dev_getenv("XCC_TEST_LONG"), std::string(1000, 'v'));
  EXPECT_STREQ(dev_getenv("XCC_TEST_EMPTY"), "");
  EXPECT_EQ(dev_getenv("XCC_TEST_NONE"), nullptr);
  EXPECT_EQ(dev_getenv("XCC_TEST_NONE"), nullptr);
}

TEST_F(Process, System) {
  EXPECT_NE(dev_system(nullptr), 0);
  EXPECT_EQ(WEXITSTATUS(dev_system("exit 3")), 3);
}

TEST_F(Process, HostName) {
  char own[256], name[256];
  ASSERT_EQ(gethostname(own, sizeof own), 0);
  EXPECT_EQ(dev_gethostname(name, sizeof name), 0);
  EXPECT_STREQ(name, own);
  EXPECT_EQ(dev_gethostname(name, strlen(own)), -1);
  EXPECT_EQ(*dev_errno_location(), ENAMETOOLONG);
}

TEST_F(Process, Clock) {
  time_t before = time(nullptr);
  long now, told;
  now = dev_time(&told);
  EXPECT_EQ(now, told);
  EXPECT_GE(now, before);
  EXPECT_LE(now, time(nullptr));
  timespec a, t, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  EXPECT_EQ(dev_clock_gettime(CLOCK_MONOTONIC, &t), 0);
  clock_gettime(CLOCK_MONOTONIC, &b);
  auto ns = [](timespec x) { return x.tv_sec * 1000000000L + x.tv_nsec; };
  EXPECT_LE(ns(a), ns(t));
  EXPECT_LE(ns(t), ns(b));
  EXPECT_EQ(dev_clock_gettime(9999, &t), -1);
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
  auto record = std::make_unique<xcc_trap_record>();
  xcc_services_trap_info info;
  EXPECT_FALSE(xcc_services_trap(record.get(), &info));
  record->claimed = 3;
  EXPECT_FALSE(xcc_services_trap(record.get(), &info));
  EXPECT_EQ(record->claimed, 0u);
  record->claimed = 3;
  xcc_trap_note &note = record->notes[1];
  note.kind = XCC_CPU_TRAP_ASSERT;
  note.line = 12;
  note.block[1] = 4;
  note.thread[2] = 5;
  note.has_text = 1;
  memset(note.text, 't', sizeof note.text);
  record->complete = 2;
  ASSERT_TRUE(xcc_services_trap(record.get(), &info));
  EXPECT_EQ(info.note.kind, unsigned(XCC_CPU_TRAP_ASSERT));
  EXPECT_EQ(info.note.line, 12u);
  EXPECT_EQ(info.note.block[1], 4u);
  EXPECT_EQ(info.note.thread[2], 5u);
  EXPECT_EQ(strlen(info.note.text), XCC_TRAP_TEXT - 1);
  EXPECT_FALSE(info.note.has_file);
  EXPECT_EQ(info.others, 2u);
  EXPECT_FALSE(xcc_services_trap(record.get(), &info));
}
