// GPUs: what is done after LLVM's pipeline
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on optimised code, before the code generator runs. docs/passes.md (sections
// 6 and 9) gives the order and its reasons.

#ifndef XCC_BACKEND_GPU_STAGES_AFTERPIPELINE_H
#define XCC_BACKEND_GPU_STAGES_AFTERPIPELINE_H

#include "Kernel.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Intrinsics.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

/// Lists the functions that are this image's own, of an optimised module, for
/// checkForeignCalls.
void listOwnFunctions(llvm::Module &module);

/// Makes plain code of atomic operations on a thread's own memory. Where an
/// address may be of such memory, the code tests it with the intrinsic `isLocal`.
void lowerOwnAtomics(llvm::Module &module, llvm::Intrinsic::ID isLocal,
                     llvm::CallingConv::ID kernels);

/// For -foffload-red-zones: puts zones around local variables, and tells a
/// simulator where they are; see RedZones.cpp.
void zoneStacks(llvm::Module &module);

/// The same for block_shared variables.
void zoneShared(llvm::Module &module, const KernelTable &kernels);

/// A variable, and the name by which initial values before it refer to it.
struct Ahead {
  std::string variable, name;
};

/// Removes circles of variables' initial values, and orders variables so that
/// each stands behind what its initial value names. A reference that closes a
/// circle names a declared variable instead; the target has to make the two the
/// same. Gives such variables external linkage.
std::vector<Ahead> cutCircles(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_AFTERPIPELINE_H
