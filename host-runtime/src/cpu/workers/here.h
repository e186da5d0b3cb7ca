// Running a kernel as a function of the calling thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program (-foffload-main) is one thread that may do all that a process
// does: handle signals, fork, replace its stack. So it runs in the process's
// first thread, on its stack, without a queue and without handling of faults.

#ifndef XCC_SRC_CPU_WORKERS_HERE_H
#define XCC_SRC_CPU_WORKERS_HERE_H

#include "dispatch.h"

namespace xcc::rt::cpu {

/// Implements Device::runInCallingThread; one such kernel runs at a time.
bool runInCallingThread(int device, const CpuKernel &kernel,
                        const void *kernarg);

/// The record of that kernel's thread, or of a thread that it started.
xcc_cpu_thread *threadHere();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_HERE_H
