// What the printf family comes to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print.h"

using namespace xcc::device;

extern "C" [[gnu::noinline]] int __xcc_print(uint64_t File, uint64_t Flags,
                                             const char *Format,
                                             va_list Arguments) {
  PrintMessage M(File, Flags, Format, Arguments);
  if (M.refused()) {
    setErrno(ErrInvalid);
    return -1;
  }
  return int(checked(call(ServicePrint, M)));
}

extern "C" [[gnu::noinline]] int
__xcc_format(char *To, uint64_t Size, const char *Format, va_list Arguments) {
  PrintMessage M(Size, 0, Format, Arguments);
  if (M.refused()) {
    setErrno(ErrInvalid);
    return -1;
  }
  Buffer Out{To, Size ? Size - 1 : 0};
  int64_t N = checked(call(ServiceFormat, M, Out));
  if (Size)
    To[Out.Size] = 0;
  return int(N);
}
