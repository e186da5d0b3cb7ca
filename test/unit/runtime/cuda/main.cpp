// Each test in a process of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device is found once in a process and stays unusable after a fault, so this
// program runs itself for each test, with the mock driver's folder in
// LD_LIBRARY_PATH.

#include "../command.h"
#include "cuda_unit.h"

#include <sstream>

using namespace xcc::test;

static Ended run(const std::string &test, const std::string &settings) {
  return runThisTest(
      test, "XCC_TEST_CHILD=1 LD_LIBRARY_PATH='" XCC_TEST_MOCK "' " + settings);
}

std::string xcc::test::runTest(const std::string &name,
                               const std::string &settings) {
  Ended e = run(name, settings);
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_TRUE(says("[  PASSED  ] 1 test", e.output));
  return e.output;
}

int main(int count, char **arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (getenv("XCC_TEST_CHILD") || GTEST_FLAG_GET(list_tests))
    return RUN_ALL_TESTS();
  // One child for each test that the filter lets through.
  std::string suite;
  Ended listed =
      runCommand("'" + thisProgram() + "' --gtest_list_tests --gtest_filter='" +
                 GTEST_FLAG_GET(filter) + "'");
  if (listed.status != 0)
    return 1;
  int failed = 0, ran = 0;
  std::istringstream lines(listed.output);
  for (std::string text; std::getline(lines, text);) {
    text = text.substr(0, text.find('#'));
    if (text.empty() || text.starts_with("Running main"))
      continue;
    if (text[0] != ' ') {
      suite = text;
      continue;
    }
    std::string test = suite + text.substr(2);
    if (test.find("DISABLED_") != std::string::npos)
      continue;
    ++ran;
    if (Ended e = run(test, ""); e.status != 0) {
      ++failed;
      printf("%s\n[  FAILED  ] %s\n", e.output.c_str(), test.c_str());
    }
  }
  printf("%d tests, %d failed\n", ran, failed);
  return failed != 0 || ran == 0;
}
