// perror
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print.h"

using namespace xcc::device;

namespace {
void print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  __xcc_print(FileError, 0, format, list);
  va_end(list);
}
} // namespace

XCC_SERVICE void perror(const char *text) {
  if (text && *text)
    print("%s: %m\n", text);
  else
    print("%m\n");
}
