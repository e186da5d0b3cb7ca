// Lines of standard input taken apart, a map of what they say, a table of it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2 --input %S/Inputs/settings.ini
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

int main() {
  std::map<std::string, std::map<std::string, std::string>> sections;
  std::string line, section = "none";
  int number = 0;
  while (std::getline(std::cin, line)) {
    ++number;
    std::istringstream words(line);
    char first = 0;
    words >> first;
    if (!first || first == '#' || first == ';')
      continue;
    if (first == '[') {
      std::getline(words, section, ']');
      continue;
    }
    words.putback(first);
    std::string name, value;
    if (!std::getline(words >> std::ws, name, '=') || words.eof()) {
      std::cerr << "line " << number << ": cannot read " << std::quoted(line) << '\n';
      continue;
    }
    name.erase(name.find_last_not_of(" \t") + 1);
    std::getline(words >> std::ws, value);
    sections[section][name] = value;
  }
  std::cout << std::setfill('-') << std::setw(40) << "" << std::setfill(' ') << '\n';
  double sum = 0;
  for (const auto &[name, values] : sections) {
    std::cout << '[' << name << "]\n";
    for (const auto &[key, value] : values) {
      std::cout << "  " << std::left << std::setw(16) << key << std::right << std::setw(20) << value << '\n';
      double amount;
      if (std::istringstream(value) >> amount)
        sum += amount;
    }
  }
  std::cout << std::fixed << std::setprecision(3) << std::setw(38) << sum << std::endl;
  return int(sections.size());
}
