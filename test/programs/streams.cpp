// Streams, formats and files of C++; words by how often they occur
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --input %S/../../examples/data/README.md
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

int main() {
  std::map<std::string, int> counts;
  std::string word;
  while (std::cin >> word)
    ++counts[word];
  std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  for (size_t i = 0; i < list.size() && i < 5; ++i)
    std::cout << std::setw(12) << std::left << list[i].first << std::right << std::setw(4) << list[i].second << '\n';
  std::ofstream("table.txt") << std::hex << std::showbase << 255 << ' ' << std::fixed << std::setprecision(3) << 2.0 / 3 << '\n';
  std::ifstream in("table.txt");
  int number = 0;
  double real = 0;
  in >> std::hex >> number >> real;
  std::cout << number << ' ' << real << ' ' << std::boolalpha << in.good() << std::endl;
  std::istringstream bad("12x");
  bad >> number >> number;
  std::cerr << number << ' ' << bad.fail() << '\n';
  return int(list.size() & 63);
}
