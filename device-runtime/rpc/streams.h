// Helpers of functions on streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_RPC_STREAMS_H
#define XCC_DEVICE_RPC_STREAMS_H

#include "call.h"
#include <stdarg.h>
#include <stdint.h>

namespace xcc::device {

/// A FILE * of device code is the number that the host assigned.
inline uint64_t handle(void *file) { return reinterpret_cast<uint64_t>(file); }
inline void *fileOf(uint64_t handle) {
  return reinterpret_cast<void *>(handle);
}

/// The bytes of \p count elements for fread and fwrite. Returns 0 if there is
/// nothing to do, or, with errno set, if there are too many.
inline size_t bytesOf(size_t size, size_t count) {
  size_t bytes;
  if (!__builtin_mul_overflow(size, count, &bytes))
    return bytes;
  setErrno(ErrInvalid);
  return 0;
}

} // namespace xcc::device

/// Calls a function with the variable arguments as a va_list and returns its
/// result.
#define XCC_FORWARD(last, call)                                                \
  va_list list;                                                                \
  va_start(list, last);                                                        \
  int result = call;                                                           \
  va_end(list);                                                                \
  return result

#endif // XCC_DEVICE_RPC_STREAMS_H
