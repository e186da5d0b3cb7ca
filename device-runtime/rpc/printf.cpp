// printf and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the names that the GNU C library's fortified headers use. Each waits
// until the host has written, so the texts of a thread stay in order.

#include "print.h"

using namespace xcc::device;

namespace {
uint64_t handle(void *File) { return reinterpret_cast<uint64_t>(File); }
} // namespace

/// A function's variable arguments as a va_list for one call.
#define FORWARD(last, call)                                                    \
  va_list List;                                                                \
  va_start(List, last);                                                        \
  int Result = call;                                                           \
  va_end(List);                                                                \
  return Result

// To files.

XCC_SERVICE int vfprintf(void *File, const char *Format, va_list List) {
  return __xcc_print(handle(File), 0, Format, List);
}
XCC_SERVICE int vprintf(const char *Format, va_list List) {
  return __xcc_print(FileOut, 0, Format, List);
}
XCC_SERVICE int vdprintf(int Descriptor, const char *Format, va_list List) {
  return __xcc_print(uint32_t(Descriptor), PrintDescriptor, Format, List);
}
XCC_SERVICE int printf(const char *Format, ...) {
  FORWARD(Format, __xcc_print(FileOut, 0, Format, List));
}
XCC_SERVICE int fprintf(void *File, const char *Format, ...) {
  FORWARD(Format, __xcc_print(handle(File), 0, Format, List));
}
XCC_SERVICE int dprintf(int Descriptor, const char *Format, ...) {
  FORWARD(Format,
          __xcc_print(uint32_t(Descriptor), PrintDescriptor, Format, List));
}
XCC_SERVICE int __vfprintf_chk(void *File, int, const char *Format,
                               va_list List) {
  return __xcc_print(handle(File), 0, Format, List);
}
XCC_SERVICE int __vprintf_chk(int, const char *Format, va_list List) {
  return __xcc_print(FileOut, 0, Format, List);
}
XCC_SERVICE int __vdprintf_chk(int Descriptor, int, const char *Format,
                               va_list List) {
  return __xcc_print(uint32_t(Descriptor), PrintDescriptor, Format, List);
}
XCC_SERVICE int __printf_chk(int, const char *Format, ...) {
  FORWARD(Format, __xcc_print(FileOut, 0, Format, List));
}
XCC_SERVICE int __fprintf_chk(void *File, int, const char *Format, ...) {
  FORWARD(Format, __xcc_print(handle(File), 0, Format, List));
}
XCC_SERVICE int __dprintf_chk(int Descriptor, int, const char *Format, ...) {
  FORWARD(Format,
          __xcc_print(uint32_t(Descriptor), PrintDescriptor, Format, List));
}

// To memory. The size that fortified calls know is a limit as well.

XCC_SERVICE int vsnprintf(char *To, size_t Size, const char *Format,
                          va_list List) {
  return __xcc_format(To, Size, Format, List);
}
XCC_SERVICE int vsprintf(char *To, const char *Format, va_list List) {
  return __xcc_format(To, Most, Format, List);
}
XCC_SERVICE int snprintf(char *To, size_t Size, const char *Format, ...) {
  FORWARD(Format, __xcc_format(To, Size, Format, List));
}
XCC_SERVICE int sprintf(char *To, const char *Format, ...) {
  FORWARD(Format, __xcc_format(To, Most, Format, List));
}
XCC_SERVICE int __vsnprintf_chk(char *To, size_t Size, int, size_t Room,
                                const char *Format, va_list List) {
  return __xcc_format(To, Size < Room ? Size : Room, Format, List);
}
XCC_SERVICE int __vsprintf_chk(char *To, int, size_t Room, const char *Format,
                               va_list List) {
  return __xcc_format(To, Room, Format, List);
}
XCC_SERVICE int __snprintf_chk(char *To, size_t Size, int, size_t Room,
                               const char *Format, ...) {
  FORWARD(Format, __xcc_format(To, Size < Room ? Size : Room, Format, List));
}
XCC_SERVICE int __sprintf_chk(char *To, int, size_t Room, const char *Format,
                              ...) {
  FORWARD(Format, __xcc_format(To, Room, Format, List));
}
