// What kernels lead to, and which kernels lead to something
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_CHECKS_USES_H
#define XCC_BACKEND_GPU_CHECKS_USES_H

#include "Kernel.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class GlobalObject;
class Module;
} // namespace llvm

namespace xcc::gpu {

using UsedObjects = llvm::SmallSetVector<const llvm::GlobalObject *, 32>;

/// A function, and every function and variable that it leads to.
UsedObjects usedBy(const llvm::Function &function);

/// Whether a kernel's code refers to a function, through others or not.
bool leadsTo(const llvm::Module &module, const Kernel &kernel,
             const llvm::Function &function);

/// "kernel 'f(int)', kernel 'g()'": the kernels that lead to an object.
std::string kernelsThatUse(const llvm::GlobalObject &object,
                           const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_USES_H
