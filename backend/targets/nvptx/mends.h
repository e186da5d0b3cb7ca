// What LLVM 22 leaves out or generates wrong for NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_MENDS_H
#define XCC_BACKEND_TARGETS_NVPTX_MENDS_H

#include "Kernel.h"
#include "llvm/Support/Alignment.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::nvptx {

/// Makes fences of what the back end does not order; see atomics.cpp. Before sm_70, PTX has
/// neither acquire nor release: a fence on each side of a relaxed operation
/// orders no less. From sm_70 on, the back end orders loads, stores and
/// compare-and-swap, but makes every other update a relaxed one.
void orderAtomics(llvm::Module &module, unsigned version);

/// Makes bytes of the integers in variables that PTX has no type for; see
/// integers.cpp.
void wholeBytes(llvm::Module &module);

/// Passes vectors of bits as integers; see signatures.cpp.
void passBitsAsIntegers(llvm::Module &module);

/// Extends indices that have a neighbour with their sign; see indices.cpp.
void extendSigned(llvm::Module &module);

/// Loads where an address is known; see loads.cpp.
void loadEarly(llvm::Module &module);

/// Reads how large a launch is before where a block is; see sizes.cpp.
void readSizesFirst(llvm::Module &module);

/// Keeps what is asked of a shift's count before it; see shifts.cpp.
void keepShiftGuards(llvm::Module &module);

/// Changes the sign bit alone where -x, fabs and copysign say so, of a NaN too;
/// see signs.cpp.
void keepSigns(llvm::Module &module);

/// Copies what functions are passed by value; see byval.cpp.
void copyParameters(llvm::Module &module);

/// Lets calls that may recurse go through pointers, of which ptxas expects
/// nothing; see recursion.cpp.
void hideRecursion(llvm::Module &module);

/// Tests single bits without shifts; see bits.cpp.
void testBitsInPlace(llvm::Module &module);

/// What a parameter of an entry may be aligned to: more moves it away from where
/// the driver puts its bytes.
constexpr llvm::Align MostOfEntries = llvm::Align::Constant<16>();

/// Gives parameters no more alignment than the GPU gives them, in a module that
/// has yet to be optimised; see parameters.cpp.
void limitAlignments(llvm::Module &module);

/// Puts each parameter of an entry where the host puts it; see parameters.cpp.
void placeParameters(llvm::Module &module, const KernelTable &kernels);

/// Copies as many bytes at a time as a load takes; see copies.cpp.
void copyInWords(llvm::Module &module);

/// Aligns variables of a block to more than where its memory begins; see
/// shared.cpp.
void alignShared(llvm::Module &module);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_MENDS_H
