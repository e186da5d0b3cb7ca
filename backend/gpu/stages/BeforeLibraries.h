// GPUs: what is done before device libraries are linked
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on the linked module of all units. Warp operations and barriers are still
// where the source has them, and a call of a library function that a step makes is
// linked afterwards. docs/passes.md (section 5) gives the order and its reasons.

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

/// Keeps what Clang generates for the optimiser alone, since the host's C++
/// library or another file has it: vtables, inline functions. Nothing else
/// defines them for a GPU, and after the optimiser it is too late to link them.
void ownAvailable(llvm::Module &module);

/// No exception unwinds on a GPU: calls that could throw just return, and a
/// throw ends in the device runtime.
void removeUnwinding(llvm::Module &module);

/// Makes threads that initialise a static variable take turns in a loop, so that
/// none waits for another of its warp; see Guards.cpp. For the front end's IR.
void loopGuards(llvm::Module &module);

/// Makes the last owner (std::shared_ptr) of an object that the host made end the
/// launch with an error; see SharedOwners.cpp. For the front end's IR.
void checkSharedOwners(llvm::Module &module);

/// Makes calls of another image's functions, which are not possible, end the
/// launch with an error, in a module that may come to some; see ForeignCalls.cpp.
void checkForeignCalls(llvm::Module &module);

/// Keeps code before a `break` or `return` in its iteration of the loop, if it
/// contains a warp operation. For the front end's IR; see Iterations.cpp.
void keepIterations(llvm::Module &module, const BarrierOps &ops);

/// Puts xcc::block_shared variables into the memory that a block shares.
void placeShared(llvm::Module &module);

/// Replaces LLVM's math intrinsics by calls of the C library's functions, except
/// those for which `keep` says that the back end has code.
void lowerMathIntrinsics(llvm::Module &module,
                         llvm::function_ref<bool(const llvm::CallInst &)> keep);

/// Replaces an instruction on vectors (an intrinsic, an operation or a cast) by
/// one for each element. Returns the new instructions.
llvm::SmallVector<llvm::Instruction *> takeApart(llvm::Instruction *inst);

/// Makes each conversion to a narrower floating-point type round by itself; see
/// WideNumbers.cpp.
void roundEachTime(llvm::Module &module);

/// Replaces conversions between floating point and integers of more than 64 bits
/// by calls of the device runtime, and those of more than 128 by shifts; see
/// WideNumbers.cpp.
void lowerWideConversions(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_BEFORELIBRARIES_H
