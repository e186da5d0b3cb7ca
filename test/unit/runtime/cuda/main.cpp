// Each test in a process of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device is found once in a process and stays unusable after a fault, so this
// program runs itself for each test, with the mock driver's folder in
// LD_LIBRARY_PATH.

#include "cuda_unit.h"

#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

static std::string self() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  return length > 0 ? std::string(path, size_t(length)) : std::string();
}

static int run(const std::string &test, const std::string &settings,
               std::string &output) {
  std::string command =
      "env XCC_TEST_CHILD=1 LD_LIBRARY_PATH='" XCC_TEST_MOCK "' " + settings +
      " '" + self() +
      "' --gtest_also_run_disabled_tests --gtest_filter=" + test + " 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return -1;
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, n);
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string xcc::test::runTest(const std::string &name,
                               const std::string &settings) {
  std::string output;
  EXPECT_EQ(run(name, settings, output), 0) << output;
  EXPECT_TRUE(says("[  PASSED  ] 1 test", output));
  return output;
}

int main(int count, char **arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (getenv("XCC_TEST_CHILD") || GTEST_FLAG_GET(list_tests))
    return RUN_ALL_TESTS();
  // One child for each test that the filter lets through.
  std::string list, suite;
  FILE *pipe = popen(("'" + self() + "' --gtest_list_tests --gtest_filter='" +
                      GTEST_FLAG_GET(filter) + "'")
                         .c_str(),
                     "r");
  if (!pipe)
    return 1;
  int failed = 0, ran = 0;
  char line[512];
  while (fgets(line, sizeof(line), pipe)) {
    std::string text = line;
    text = text.substr(0, text.find_first_of("#\n"));
    if (text.empty() || text.starts_with("Running main"))
      continue;
    if (text[0] != ' ') {
      suite = text;
      continue;
    }
    std::string test = suite + text.substr(2), output;
    if (test.find("DISABLED_") != std::string::npos)
      continue;
    ++ran;
    if (run(test, "", output) != 0) {
      ++failed;
      printf("%s\n[  FAILED  ] %s\n", output.c_str(), test.c_str());
    }
  }
  pclose(pipe);
  printf("%d tests, %d failed\n", ran, failed);
  return failed != 0 || ran == 0;
}
