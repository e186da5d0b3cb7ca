// What kernels reach, and which kernels reach an object
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

/// A function, and every function and variable that it reaches.
UsedObjects usedBy(const llvm::Function &function);

/// Whether a kernel reaches a function.
bool leadsTo(const llvm::Module &module, const Kernel &kernel,
             const llvm::Function &function);

/// The kernels that reach an object, as "kernel 'f(int)', kernel 'g()'".
std::string kernelsThatUse(const llvm::GlobalObject &object,
                           const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_USES_H
