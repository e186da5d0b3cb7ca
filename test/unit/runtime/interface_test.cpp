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

static std::string contents(const char *file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

static std::set<std::string> found(const std::string &text,
                                   const char *pattern) {
  std::set<std::string> names;
  std::regex expression(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end;
       i != end; ++i)
    names.insert((*i)[1]);
  return names;
}

/// A function that is not in the table would work on its own copy's runtime.
TEST(Interface, IsInTheTableAndHasAName) {
  std::set<std::string> declared =
      found(contents(XCC_TEST_RUNTIME "/include/xcc/runtime.h"),
            "\nXCC_API [^;(]*?xcc_(\\w+)\\(");
  EXPECT_GT(declared.size(), 40u);
  std::set<std::string> Listed;
#define STATUS(name, params, args) Listed.insert(#name);
#define SILENT(name, params, args) Listed.insert(#name);
#define ABOUT(type, name, params, args) Listed.insert(#name);
#define ANY(type, name, params, args) Listed.insert(#name);
#include "interface/interface.def"
  EXPECT_EQ(declared, Listed);
  EXPECT_EQ(found(contents(XCC_TEST_RUNTIME "/src/interface/own_names.h"),
                  "\n#define xcc_(\\w+) xccrt_\\1"),
            Listed);
}
