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

#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>

namespace xcc::test {

/// Runs one test with settings ("NAME='value' NAME=value") before it, expects
/// that it passes, and gives what the process wrote.
inline std::string runChild(const std::string &test,
                            const std::string &settings = "") {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
  if (length <= 0) {
    ADD_FAILURE() << "cannot find this program";
    return {};
  }
  self[length] = 0;
  std::string command =
      "env " + settings + " '" + self +
      "' --gtest_also_run_disabled_tests --gtest_filter=" + test + " 2>&1";
  std::string output;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe) {
    ADD_FAILURE() << "cannot run " << command;
    return {};
  }
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, n);
  int status = pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << output;
  EXPECT_NE(output.find("[  PASSED  ] 1 test"), std::string::npos) << output;
  return output;
}

} // namespace xcc::test
#endif // XCC_TEST_HSA_CHILD_H
