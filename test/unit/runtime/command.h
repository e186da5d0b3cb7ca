// Tests that run programs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_COMMAND_H
#define XCC_TEST_COMMAND_H

#include <cstdio>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace xcc::test {

/// How a command ended, and what it wrote.
struct Ended {
  int status = -1; ///< the exit status; -1 when killed or not run
  std::string output;
};

/// Runs a shell's command line; its errors are part of the output.
inline Ended runCommand(const std::string &command) {
  Ended e;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return e;
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof(buffer), pipe))
    e.output.append(buffer, n);
  int status = pclose(pipe);
  if (WIFEXITED(status))
    e.status = WEXITSTATUS(status);
  return e;
}

/// This program's path, for tests that run it again.
inline std::string thisProgram() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  return length > 0 ? std::string(path, size_t(length)) : std::string();
}

/// Runs one test, disabled or not, of this program in a process of its own,
/// with settings ("NAME='value' NAME=value") before it.
inline Ended runThisTest(const std::string &test, const std::string &settings) {
  return runCommand("env " + settings + " '" + thisProgram() +
                    "' --gtest_also_run_disabled_tests --gtest_filter=" + test);
}

} // namespace xcc::test
#endif // XCC_TEST_COMMAND_H
