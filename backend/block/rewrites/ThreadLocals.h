// Variables that each device thread has of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the machine runs the threads of a block in turns, so what the
// machine has for thread_local is no help. A device thread begins and ends with
// its kernel, so its variables are a record among the kernel's locals, made at
// its begin, and the machine's thread knows that of the device thread which it
// runs: a pointer, written when a device thread begins and whenever it goes on,
// and null when none runs. A function that finds null was called by another
// image's kernel, or in a thread that a kernel started; the runtime has its
// variables. What Clang makes of initialisers and destructors (guards, _ZTH
// functions, __cxa_thread_atexit) works on such variables as on any.

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

/// An xcc_cpu_thread_local that describes \p variable.
llvm::GlobalVariable *
makeThreadLocalRecord(llvm::GlobalVariable &variable,
                      llvm::GlobalValue::LinkageTypes linkage,
                      const llvm::Twine &name);
/// One that is defined elsewhere.
llvm::GlobalVariable *declareThreadLocalRecord(llvm::Module &m,
                                               const llvm::Twine &name);
/// A call for the thread's own variable, of which \p record tells; a kernel
/// that comes to one has threads that the runtime knows.
llvm::Value *callThreadLocal(llvm::IRBuilderBase &b,
                             llvm::GlobalVariable &record);

/// The record of a kernel that has one.
llvm::AllocaInst *threadRecordOf(llvm::Function &kernel);
/// Makes \p record that of the device thread that runs from now on.
void enterThread(llvm::IRBuilderBase &b, llvm::Value *record);
/// From now on none of this image's kernels runs.
void leaveThread(llvm::IRBuilderBase &b);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H
