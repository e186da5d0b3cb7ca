// Merges all barriers of a kernel into one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H
#define XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H

#include "BarrierPaths.h"

namespace xcc::gpu {

struct BarrierOps;

/// Rewrites a kernel as a state machine, as StateMachine.cpp shows, starting at
/// the first harmful branch.
void makeStateMachine(llvm::Function &function, const BarrierPaths &paths,
                      const BarrierOps &ops,
                      llvm::ArrayRef<llvm::CallInst *> barriers);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_BARRIERS_STATEMACHINE_H
