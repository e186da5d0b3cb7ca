// Tests in a process of their own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock is set up once in a process, and a GPU that faulted stays unusable.
// A test that needs another set-up runs this program again for one test, whose
// suite is disabled so that it runs nowhere else.

#ifndef XCC_TEST_HSA_CHILD_H
#define XCC_TEST_HSA_CHILD_H

#include "../command.h"

#include <gtest/gtest.h>

namespace xcc::test {

/// Runs one test with settings ("NAME='value' NAME=value") before it, expects
/// that it passes, and gives what the process wrote.
inline std::string runChild(const std::string &test,
                            const std::string &settings = "") {
  Ended e = runThisTest(test, settings);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_NE(e.output.find("[  PASSED  ] 1 test"), std::string::npos)
      << e.output;
  return e.output;
}

} // namespace xcc::test
#endif // XCC_TEST_HSA_CHILD_H
