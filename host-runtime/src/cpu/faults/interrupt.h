// Stopping a kernel that does not end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal makes the threads that run a kernel leave it, as a fault does. A
// thread leaves only in the image's code, or while it waits in a system call.
// In a library's function it may hold a lock, so it continues until the next
// signal.

#ifndef XCC_SRC_CPU_FAULTS_INTERRUPT_H
#define XCC_SRC_CPU_FAULTS_INTERRUPT_H

#include "devices/device.h"

#include <csignal>

namespace xcc::rt::cpu {

/// Asks all threads that run the kernel to leave it, and so fails its launch.
/// The error says \p why, which must stay valid. One thread at a time may call
/// this. Call it repeatedly until the kernel has ended; the kernel must live
/// until then.
void interrupt(const Kernel &running, const char *why, bool alsoWaiting);

/// For the signal handler: was the signal sent by interrupt()?
bool isInterrupt(const siginfo_t *info);
/// Where a thread that was interrupted \p at an instruction continues; null to
/// continue there.
void *leaveInterrupted(uintptr_t at);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_INTERRUPT_H
