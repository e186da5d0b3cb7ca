// Initialisation of static local variables on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the runtime, which knows the thread that initialises a variable, and
// which threads wait for it or have failed (Itanium C++ ABI, 3.3.2 "One-time
// Construction API").

#include "xcc/abi.h"

extern "C" {
extern xcc_cpu_image __xcc_image;

int __cxa_guard_acquire(uint64_t *guard) {
  return __xcc_image.services->guard_acquire(guard);
}
void __cxa_guard_release(uint64_t *guard) {
  __xcc_image.services->guard_release(guard);
}
/// Called when an exception has left the initialiser.
void __cxa_guard_abort(uint64_t *guard) {
  __xcc_image.services->guard_abort(guard);
}
}
