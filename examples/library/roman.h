// Roman numerals: a library that knows nothing of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EXAMPLES_LIBRARY_ROMAN_H
#define EXAMPLES_LIBRARY_ROMAN_H

namespace roman {

/// The longest numeral below 4000, MMMDCCCLXXXVIII, and its end.
constexpr int MostLetters = 16;

/// Writes a number below 4000; returns how many letters it has.
int write(int number, char *text);
/// The number that a text says.
int read(const char *text);

} // namespace roman

#endif // EXAMPLES_LIBRARY_ROMAN_H
