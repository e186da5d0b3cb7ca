// GPU steps before LLVM's pipeline
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They run on the module of an image, libraries included. docs/passes.md
// (section 6) gives the order and its reasons.

#ifndef XCC_BACKEND_GPU_STAGES_BEFOREPIPELINE_H
#define XCC_BACKEND_GPU_STAGES_BEFOREPIPELINE_H

#include "Kernel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// Replaces symbols that are declared weak and not defined by null. Needs the
/// module of a whole image.
void makeWeakSymbolsNull(llvm::Module &module);

/// Ends a launch that is about to fail before it calls a function that no file
/// defines for the device (FailingPaths.cpp).
void endFailingPaths(llvm::Module &module);

/// Gives every function the same CPU and features.
void setMachine(llvm::Module &module, llvm::StringRef cpu,
                llvm::StringRef features);

/// Allows float arithmetic to take denormals for zero.
void flushDenormals(llvm::Module &module);

/// Replaces addresses of labels by numbers, and indirect branches by switches.
void lowerIndirectBranches(llvm::Module &module);

/// Truncates the precisions that libstdc++ passes to its printf to int
/// (Precisions.cpp).
void narrowPrecisions(llvm::Module &module);

/// Gives coroutines' empty functions a parameter for the frame
/// (Coroutines.cpp).
void addFramesToNoops(llvm::Module &module);

/// Adds __restrict to an entry's parameters if the kernel that will be inlined
/// into it has it.
void keepRestrict(llvm::Module &module, const KernelTable &kernels);

/// Sets errno to 0 at the start of each thread; see Errno.cpp.
void clearErrno(llvm::Module &module, const KernelTable &kernels);

/// Inlines kernels into their entries, even without optimisation: a thread that
/// leaves a kernel has ended only if there is no caller.
void inlineKernels(llvm::Module &module, const KernelTable &kernels);

/// Turns tail recursion in functions that lead to a barrier into loops. Returns
/// an error if a kernel uses one with other recursion (RecursiveBarriers.cpp).
llvm::Error loopRecursiveBarriers(llvm::Module &module,
                                  llvm::TargetMachine &machine,
                                  const BarrierOps &ops,
                                  const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_BEFOREPIPELINE_H
