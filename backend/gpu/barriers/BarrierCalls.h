// Inlines functions that contain barriers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BarrierCalls.cpp.

#ifndef XCC_BACKEND_GPU_BARRIERS_BARRIERCALLS_H
#define XCC_BACKEND_GPU_BARRIERS_BARRIERCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace xcc::gpu {

/// Functions with a barrier, and those that reach one by direct calls.
llvm::SetVector<llvm::Function *>
leadingToBarriers(llvm::Module &module,
                  llvm::function_ref<bool(const llvm::CallBase &)> isBarrier);

/// Inlines every function that leads to a barrier into its callers, except
/// recursive ones. Returns false if there is no barrier.
bool inlineBarriers(llvm::Module &module,
                    llvm::function_ref<bool(const llvm::CallBase &)> isBarrier);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_BARRIERS_BARRIERCALLS_H
