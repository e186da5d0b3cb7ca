// GPU steps before device libraries are linked
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They run on the linked module of all units. Warp operations and barriers are
// still where the source has them, and library functions that a step calls are
// linked afterwards. docs/passes.md (section 5) gives the order and its
// reasons.

#ifndef XCC_BACKEND_GPU_STAGES_BEFORELIBRARIES_H
#define XCC_BACKEND_GPU_STAGES_BEFORELIBRARIES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Instruction;
class Module;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// Keeps available_externally definitions (vtables, inline functions), which
/// Clang generates for the optimiser only, because the host's C++ library or
/// another file defines them. For a GPU no other file does, and after the
/// optimiser it is too late to link them.
void ownAvailable(llvm::Module &module);

/// Removes unwinding, which GPUs do not support: calls that could throw only
/// return, and a throw ends the launch in the device runtime.
void removeUnwinding(llvm::Module &module);

/// Makes threads that initialise a static local variable do so one after the
/// other in a loop, so that none waits for another of its warp (Guards.cpp).
/// For the front end's IR.
void loopGuards(llvm::Module &module);

/// Makes a launch end with an error if the last owner (std::shared_ptr) of a
/// host object is destroyed in it (SharedOwners.cpp). For the front end's IR.
void checkSharedOwners(llvm::Module &module);

/// In a link with several images, makes a call of another image's function,
/// which is impossible, end the launch with an error (ForeignCalls.cpp).
void checkForeignCalls(llvm::Module &module);

/// Keeps code before a `break` or `return` in its loop iteration, if it
/// contains a warp operation (Iterations.cpp). For the front end's IR.
void keepIterations(llvm::Module &module, const BarrierOps &ops);

/// Moves xcc::block_shared variables to shared memory.
void placeShared(llvm::Module &module);

/// Replaces LLVM's math intrinsics by calls of the C library's functions, except
/// those for which `keep` says that the back end has code.
void lowerMathIntrinsics(llvm::Module &module,
                         llvm::function_ref<bool(const llvm::CallInst &)> keep);

/// Replaces an instruction on vectors (an intrinsic, an operation or a cast) by
/// one for each element. Returns the new instructions.
llvm::SmallVector<llvm::Instruction *> scalarize(llvm::Instruction *inst);

/// Makes each conversion to a narrower floating-point type round separately
/// (WideNumbers.cpp).
void roundEachTime(llvm::Module &module);

/// Replaces conversions between floating point and integers of more than 64 bits
/// by calls of the device runtime, and those of more than 128 by shifts; see
/// WideNumbers.cpp.
void lowerWideConversions(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_BEFORELIBRARIES_H
