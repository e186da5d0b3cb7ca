// Ending a kernel that does not end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal makes the threads that run a kernel leave it, as a fault of the kernel
// does. A thread leaves in the image's code, or while it waits for the system. In
// a library's function it may hold a lock, so it continues until the next signal.

#ifndef XCC_SRC_CPU_FAULTS_INTERRUPT_H
#define XCC_SRC_CPU_FAULTS_INTERRUPT_H

#include "devices/device.h"

#include <csignal>

namespace xcc::rt::cpu {

/// Asks all threads that run the kernel to leave it; its launch fails then.
/// \p why: what the error says, which stays where it is. Any thread, one at a
/// time. Until it has ended, again and again: the kernel must not go meanwhile.
void interrupt(const Kernel &running, const char *why, bool alsoWaiting);

/// For the handler: is it such a signal?
bool isInterrupt(const siginfo_t *info);
/// Where the thread that was interrupted \p at an instruction goes on; null: where
/// it was.
void *leaveInterrupted(uintptr_t at);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_INTERRUPT_H
