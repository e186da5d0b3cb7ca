// Regular expressions, paths and clocks of the standard library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-std=c++20
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace fs = std::filesystem;

int main() {
  std::string text = "2024-02-29, 1999-12-31 and 2023-1-1";
  std::regex date("(\\d{4})-(\\d{2})-(\\d{2})");
  for (std::sregex_iterator i(text.begin(), text.end(), date), end; i != end; ++i)
    std::printf("%s/%s/%s\n", (*i)[3].str().c_str(), (*i)[2].str().c_str(), (*i)[1].str().c_str());
  std::printf("%s\n", std::regex_replace(text, date, "<$1>").c_str());
  fs::create_directories("a/b/c");
  std::ofstream("a/b/file.txt") << "twelve bytes";
  std::printf("%d %ju %s\n", int(fs::exists("a/b/file.txt")), fs::file_size("a/b/file.txt"), fs::path("a/b/../x.tar.gz").lexically_normal().stem().c_str());
  std::printf("%ju removed\n", fs::remove_all("a"));
  auto day = std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(19782)));
  std::printf("%d-%u-%u\n", int(day.year()), unsigned(day.month()), unsigned(day.day()));
  try {
    std::regex("(");
  } catch (const std::regex_error &) {
    return 5;
  }
  return 0;
}
