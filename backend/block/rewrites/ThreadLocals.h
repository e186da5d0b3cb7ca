// Variables that each device thread has of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the machine runs the threads of a block in turns, so what the
// machine has for thread_local is no help. A device thread begins and ends with
// its kernel, so its variables are a record among the kernel's locals, made at
// its begin, and the machine's thread knows that of the device thread which it
// runs: a pointer, written when a device thread begins and whenever it goes on. What Clang makes of initialisers and destructors (guards,
// _ZTH functions, __cxa_thread_atexit) works on such variables as on any.

#ifndef XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H
#define XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// Before libraries are linked: kernels that come to register destructors of
/// such variables run these when a thread returns.
void endThreads(llvm::Module &m);

/// Puts the thread_local variables that \p m defines into records, one for each
/// thread of a kernel that reaches one. Those of libraries stay the machine's.
/// Calls are not invokes any more.
void lowerThreadLocals(llvm::Module &m);

/// The record of a kernel that has one.
llvm::AllocaInst *threadRecordOf(llvm::Function &kernel);
/// Makes \p record that of the device thread that runs from now on.
void enterThread(llvm::IRBuilderBase &b, llvm::Value *record);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H
