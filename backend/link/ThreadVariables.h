// thread_local variables of several images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device thread may run code of several images: a program's image contains
// code of a library, and may call the library's image through a pointer. If
// both use the same thread_local variable, the thread must have only one. So if
// there may be several images, such a variable is not part of a kernel's record
// (block/rewrites/ThreadLocals.h). It is replaced by an xcc_cpu_thread_local
// record, a device variable like others that a library shares. The runtime
// finds the thread's variable by the record's address.

#ifndef XCC_BACKEND_LINK_THREADVARIABLES_H
#define XCC_BACKEND_LINK_THREADVARIABLES_H

#include "DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Replaces the thread_local variables that a unit defines by such records.
void shareThreadVariables(llvm::Module &unit);

/// Makes a joined module use the records of the variables that its own units or
/// `inputs` define. Other variables are those of the host's libraries.
void useThreadVariables(llvm::Module &module,
                        llvm::ArrayRef<DeviceModule *> inputs);

/// The name of the variable for which a record with this name stands; other
/// names are returned unchanged.
llvm::StringRef nameOfVariable(llvm::StringRef symbol);

} // namespace xcc

#endif // XCC_BACKEND_LINK_THREADVARIABLES_H
