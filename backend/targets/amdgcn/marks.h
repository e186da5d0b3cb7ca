// Marks of what orders threads, for a simulator that looks for races
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_MARKS_H
#define XCC_BACKEND_TARGETS_AMDGCN_MARKS_H

#include "Kernel.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::amdgcn {

/// Adds the marks of formats/race_marks.h.
void markOrder(llvm::Module &module, const KernelTable &kernels);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_MARKS_H
