// Groups kernels that must be in one image
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are generated at different times are in different images, each
// with its own copy of what both use. Some copies would behave differently: a
// variable that one kernel writes and the other reads, a constant whose
// addresses they compare, functions that they call through pointers.

#ifndef XCC_BACKEND_LINK_KERNELGROUPS_H
#define XCC_BACKEND_LINK_KERNELGROUPS_H

#include "Kernel.h"
#include "llvm/IR/Module.h"

namespace xcc {

/// Returns the number of each kernel's group, in the order of the groups' first
/// kernels. \p tied is set for kernels of which a second copy would behave
/// differently, because the kernel uses variables or the like, shared or not.
std::vector<unsigned> groupKernels(const llvm::Module &module,
                                   const KernelTable &kernels,
                                   std::vector<bool> *tied = nullptr);

} // namespace xcc

#endif // XCC_BACKEND_LINK_KERNELGROUPS_H
