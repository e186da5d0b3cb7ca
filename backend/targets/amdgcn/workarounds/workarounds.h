// Workarounds for faults of LLVM 22 in code for AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_WORKAROUNDS_WORKAROUNDS_H
#define XCC_BACKEND_TARGETS_AMDGCN_WORKAROUNDS_WORKAROUNDS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::amdgcn {

// Each function below avoids one fault of LLVM 22, in the file that its comment
// names. It can go when the file's test passes without it:
// test/amdgcn/llvm-defects.cpp, and the programs in test/exec that
// test/mutations/mutations.toml lists.

/// Passes the padding of structures as words (padding.cpp). Clang passes a
/// structure with up to 64 bytes of members as its elements, and does not count
/// the padding that its alignment adds. For alignas(1024) these are 1008 integers
/// of 8 bits, each in a register. In a union they may be what other members are.
void passPaddingAsWords(llvm::Module &module);

/// Makes generic addresses of the addresses of results, which Clang declares to
/// be in the stack frame (results.cpp). Call it for units and for libraries
/// before anything is optimised.
void makeResultsGeneric(llvm::Module &module);

/// Removes `sret` (results.cpp). The code generator takes such an address for
/// one in the stack frame. Call it before the code generator runs.
void forgetResults(llvm::Module &module);

/// Aligns local variables of more than 64 bytes of alignment by computing their
/// addresses (frames.cpp). If LLVM aligns the frame so for all lanes of a wave,
/// the frame is too large for the offsets of memory instructions. Without
/// optimisation the code generator then finds no register for the address.
void alignFrames(llvm::Module &module);

/// Corrects variables whose size is known at run time (stack.cpp). The stack
/// pointer counts the bytes of a whole wave if scratch memory is accessed
/// through a buffer descriptor, and those of a lane if it has instructions of
/// its own. LLVM uses it as a lane's address in both cases, and in both moves it
/// by the size for a wave: by 1 KiB at least. Where the stack pointer is a
/// lane's, this moves it by the largest size that a lane asks for.
void fixDynamicAllocas(llvm::Module &module,
                       const llvm::TargetMachine &machine);

/// Corrects saved stack pointers (stack.cpp). Where the stack pointer counts a
/// lane's bytes, LLVM saves it divided by the lanes of a wave, and restores it
/// without the remainder. The frame of a called function would then overlap
/// memory that is still in use.
void fixStackPointers(llvm::Module &module, const llvm::TargetMachine &machine);

/// Hides that all lanes choose the same of two local variables
/// (frame_choices.cpp). LLVM would make such a choice an s_cselect whose
/// operands are the variables. The additions that compute their addresses are
/// placed between it and its condition, SCC, and overwrite SCC.
void fixFrameChoices(llvm::Module &module);

/// Replaces quotients and remainders of vectors by those of their elements, as
/// the code generator does (quotients.cpp). The next two functions then see
/// scalars alone.
void splitQuotients(llvm::Module &module);

/// Corrects signed quotients (quotients.cpp). LLVM computes a quotient of
/// integers that are known to have b bits in b bits, although -2^(b-1) / -1 has
/// one more. The same is true of 64-bit ones of integers with 25 to 32 bits. The
/// former get a dividend of b + 1 bits. The latter are made of unsigned
/// quotients.
void fixQuotients(llvm::Module &module);

/// Hides that unsigned operands have 24 bits (quotients.cpp). LLVM computes
/// their quotient in floating point. There the product of a dividend above 2^23
/// and a reciprocal may round up to the next integer: 0xc00002 / 3. (Signed
/// operands have one bit less.)
void fixLongQuotients(llvm::Module &module);

/// Hides a product of floats from its rounding to half (half_products.cpp). LLVM
/// makes both one v_fma_mixlo_f16 with an addend of +0, so -0 becomes +0: the
/// addend should be -0. Nothing is done if the sign of a zero does not matter.
void fixHalfProducts(llvm::Module &module);

/// Corrects code that is not optimised (unoptimised.cpp). Quotients of integers
/// that are known to be short are computed in floating point, and some are off
/// by one: so the operands' sizes are hidden. The bytes of 64-bit integers are
/// reversed in halves of registers, which LLVM confuses.
void fixUnoptimised(llvm::Module &module);

/// Replaces shuffles of 64 lanes on gfx10 (wide_shuffles.cpp). There ds_bpermute
/// reads from 32 lanes, the own half of the wave, and no instruction swaps the
/// halves. LLVM's own code for this is wrong. Values of the other half are read
/// through scalar registers, one lane after the other. The loop does not
/// diverge, so all lanes can be read.
///
///   result = ds_bpermute(lane, value)
///   wanting = ballot((lane ^ self) & 32)
///   while (wanting) {
///     from = readlane(lane, lowest of wanting)
///     result = lane == from ? readlane(value, from) : result
///     wanting &= ~ballot(lane == from)
///   }
void fixWideShuffles(llvm::Module &module, const llvm::TargetMachine &machine);

/// Keeps LLVM's structurizer from moving values out of the blocks in which
/// lanes must compute them, in every compilation (structurizer.cpp).
void keepElseValues();

/// Keeps LLVM from taking an argument for the result that a call returns in the
/// same register, in every compilation (swaps.cpp).
void keepMovesBehindCalls();

/// Keeps values out of accumulation registers where no matrix instruction needs
/// them (accumulators.cpp). Values of some lanes do not come back from there.
void avoidAccumulators(llvm::Module &module);

/// Sets options of the code generator for every compilation (options.cpp). They
/// become the defaults: whenever lld links, it resets all options of the process
/// to the defaults, while other threads generate code.
///
/// disable-promote-alloca-to-lds: arrays of threads stay out of shared memory,
/// which belongs to the launch.
///
/// amdgpu-remove-redundant-endcf=false: where two branches end at once, the
/// lanes of the inner one are enabled again by an instruction of their own. LLVM
/// leaves that to the end of the outer one if nothing is between the two. Then
/// registers are allocated, and a value that is copied or reloaded between them
/// is so for the inner branch's lanes alone.
void chooseOptions();

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_WORKAROUNDS_WORKAROUNDS_H
