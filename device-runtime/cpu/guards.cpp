// Static local variables, which the first thread initialises
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the CPU device, where the runtime knows who waits for whom, and who will
// not come back (Itanium C++ ABI, 3.3.2 "One-time Construction API").

#include "xcc/abi.h"

extern "C" {
extern xcc_cpu_image __xcc_image;

int __cxa_guard_acquire(uint64_t *guard) {
  return __xcc_image.services->guard_acquire(guard);
}
void __cxa_guard_release(uint64_t *guard) {
  __xcc_image.services->guard_release(guard);
}
/// An exception has left the initialiser.
void __cxa_guard_abort(uint64_t *guard) {
  __xcc_image.services->guard_abort(guard);
}
}
