// Leaving a kernel that fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guarded call can be ended from anywhere below it: by a trap or a fault
// handler, on this stack or on a fiber's. Leaving the call restores the
// registers that it saved and makes it return 1. No destructors run; only
// kernel code and a few plain frames of the runtime are skipped.

#ifndef XCC_SRC_CPU_FAULTS_GUARD_H
#define XCC_SRC_CPU_FAULTS_GUARD_H

extern "C" {

/// Calls \p function(\p argument) after storing the stack pointer to return to
/// in \p recovery. Returns 0, or 1 when left with xcc_rt_guarded_leave.
int xcc_rt_guarded_call(void **recovery, void (*function)(void *),
                        void *argument);
/// Makes the guarded call that stored \p recovery return 1.
[[noreturn]] void xcc_rt_guarded_leave(void *recovery);

/// Saves the caller's registers and stack in \p *from and continues at \p to: a
/// stack that an earlier switch saved, or a new fiber's.
void xcc_rt_switch(void **from, void *to);
/// The start of a new fiber: calls the function in rbx with r12 as argument.
/// That function must not return.
void xcc_rt_fiber_start(void);
}

#endif // XCC_SRC_CPU_FAULTS_GUARD_H
