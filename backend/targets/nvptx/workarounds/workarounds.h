// Workarounds for bugs and omissions of LLVM 22 and ptxas on NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_WORKAROUNDS_WORKAROUNDS_H
#define XCC_BACKEND_TARGETS_NVPTX_WORKAROUNDS_WORKAROUNDS_H

#include "Kernel.h"
#include "llvm/Support/Alignment.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::nvptx {

/// Adds fences to atomic operations that the back end does not order; see
/// atomics.cpp. Before sm_70, PTX has neither acquire nor release. A fence on
/// each side of a relaxed operation is at least as strong. From sm_70 on, the
/// back end orders loads, stores and compare-and-swap, but makes every other
/// atomic update relaxed.
void orderAtomics(llvm::Module &module, unsigned version);

/// Replaces integers in variables by bytes where PTX has no type of their size;
/// see integers.cpp.
void integersToBytes(llvm::Module &module);

/// Passes vectors of bits as integers; see signatures.cpp.
void passBitsAsIntegers(llvm::Module &module);

/// Sign-extends indices that have a neighbour; see indices.cpp.
void extendSigned(llvm::Module &module);

/// Moves loads to where their addresses are known; see loads.cpp.
void loadEarly(llvm::Module &module);

/// Reads the sizes of a launch before the index of a block; see sizes.cpp.
void readSizesFirst(llvm::Module &module);

/// Keeps a comparison of a shift's count before the shift; see shifts.cpp.
void keepShiftGuards(llvm::Module &module);

/// Makes -x, fabs and copysign change only the sign bit, also for a NaN; see
/// signs.cpp.
void keepSigns(llvm::Module &module);

/// Copies parameters that functions receive by value; see byval.cpp.
void copyParameters(llvm::Module &module);

/// Makes calls that may recurse indirect, so that ptxas assumes nothing about
/// the callee; see recursion.cpp.
void hideRecursion(llvm::Module &module);

/// Tests single bits without shifts; see bits.cpp.
void testBitsInPlace(llvm::Module &module);

/// The maximum alignment of an entry's parameter. With a larger alignment, the
/// parameter is not where the driver copies its bytes.
constexpr llvm::Align MostOfEntries = llvm::Align::Constant<16>();

/// Reduces the alignment of parameters to what the GPU provides. Call it before
/// the module is optimised; see parameters.cpp.
void limitAlignments(llvm::Module &module);

/// Puts each parameter of an entry where the host puts it; see parameters.cpp.
void placeParameters(llvm::Module &module, const KernelTable &kernels);

/// Copies as many bytes at a time as one load can read; see copies.cpp.
void copyInWords(llvm::Module &module);

/// Aligns shared variables that need a larger alignment than a block's shared
/// memory has; see shared.cpp.
void alignShared(llvm::Module &module);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_WORKAROUNDS_WORKAROUNDS_H
