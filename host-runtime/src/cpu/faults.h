//===-- cpu/faults.h - Signals that kernels raise ---------------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reads a bad address or divides by zero raises a signal on the
// thread that runs it. Handlers turn that into the launch's failure; a fault
// of any other code goes to whoever handled the signal before.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_SRC_CPU_FAULTS_H
#define XCC_SRC_CPU_FAULTS_H

namespace xcc::rt::cpu {

/// Installs the handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL.
void installFaultHandlers();
/// Puts the earlier handlers back where ours are still installed.
void removeFaultHandlers();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_H
