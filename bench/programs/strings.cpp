// Strings, maps, exceptions: the library of C++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

static int digit(char c) {
  if (c == '7')
    throw std::invalid_argument("seven");
  return c - '0';
}

int main() {
  std::unordered_map<std::string, int> counts;
  std::map<int, std::vector<std::string>> byLength;
  unsigned seed = 1;
  for (int i = 0; i < 3000000; ++i) {
    seed = seed * 1664525 + 1013904223;
    ++counts[std::to_string(seed >> 12 & 0xffff)];
  }
  for (auto &[text, count] : counts)
    byLength[count].push_back(text);
  long sum = 0;
  int caught = 0;
  for (auto &[count, texts] : byLength) {
    std::sort(texts.begin(), texts.end());
    for (const std::string &text : texts)
      try {
        for (char c : text)
          sum = sum * 3 + digit(c);
      } catch (const std::invalid_argument &) {
        ++caught;
      }
  }
  std::printf("%ld %d\n", sum, caught);
}
