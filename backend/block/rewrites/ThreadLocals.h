// thread_local variables of device threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One machine thread runs the threads of a block in turns, so the machine's
// thread_local variables cannot be the device threads'. A device thread begins
// and ends with its kernel. So its variables are a record among the kernel's
// locals, created at the start. Each machine thread has a pointer to the record
// of the device thread that it runs. The pointer is written when a device
// thread begins or continues, and is null when none runs. A function that finds
// null was called by a kernel of another image, or on a thread that a kernel
// started; the runtime then has its variables. Clang's code for initialisers
// and destructors (guards, _ZTH functions, __cxa_thread_atexit) works on such
// variables as on any.

#ifndef XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H
#define XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// Makes kernels that may register destructors of such variables run them when
/// a thread returns. Runs before libraries are linked.
void endThreads(llvm::Module &m);

/// Puts the thread_local variables that \p m defines into records, one for each
/// thread of a kernel that reaches such a variable. Variables of libraries stay
/// the machine's. Runs after invokes became calls.
void lowerThreadLocals(llvm::Module &m);

/// An xcc_cpu_thread_local that describes \p variable.
llvm::GlobalVariable *
makeThreadLocalRecord(llvm::GlobalVariable &variable,
                      llvm::GlobalValue::LinkageTypes linkage,
                      const llvm::Twine &name);
/// The same, defined elsewhere.
llvm::GlobalVariable *declareThreadLocalRecord(llvm::Module &m,
                                               const llvm::Twine &name);
/// Calls the runtime for the thread's own copy of the variable that \p record
/// describes. The threads of a kernel that reaches such a call are fibers.
llvm::Value *callThreadLocal(llvm::IRBuilderBase &b,
                             llvm::GlobalVariable &record);

/// The record of \p kernel; null if it has none.
llvm::AllocaInst *threadRecordOf(llvm::Function &kernel);
/// Makes \p record that of the device thread that runs from now on.
void enterThread(llvm::IRBuilderBase &b, llvm::Value *record);
/// Says that none of this image's kernels runs from now on.
void leaveThread(llvm::IRBuilderBase &b);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_THREADLOCALS_H
