// Memory that a kernel overwrites
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a kernel writes is copied to the device as well, because the
// kernel may not overwrite all of it. For one shape of code, it is known how
// much it writes: each thread, or each whose position along x is below an
// argument, stores the element at its position, on every path to its end.
// xcc::parallel_for does so:
//
//     if (i < n) y[first + i] = ...;
//
// Only that shape is found. The runtime knows the arguments and the number of
// threads, so it can tell whether these overwrite all of the memory. It also
// knows which memory is read through another address.

#ifndef XCC_BACKEND_ACCESS_OVERWRITES_H
#define XCC_BACKEND_ACCESS_OVERWRITES_H

#include "Kernel.h"
#include "Objects.h"
#include "targets/Target.h"

namespace llvm {
class Function;
} // namespace llvm

namespace xcc::access {

/// The column overwrites= of a kernel; empty if there is none. \p objects
/// describe its accesses.
std::string overwritesOf(const llvm::Function &entry, const Kernel &kernel,
                         KernelArguments arguments, const Objects &objects);

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_OVERWRITES_H
