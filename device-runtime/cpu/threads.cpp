// C functions that would end or split the thread that runs a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the CPU device these functions of the C library end the launch, as does an
// exception that a library throws. ../throws.cpp handles throws in device code,
// for every device.

#include "xcc/abi.h"

extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept;

extern "C" {
// Handlers and cleanups in device code do not run: an exception from a library
// continues to the runtime, which ends the launch.
int __gxx_personality_v0(...) { return 8; } // _URC_CONTINUE_UNWIND

[[noreturn]] void pthread_exit(void *) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "pthread_exit was called", nullptr, 0);
}
[[noreturn]] void thrd_exit(int) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "thrd_exit was called", nullptr, 0);
}
int pthread_cancel(unsigned long) {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "pthread_cancel was called", nullptr, 0);
}
int fork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "fork was called", nullptr, 0);
}
int _Fork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "_Fork was called", nullptr, 0);
}
int vfork() noexcept {
  __xcc_trap(XCC_CPU_TRAP_ABORT, "vfork was called", nullptr, 0);
}
}
