// A kernel calls a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// library/roman.cpp is an ordinary library without a mark for devices. If it is
// compiled with -foffload-export, kernels can call its functions and use its
// table:
//
//     xcc -O2 -foffload-export -c library/roman.cpp
//     xcc -O2 roman.cpp roman.o -o roman

#include "library/roman.h"

#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

constexpr int Numbers = 4000;

int main() {
  std::vector<int> letters(Numbers), read(Numbers);
  // Converts every number to text and back, by the library's functions.
  xcc::parallel_for(Numbers, [&](std::size_t i) {
    char text[roman::MostLetters];
    letters[i] = roman::write(int(i), text);
    read[i] = roman::read(text);
  });
  xcc::synchronize();

  int wrong = 0, longest = 0;
  for (int i = 0; i < Numbers; ++i) {
    char text[roman::MostLetters];
    wrong += letters[i] != roman::write(i, text) || read[i] != i;
    if (letters[i] > letters[longest])
      longest = i;
  }
  char text[roman::MostLetters];
  roman::write(longest, text);
  std::printf("the longest numeral is %s, %d\n", text, longest);
  std::puts(wrong ? "WRONG" : "correct");
  return wrong != 0;
}
