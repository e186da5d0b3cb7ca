// perror
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print.h"

using namespace xcc::device;

namespace {
void print(const char *Format, ...) {
  va_list List;
  va_start(List, Format);
  __xcc_print(FileError, 0, Format, List);
  va_end(List);
}
} // namespace

XCC_SERVICE void perror(const char *Text) {
  if (Text && *Text)
    print("%s: %m\n", Text);
  else
    print("%m\n");
}
