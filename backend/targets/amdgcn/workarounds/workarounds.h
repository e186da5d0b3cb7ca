// Workarounds for bugs of LLVM 22 in code for AMD GPUs
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

// Each function below works around one bug of LLVM 22, in the file that its
// comment names. The function can be removed when its test passes without it.
// The tests are test/amdgcn/llvm-defects.cpp, and the programs in test/exec
// that test/mutations/mutations.toml lists.

/// Passes the padding of structures as words (padding.cpp). Clang passes a
/// structure with up to 64 bytes of members as its elements, and does not count
/// the padding that its alignment adds. For alignas(1024), the padding is 1008
/// integers of 8 bits, and each takes a register. In a union, these bytes may
/// belong to other members.
void passPaddingAsWords(llvm::Module &module);

/// Changes the addresses of results into generic addresses (results.cpp). Clang
/// declares them as addresses in the stack frame. Call this for units and for
/// libraries before any optimisation.
void makeResultsGeneric(llvm::Module &module);

/// Removes `sret` (results.cpp). The code generator takes such an address for
/// one in the stack frame. Call it before the code generator runs.
void forgetResults(llvm::Module &module);

/// Aligns local variables with an alignment of more than 64 bytes by computing
/// their addresses (frames.cpp). If LLVM aligns the frame so for all lanes of a
/// wave, the frame is too large for the offsets of memory instructions. Without
/// optimisation the code generator then finds no register for the address.
void alignFrames(llvm::Module &module);

/// Fixes variables whose size is known only at run time (stack.cpp). The stack
/// pointer counts the bytes of a whole wave if scratch memory is accessed
/// through a buffer descriptor. It counts the bytes of one lane if the GPU has
/// scratch instructions. LLVM uses it as a lane's address in both cases, and
/// moves it by the size for a wave, at least 1 KiB, in both. If the stack
/// pointer counts bytes of a lane, this moves it by the largest size that a
/// lane needs.
void fixDynamicAllocas(llvm::Module &module,
                       const llvm::TargetMachine &machine);

/// Fixes saved stack pointers (stack.cpp). If the stack pointer counts bytes of
/// a lane, LLVM saves it divided by the number of lanes, and restores it
/// without the remainder. The frame of a called function would then overlap
/// memory that is still in use.
void fixStackPointers(llvm::Module &module, const llvm::TargetMachine &machine);

/// Hides that all lanes select the same one of two local variables
/// (frame_choices.cpp). LLVM would use an s_cselect with the variables as
/// operands. It inserts the additions that compute their addresses between the
/// s_cselect and its condition, SCC, and they overwrite SCC.
void fixFrameChoices(llvm::Module &module);

/// Replaces quotients and remainders of vectors by those of their elements
/// (quotients.cpp). The code generator would do the same. The next two
/// functions then only have to handle scalars.
void splitQuotients(llvm::Module &module);

/// Fixes signed quotients (quotients.cpp). If integers are known to have b
/// bits, LLVM computes their quotient in b bits, although -2^(b-1) / -1 needs
/// one more bit. It does the same for 64-bit quotients of integers with 25 to
/// 32 bits. For the former, this gives the dividend b + 1 bits. For the latter,
/// it uses unsigned quotients.
void fixQuotients(llvm::Module &module);

/// Hides that unsigned operands have 24 bits (quotients.cpp). LLVM computes
/// their quotient in floating point. For a dividend above 2^23, its product
/// with the reciprocal may round up to the next integer: 0xc00002 / 3. (Signed
/// operands have one bit less.)
void fixLongQuotients(llvm::Module &module);

/// Hides a product of floats from its rounding to half (half_products.cpp).
/// LLVM combines both into one v_fma_mixlo_f16 with an addend of +0, which
/// turns -0 into +0. The addend should be -0. Products where the sign of zero
/// does not matter are not changed.
void fixHalfProducts(llvm::Module &module);

/// Fixes unoptimised code (unoptimised.cpp). LLVM computes quotients of
/// integers with few known bits in floating point, and some are off by one. So
/// this hides how many bits the operands have. LLVM also reverses the bytes of
/// 64-bit integers in halves of registers and mixes the halves up.
void fixUnoptimised(llvm::Module &module);

/// Replaces shuffles of 64 lanes on gfx10 (wide_shuffles.cpp). There,
/// ds_bpermute reads only from the 32 lanes of the same half of the wave, and
/// no instruction swaps the halves. LLVM's own code for this is wrong. This
/// reads values of the other half through scalar registers, one lane after the
/// other. The loop does not diverge, so all lanes can be read.
///
///   result = ds_bpermute(lane, value)
///   wanting = ballot((lane ^ self) & 32)
///   while (wanting) {
///     from = readlane(lane, lowest of wanting)
///     result = lane == from ? readlane(value, from) : result
///     wanting &= ~ballot(lane == from)
///   }
void fixWideShuffles(llvm::Module &module, const llvm::TargetMachine &machine);

/// In every compilation, keeps LLVM's structurizer from moving values out of
/// the blocks in which lanes must compute them (structurizer.cpp).
void keepElseValues();

/// In every compilation, keeps LLVM from confusing an argument with the result
/// that a call returns in the same register (swaps.cpp).
void keepMovesBehindCalls();

/// Keeps values out of accumulation registers unless matrix instructions need
/// them (accumulators.cpp). Some lanes' values are lost there.
void avoidAccumulators(llvm::Module &module);

/// Sets options of the code generator for every compilation (options.cpp). They
/// become the defaults: whenever lld links, it resets all options of the
/// process to the defaults, while other threads generate code.
///
/// disable-promote-alloca-to-lds: keeps arrays of threads out of shared memory,
/// which belongs to the launch.
///
/// amdgpu-remove-redundant-endcf=false: where two branches end at once, a
/// separate instruction enables the lanes of the inner branch again. LLVM would
/// omit it if nothing is between the two ends, and let the end of the outer
/// branch enable all lanes. Then register allocation may insert copies or
/// reloads between the ends, which run only for the inner branch's lanes.
void chooseOptions();

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_WORKAROUNDS_WORKAROUNDS_H
