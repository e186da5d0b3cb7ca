// Functions behind the printf family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print.h"

using namespace xcc::device;

/// Stores the count of each %n: the length of the text that the format gives up
/// to it.
[[gnu::noinline, gnu::cold]] static void writeCounts(const char *format,
                                                     va_list arguments) {
  Conversion c;
  const char *at = format, *const end = format + strlen(format);
  while (nextConversion(at, end, c))
    if (c.kind == Argument::Count) {
      PrintMessage upTo(0, 0, format, uint64_t(at - format), arguments);
      Buffer none{nullptr, 0};
      upTo.writeCount(checked(call(ServiceFormat, upTo, none)));
    }
}

extern "C" [[gnu::noinline]] int __xcc_print(uint64_t file, uint64_t flags,
                                             const char *format,
                                             va_list arguments) {
  PrintMessage m(file, flags, format, arguments);
  if (m.refused()) {
    setErrno(ErrInvalid);
    return -1;
  }
  const int n = int(checked(call(ServicePrint, m)));
  if (m.counts() && n >= 0)
    writeCounts(format, arguments);
  return n;
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
  if (m.counts() && n >= 0)
    writeCounts(format, arguments);
  return int(n);
}
