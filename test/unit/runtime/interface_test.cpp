// The table between copies of libxcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fstream>
#include <gtest/gtest.h>
#include <map>
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
TEST(Interface, IsInTheTable) {
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
  // A function may have another name than the table's.
  std::map<std::string, std::string> renamed;
#define XCC_RENAMED(before, now) renamed[#before] = #now;
#include "xcc/renamed.h"
  std::set<std::string> called;
  for (const std::string &name : Listed) {
    auto now = renamed.find("xcc_" + name);
    called.insert(now == renamed.end() ? name : now->second.substr(4));
  }
  EXPECT_EQ(declared, called);
}
