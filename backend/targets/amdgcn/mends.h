// What LLVM 22 generates wrong for AMD GPUs, and what is written instead
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_AMDGCN_MENDS_H
#define XCC_BACKEND_TARGETS_AMDGCN_MENDS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace xcc::amdgcn {

/// Takes the padding of structures out of arguments. Clang passes a
/// structure of up to 64 bytes of members by its elements, and does not count
/// what aligns it: 1008 numbers of 8 bits, each in a register, are the rest of
/// an alignas(1024) one. No other argument is an array of more than 64 bytes.
void dropPadding(llvm::Module &module);

/// Makes addresses of results generic ones, of which Clang says that they are
/// the frame's (results.cpp). Of units, and of libraries: before anything is
/// optimised.
void makeResultsGeneric(llvm::Module &module);

/// Takes `sret` away, of which the code generator takes the address for one of
/// the frame; before it runs.
void forgetResults(llvm::Module &module);

/// Aligns variables of the frame by their addresses where they ask for more
/// than 64 bytes. A frame that is aligned so for all lanes of a wave is out of
/// its instructions' reach, and without optimisation the code generator then
/// finds no register for the way there.
void alignFrames(llvm::Module &module);

/// Variables whose size is known at run time. The stack pointer counts the
/// bytes of a whole wave where scratch memory is reached through a buffer
/// descriptor, and those of a lane where it has instructions of its own; LLVM
/// takes it for a lane's address in both cases, and moves it by the size for a
/// wave in both: by 1 KiB at least. Where it is a lane's, it is moved by the
/// greatest size that a lane wants.
void mendDynamicAllocas(llvm::Module &module,
                        const llvm::TargetMachine &machine);

/// Where the stack pointer counts a lane's bytes, LLVM saves it divided by the
/// lanes of a wave, and restores it without the remainder: a called function's
/// frame would lie over what is still in use.
void mendStackPointers(llvm::Module &module,
                       const llvm::TargetMachine &machine);

/// Where all lanes choose the same of two variables of the frame, the choice is
/// s_cselect, whose operands are the variables. The additions that make
/// addresses of these go between it and its condition, SCC, and overwrite that.
/// So nobody may know that the lanes agree.
void mendFrameChoices(llvm::Module &module);

/// Makes quotients and remainders of vectors those of their elements, as the
/// code generator does. What is said below of one is true of these.
void splitQuotients(llvm::Module &module);

/// Signed quotients of integers that are known to have b bits are computed in
/// b bits too, though -2^(b-1) / -1 has one more; and so are 64-bit ones of what
/// has 25 to 32. The first get a dividend of b + 1 bits, the others are made of
/// quotients of unsigned integers.
void mendQuotients(llvm::Module &module);

/// Unsigned quotients of integers that are known to have 24 bits are computed in
/// floating point, where the product of a dividend above 2^23 and a reciprocal
/// may round up to the next integer: 0xc00002 / 3. So the code generator must
/// not know. (Signed ones have one bit less.)
void mendLongQuotients(llvm::Module &module);

/// A product of floats that is rounded to half becomes v_fma_mixlo_f16 with an
/// addend of +0, and so -0 becomes +0: the addend ought to be -0. So the code
/// generator must not see the product, unless the sign of a zero does not
/// matter (half_products.cpp).
void mendHalfProducts(llvm::Module &module);

/// Without optimisation, quotients of integers that are known to be short are
/// computed in floating point, and some are off by one; so the code generator
/// must not know. And the bytes of 64-bit integers are reversed in halves of
/// registers, which get mixed up.
void mendUnoptimised(llvm::Module &module);

/// Shuffles of 64 lanes where ds_bpermute knows 32, its own half of the wave,
/// and nothing swaps the halves (gfx10): LLVM's own code for it is broken. What
/// the other half has comes through scalar registers, one lane asked for after
/// the other; the loop takes no lanes apart, so all of them can be read.
///
///   result = ds_bpermute(lane, value)
///   wanting = ballot((lane ^ self) & 32)
///   while (wanting) {
///     from = readlane(lane, lowest of wanting)
///     result = lane == from ? readlane(value, from) : result
///     wanting &= ~ballot(lane == from)
///   }
void mendWideShuffles(llvm::Module &module, const llvm::TargetMachine &machine);

/// Keeps LLVM's structurizer from moving values out of the blocks that lanes
/// have to come to for them, in every compilation; see structurizer.cpp.
void keepElseValues();

/// Options of the code generator that hold for every compilation. They become
/// the defaults: lld puts all options of the process back to these whenever it
/// links, while other threads generate code.
///
/// No arrays of threads move into memory that blocks share: what of that is left
/// is the launch's to give away.
///
/// Where two branches end at once, the lanes of the inner one come back by
/// themselves. LLVM leaves that to the end of the outer one, if nothing stands
/// between the two; then registers are allocated, and a value that is copied or
/// reloaded between them is so for the inner branch's lanes alone.
void chooseOptions();

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_MENDS_H
