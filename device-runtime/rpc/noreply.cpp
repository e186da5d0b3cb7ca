// Output whose result is not used
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler may replace calls whose results are unused by these. They still
// wait for the host, so that a thread's texts stay in order; programs must not
// rely on that.

#include "print.h"

using namespace xcc::device;

extern "C" void __xcc_printf_noreply(const char *format, ...) {
  va_list list;
  va_start(list, format);
  __xcc_print(FileOut, 0, format, list);
  va_end(list);
}
extern "C" void __xcc_fprintf_noreply(void *file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  __xcc_print(reinterpret_cast<uint64_t>(file), 0, format, list);
  va_end(list);
}
extern "C" void __xcc_puts_noreply(const char *text) {
  uint64_t size = strlen(text);
  call(ServiceWrite, Message(FileOut, 0, 0, text, size, "\n", 1));
}
