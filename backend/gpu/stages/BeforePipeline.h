// GPUs: what is done before LLVM's pipeline
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on the module of an image, libraries included. docs/passes.md (section 6)
// gives the order and its reasons.

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

/// Makes symbols null that are declared weak and that nothing defines. Needs the
/// module of a whole image.
void makeWeakSymbolsNull(llvm::Module &module);

/// Ends a launch that is about to fail before it calls what nothing defines for
/// the device; see FailingPaths.cpp.
void endFailingPaths(llvm::Module &module);

/// Gives every function the same CPU and features.
void setMachine(llvm::Module &module, llvm::StringRef cpu,
                llvm::StringRef features);

/// Allows float arithmetic to take denormals for zero.
void flushDenormals(llvm::Module &module);

/// Replaces addresses of labels by numbers, and indirect branches by switches.
void lowerIndirectBranches(llvm::Module &module);

/// Makes ints of the precisions that libstdc++ gives to its printf.
void narrowPrecisions(llvm::Module &module);

/// Gives the functions of coroutines that do nothing the parameter for a frame;
/// see Coroutines.cpp.
void giveFramesToNoops(llvm::Module &module);

/// Marks the parameters of an entry __restrict whose kernel, which will be
/// inlined into it, has them so.
void keepRestrict(llvm::Module &module, const KernelTable &kernels);

/// Sets errno to 0 at the start of each thread; see Errno.cpp.
void clearErrno(llvm::Module &module, const KernelTable &kernels);

/// Inlines the kernels into their entries, without optimisation too: a thread
/// that leaves a kernel has ended only where no caller is left.
void inlineKernels(llvm::Module &module, const KernelTable &kernels);

/// Makes loops of functions that lead to a barrier and call themselves at their
/// end. An error if a kernel uses others that recurse; see RecursiveBarriers.cpp.
llvm::Error loopRecursiveBarriers(llvm::Module &module,
                                  llvm::TargetMachine &machine,
                                  const BarrierOps &ops,
                                  const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_BEFOREPIPELINE_H
