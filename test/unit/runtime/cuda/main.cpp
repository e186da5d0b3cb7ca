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
  char Path[4096];
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path) - 1);
  return Length > 0 ? std::string(Path, size_t(Length)) : std::string();
}

static int run(const std::string &Test, const std::string &Settings,
               std::string &Output) {
  std::string Command =
      "env XCC_TEST_CHILD=1 LD_LIBRARY_PATH='" XCC_TEST_MOCK "' " + Settings +
      " '" + self() +
      "' --gtest_also_run_disabled_tests --gtest_filter=" + Test + " 2>&1";
  FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe)
    return -1;
  char Buffer[4096];
  while (size_t N = fread(Buffer, 1, sizeof(Buffer), Pipe))
    Output.append(Buffer, N);
  int Status = pclose(Pipe);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

std::string xcc::test::runTest(const std::string &Name,
                               const std::string &Settings) {
  std::string Output;
  EXPECT_EQ(run(Name, Settings, Output), 0) << Output;
  EXPECT_TRUE(says("[  PASSED  ] 1 test", Output));
  return Output;
}

int main(int Count, char **Arguments) {
  testing::InitGoogleTest(&Count, Arguments);
  if (getenv("XCC_TEST_CHILD") || GTEST_FLAG_GET(list_tests))
    return RUN_ALL_TESTS();
  // One child for each test that the filter lets through.
  std::string List, Suite;
  FILE *Pipe = popen(("'" + self() + "' --gtest_list_tests --gtest_filter='" +
                      GTEST_FLAG_GET(filter) + "'")
                         .c_str(),
                     "r");
  if (!Pipe)
    return 1;
  int Failed = 0, Ran = 0;
  char Line[512];
  while (fgets(Line, sizeof(Line), Pipe)) {
    std::string Text = Line;
    Text = Text.substr(0, Text.find_first_of("#\n"));
    if (Text.empty() || Text.starts_with("Running main"))
      continue;
    if (Text[0] != ' ') {
      Suite = Text;
      continue;
    }
    std::string Test = Suite + Text.substr(2), Output;
    if (Test.find("DISABLED_") != std::string::npos)
      continue;
    ++Ran;
    if (run(Test, "", Output) != 0) {
      ++Failed;
      printf("%s\n[  FAILED  ] %s\n", Output.c_str(), Test.c_str());
    }
  }
  pclose(Pipe);
  printf("%d tests, %d failed\n", Ran, Failed);
  return Failed != 0 || Ran == 0;
}
