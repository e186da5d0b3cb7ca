// The words of a text, counted by a program that runs on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program uses no function of xcc: g++ compiles the same file for the host.
// With `xcc -foffload-main` its main runs on the device, with files, maps,
// strings and exceptions.
//
//     words [FILE]     without a file: of the standard input

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using Counts = std::map<std::string, unsigned>;

static Counts countWords(std::istream &text) {
  Counts counts;
  std::string word;
  for (char c; text.get(c);) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += char(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  if (!word.empty())
    ++counts[word];
  return counts;
}

static Counts countWordsOf(const char *path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + std::string(path) + "'");
  return countWords(file);
}

int main(int argc, char **argv) {
  try {
    const Counts counts =
        argc > 1 ? countWordsOf(argv[1]) : countWords(std::cin);
    std::vector<std::pair<std::string, unsigned>> most(counts.begin(),
                                                       counts.end());
    std::sort(most.begin(), most.end(), [](auto &a, auto &b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    unsigned all = 0;
    for (const auto &[word, count] : counts)
      all += count;
    std::printf("words: %u, %zu of them different\n", all, counts.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(5, most.size()); ++i)
      std::printf("%7u %s\n", most[i].second, most[i].first.c_str());
  } catch (const std::exception &error) {
    std::cerr << "words: " << error.what() << '\n';
    return 1;
  }
}
