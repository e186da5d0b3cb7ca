// Kernels whose warps meet at one barrier for all places
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H
#define XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H

#include "BarrierPaths.h"

namespace xcc::gpu {

struct BarrierOps;

/// Makes a machine with a state for each thread of a kernel, as the head of
/// StateMachine.cpp shows, from the first harmful branch on.
void makeStateMachine(llvm::Function &function, const BarrierPaths &paths,
                      const BarrierOps &ops,
                      llvm::ArrayRef<llvm::CallInst *> barriers);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H
