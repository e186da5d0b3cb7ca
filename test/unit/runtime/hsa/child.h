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
inline std::string runChild(const std::string &Test,
                            const std::string &Settings = "") {
  char Self[4096];
  ssize_t Length = readlink("/proc/self/exe", Self, sizeof(Self) - 1);
  if (Length <= 0) {
    ADD_FAILURE() << "cannot find this program";
    return {};
  }
  Self[Length] = 0;
  std::string Command =
      "env " + Settings + " '" + Self +
      "' --gtest_also_run_disabled_tests --gtest_filter=" + Test + " 2>&1";
  std::string Output;
  FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe) {
    ADD_FAILURE() << "cannot run " << Command;
    return {};
  }
  char Buffer[4096];
  while (size_t N = fread(Buffer, 1, sizeof(Buffer), Pipe))
    Output.append(Buffer, N);
  int Status = pclose(Pipe);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << Output;
  EXPECT_NE(Output.find("[  PASSED  ] 1 test"), std::string::npos) << Output;
  return Output;
}

} // namespace xcc::test
#endif // XCC_TEST_HSA_CHILD_H
