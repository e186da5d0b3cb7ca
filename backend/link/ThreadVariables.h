// thread_local variables of several images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device thread may come through several images: a program's kernel has code
// of a library in its image and calls the library's own through a pointer, and
// both use one thread_local variable, of which the thread has one. So where
// there may be several images, such a variable is no part of a kernel's record
// (block/rewrites/ThreadLocals.h): what stands for it is an xcc_cpu_thread_local,
// a variable of the device like any other that a library shares, by whose
// address the runtime finds the thread's own.

#ifndef XCC_BACKEND_LINK_THREADVARIABLES_H
#define XCC_BACKEND_LINK_THREADVARIABLES_H

#include "DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Puts such records in the place of the variables that a unit defines.
void shareThreadVariables(llvm::Module &unit);

/// Has a joined module use the records of those that it names and `inputs`,
/// or units of its own, define. Others are variables of the host's libraries.
void useThreadVariables(llvm::Module &module,
                        llvm::ArrayRef<DeviceModule *> inputs);

/// The name of the variable that a record of this name stands for; that of any
/// other variable as it is.
llvm::StringRef nameOfVariable(llvm::StringRef symbol);

} // namespace xcc

#endif // XCC_BACKEND_LINK_THREADVARIABLES_H
