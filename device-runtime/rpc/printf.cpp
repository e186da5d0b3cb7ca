// printf and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Includes the names that the GNU C library's fortified headers use. Each call
// waits until the host has written, so the texts of a thread stay in order.

#include "print.h"
#include "streams.h"

using namespace xcc::device;

// Output to files

XCC_SERVICE int vfprintf(void *file, const char *format, va_list list) {
  return __xcc_print(handle(file), 0, format, list);
}
XCC_SERVICE int vprintf(const char *format, va_list list) {
  return __xcc_print(FileOut, 0, format, list);
}
XCC_SERVICE int vdprintf(int descriptor, const char *format, va_list list) {
  return __xcc_print(uint32_t(descriptor), PrintDescriptor, format, list);
}
XCC_SERVICE int printf(const char *format, ...) {
  XCC_FORWARD(format, __xcc_print(FileOut, 0, format, list));
}
XCC_SERVICE int fprintf(void *file, const char *format, ...) {
  XCC_FORWARD(format, __xcc_print(handle(file), 0, format, list));
}
XCC_SERVICE int dprintf(int descriptor, const char *format, ...) {
  XCC_FORWARD(format,
              __xcc_print(uint32_t(descriptor), PrintDescriptor, format, list));
}
XCC_SERVICE int __vfprintf_chk(void *file, int, const char *format,
                               va_list list) {
  return __xcc_print(handle(file), 0, format, list);
}
XCC_SERVICE int __vprintf_chk(int, const char *format, va_list list) {
  return __xcc_print(FileOut, 0, format, list);
}
XCC_SERVICE int __vdprintf_chk(int descriptor, int, const char *format,
                               va_list list) {
  return __xcc_print(uint32_t(descriptor), PrintDescriptor, format, list);
}
XCC_SERVICE int __printf_chk(int, const char *format, ...) {
  XCC_FORWARD(format, __xcc_print(FileOut, 0, format, list));
}
XCC_SERVICE int __fprintf_chk(void *file, int, const char *format, ...) {
  XCC_FORWARD(format, __xcc_print(handle(file), 0, format, list));
}
XCC_SERVICE int __dprintf_chk(int descriptor, int, const char *format, ...) {
  XCC_FORWARD(format,
              __xcc_print(uint32_t(descriptor), PrintDescriptor, format, list));
}

// Output to memory. The buffer size that fortified calls pass is a limit, too.

XCC_SERVICE int vsnprintf(char *to, size_t size, const char *format,
                          va_list list) {
  return __xcc_format(to, size, format, list);
}
XCC_SERVICE int vsprintf(char *to, const char *format, va_list list) {
  return __xcc_format(to, Most, format, list);
}
XCC_SERVICE int snprintf(char *to, size_t size, const char *format, ...) {
  XCC_FORWARD(format, __xcc_format(to, size, format, list));
}
XCC_SERVICE int sprintf(char *to, const char *format, ...) {
  XCC_FORWARD(format, __xcc_format(to, Most, format, list));
}
XCC_SERVICE int __vsnprintf_chk(char *to, size_t size, int, size_t room,
                                const char *format, va_list list) {
  return __xcc_format(to, size < room ? size : room, format, list);
}
XCC_SERVICE int __vsprintf_chk(char *to, int, size_t room, const char *format,
                               va_list list) {
  return __xcc_format(to, room, format, list);
}
XCC_SERVICE int __snprintf_chk(char *to, size_t size, int, size_t room,
                               const char *format, ...) {
  XCC_FORWARD(format,
              __xcc_format(to, size < room ? size : room, format, list));
}
XCC_SERVICE int __sprintf_chk(char *to, int, size_t room, const char *format,
                              ...) {
  XCC_FORWARD(format, __xcc_format(to, room, format, list));
}
