// What the printf family comes to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print.h"

using namespace xcc::device;

extern "C" [[gnu::noinline]] int __xcc_print(uint64_t file, uint64_t flags,
                                             const char *format,
                                             va_list arguments) {
  PrintMessage m(file, flags, format, arguments);
  if (m.refused()) {
    setErrno(ErrInvalid);
    return -1;
  }
  return int(checked(call(ServicePrint, m)));
}

extern "C" [[gnu::noinline]] int
__xcc_format(char *to, uint64_t size, const char *format, va_list arguments) {
  PrintMessage m(size, 0, format, arguments);
  if (m.refused()) {
    setErrno(ErrInvalid);
    return -1;
  }
  Buffer out{to, size ? size - 1 : 0};
  int64_t n = checked(call(ServiceFormat, m, out));
  if (size)
    to[out.size] = 0;
  return int(n);
}
