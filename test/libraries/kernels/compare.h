// The same work on a device and on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_LIBRARIES_COMPARE_H
#define XCC_TEST_LIBRARIES_COMPARE_H

#include <xcc/xcc.h>

#include <cstdio>
#include <cstring>

constexpr unsigned long TextSize = 4096;

/// Runs work(text, size), which writes what it found out, on both.
template <void (*work)(char *, unsigned long)> int compare() {
  static char here[TextSize], there[TextSize];
  xcc::buffer<char> out(TextSize);
  work(here, TextSize);
  xcc::launch({{1}, {1}}, work, out.data(), TextSize);
  out.copy_to(there, TextSize);
  here[TextSize - 1] = there[TextSize - 1] = 0;
  bool equal = !std::strcmp(here, there) && *here;
  std::printf("%s\nhost:   %s\ndevice: %s\n", equal ? "same" : "DIFFERENT", here,
              there);
  return equal ? 0 : 1;
}

#endif // XCC_TEST_LIBRARIES_COMPARE_H
