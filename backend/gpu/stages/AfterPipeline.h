// GPU steps after LLVM's pipeline
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

/// In an optimised module, defines the test of checkForeignCalls with the list
/// of this image's functions.
void listOwnFunctions(llvm::Module &module);

/// Replaces atomic operations on a thread's own memory by plain code. If an
/// address may or may not be of such memory, the code tests it with the
/// intrinsic `isLocal`.
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

/// Removes cycles between initial values, and orders variables so that each
/// follows those that its initial value names. A reference that closes a cycle
/// names a declared variable instead, which the target must make equal to the
/// defined one. Such variables get external linkage.
std::vector<Ahead> breakCycles(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_AFTERPIPELINE_H
