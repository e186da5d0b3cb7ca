// Tests in processes of their own, on a CPU device with memory of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SEPARATE_H
#define XCC_TEST_SEPARATE_H

#include <cstdlib>
#include <gtest/gtest.h>

namespace xcc::test {

/// Runs the body with XCC_CPU_SEPARATE so; its failures are the test's.
inline void inSeparateChild(const char *separate, void (*body)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("XCC_CPU_SEPARATE", separate, 1);
        body();
        exit(testing::Test::HasFailure());
      },
      testing::ExitedWithCode(0), "");
}

} // namespace xcc::test
#endif // XCC_TEST_SEPARATE_H
