// Roman numerals: a library that knows nothing of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "roman.h"

#include <cstring>

namespace {
struct Part {
  int value;
  const char *letters;
};
const Part parts[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"},
                      {100, "C"},  {90, "XC"},  {50, "L"},  {40, "XL"},
                      {10, "X"},   {9, "IX"},   {5, "V"},   {4, "IV"},
                      {1, "I"}};
} // namespace

int roman::write(int number, char *text) {
  char *end = text;
  for (const Part &part : parts)
    for (; number >= part.value; number -= part.value)
      for (const char *letter = part.letters; *letter; ++letter)
        *end++ = *letter;
  *end = 0;
  return int(end - text);
}

int roman::read(const char *text) {
  int number = 0;
  for (const Part &part : parts)
    for (const auto length = std::strlen(part.letters);
         std::strncmp(text, part.letters, length) == 0; text += length)
      number += part.value;
  return number;
}
