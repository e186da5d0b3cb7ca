// The table between copies of libxcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>

static std::string contents(const char *File) {
  std::ifstream In(File);
  std::stringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

static std::set<std::string> found(const std::string &Text,
                                   const char *Pattern) {
  std::set<std::string> Names;
  std::regex Expression(Pattern);
  for (std::sregex_iterator I(Text.begin(), Text.end(), Expression), End;
       I != End; ++I)
    Names.insert((*I)[1]);
  return Names;
}

/// A function that is not in the table would work on its own copy's runtime.
TEST(Interface, IsInTheTableAndHasAName) {
  std::set<std::string> Declared =
      found(contents(XCC_TEST_RUNTIME "/include/xcc/runtime.h"),
            "\nXCC_API [^;(]*?xcc_(\\w+)\\(");
  EXPECT_GT(Declared.size(), 40u);
  std::set<std::string> Listed;
#define STATUS(name, params, args) Listed.insert(#name);
#define SILENT(name, params, args) Listed.insert(#name);
#define ABOUT(type, name, params, args) Listed.insert(#name);
#define ANY(type, name, params, args) Listed.insert(#name);
#include "src/interface/interface.def"
  EXPECT_EQ(Declared, Listed);
  EXPECT_EQ(found(contents(XCC_TEST_RUNTIME "/src/interface/own_names.h"),
                  "\n#define xcc_(\\w+) xccrt_\\1"),
            Listed);
}
