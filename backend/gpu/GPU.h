// What GPU targets have in common
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that turn a device pass's module into what any GPU back end takes.
// Nothing here knows a vendor: a target's file passes in what differs.

#ifndef XCC_BACKEND_GPU_GPU_H
#define XCC_BACKEND_GPU_GPU_H

#include "targets/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Intrinsics.h"
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Instruction;
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// The address space of memory that a block shares, on every GPU of LLVM's.
constexpr unsigned SharedAddressSpace = 3;
/// Those of memory that all threads share, and of a thread's own.
constexpr unsigned GlobalAddressSpace = 1, LocalAddressSpace = 5;

/// Puts every variable of a device pass's module into the memory that all
/// threads share, whatever Clang's default for the target is.
void placeGlobals(llvm::Module &module);

/// Keeps what Clang generates for the optimiser alone, since the host's C++
/// library or another file has it: vtables, inline functions. Nobody else has
/// them for a GPU; when the optimiser is through it is too late to link them.
void ownAvailable(llvm::Module &module);

/// No exception unwinds on a GPU: calls that could throw just return, and a
/// throw ends in the device runtime.
void removeUnwinding(llvm::Module &module);

/// Lets no thread wait for another to make a static variable but in turns of a
/// loop; see Guards.cpp. Runs on what the front end made.
void loopGuards(llvm::Module &module);

/// Turns LLVM's math intrinsics into calls of the C library's functions, but
/// for those that `keep` says the back end does itself.
void lowerMathIntrinsics(llvm::Module &module,
                         llvm::function_ref<bool(const llvm::CallInst &)> keep);

/// Does one element after the other what an instruction computes of vectors: an
/// intrinsic, an operation or a cast. The instruction is gone; the new ones come
/// back.
llvm::SmallVector<llvm::Instruction *> takeApart(llvm::Instruction *inst);

/// Lets each conversion to a narrower floating-point type round by itself; see
/// WideNumbers.cpp.
void roundEachTime(llvm::Module &module);

/// Turns conversions between floating point and integers of more than 64 bits
/// into calls of the device runtime, or those of more than 128 into shifts; see
/// WideNumbers.cpp.
void lowerWideConversions(llvm::Module &module);

/// Does what the front end left of the host's assembly: values that one without
/// text hides go through registers of 32 bits, which `letter` stands for in the
/// machine's assembly.
void lowerHostAssembly(llvm::Module &module, llvm::StringRef letter);

/// Makes symbols null that are declared weak and defined nowhere. Of a whole
/// image's module.
void makeWeakSymbolsNull(llvm::Module &module);

/// Lets a launch that is about to fail do so before it comes to what nothing
/// defines for the device; see FailingPaths.cpp.
void endFailingPaths(llvm::Module &module);

/// Makes ints of the precisions that libstdc++ hands to its printf.
void narrowPrecisions(llvm::Module &module);

/// Has calls of another image's functions, which cannot be, end the launch with
/// an error, in a module that may come to some; see ForeignCalls.cpp. Runs before
/// libraries are linked.
void checkForeignCalls(llvm::Module &module);
/// Says which functions are this image's own, of an optimised module.
void listOwnFunctions(llvm::Module &module);

/// Lets the functions of coroutines that do nothing take a frame; see
/// Coroutines.cpp.
void giveFramesToNoops(llvm::Module &module);

/// Makes numbers of labels' addresses, and choices of branches to them.
void lowerIndirectBranches(llvm::Module &module);

/// Puts xcc::block_shared variables into the memory that a block shares.
void placeShared(llvm::Module &module);

/// Gives every function the same CPU and features.
void setMachine(llvm::Module &module, llvm::StringRef cpu,
                llvm::StringRef features);

/// Lets arithmetic on floats take denormals for zero.
void flushDenormals(llvm::Module &module);

/// Tells the back end what an inlined kernel's own parameters promise: a
/// parameter that is __restrict stays so when it becomes the entry's.
void keepRestrict(llvm::Module &module, const KernelTable &kernels);

/// Lets errno begin with 0 in each thread; see Errno.cpp.
void clearErrno(llvm::Module &module, const KernelTable &kernels);

/// Takes the kernels into their entries, also without optimisation: a thread
/// that leaves a kernel has ended only where no caller is left.
void inlineKernels(llvm::Module &module, const KernelTable &kernels);

/// Keeps code before a `break` or `return` in its iteration of the loop, if it
/// contains a warp operation. Runs on the front end's IR; see Iterations.cpp.
void keepIterations(llvm::Module &module, const BarrierOps &ops);

/// Takes every function that leads to a barrier into its callers, but for
/// recursive ones. False when there is no barrier.
bool inlineBarriers(llvm::Module &module,
                    llvm::function_ref<bool(const llvm::CallBase &)> isBarrier);

/// Makes loops of functions that lead to a barrier and call themselves at their
/// end; an error when a kernel uses others that recurse. See
/// RecursiveBarriers.cpp.
llvm::Error loopRecursiveBarriers(llvm::Module &module,
                                  llvm::TargetMachine &machine,
                                  const BarrierOps &ops,
                                  const KernelTable &kernels);

/// An error when a kernel uses a function that still has a barrier: recursion
/// through pointers.
llvm::Error checkBarriersInEntries(llvm::Module &module, const BarrierOps &ops,
                                   const KernelTable &kernels);

/// The default pipeline of the level with the back end's own passes, with the
/// barriers of `ops`, and with what `extend` adds to an optimising level.
/// On the way it looks at what memory the kernels use.
void optimise(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level, const KernelTable &kernels, const BarrierOps &ops,
              llvm::function_ref<void(llvm::PassBuilder &)> extend);

/// Makes plain code of atomic operations on a thread's own memory, and looks
/// with the intrinsic `isLocal` where an address may be of such.
void lowerOwnAtomics(llvm::Module &module, llvm::Intrinsic::ID isLocal,
                     llvm::CallingConv::ID kernels);

/// A variable, and the name by which initial values before it refer to it.
struct Ahead {
  std::string variable, name;
};

/// Lets no circle of variables' initial values remain, and orders variables so
/// that each stands behind what its initial value names: a reference that
/// closes a circle goes to a declared variable of another name, which the target
/// has to make the same. Gives such variables external linkage.
std::vector<Ahead> cutCircles(llvm::Module &module);

/// An error when the module still needs what nothing defines; it names the
/// functions and the kernels that reach them.
llvm::Error checkDefined(const llvm::Module &module, const KernelTable &kernels,
                         const DeviceCodegenOptions &options);

/// An error when a kernel's code computes with __float128, of which no back end
/// for GPUs knows anything.
llvm::Error checkQuads(const llvm::Module &module, llvm::StringRef arch,
                       const KernelTable &kernels);

/// An error when a kernel takes more than `limit` bytes of arguments.
llvm::Error checkArguments(llvm::StringRef arch, uint64_t limit,
                           const KernelTable &kernels);

/// A kernel whose threads need more stack than the GPU has; in bytes.
struct LargeStack {
  const llvm::Function *kernel;
  uint64_t size, limit;
};

/// The kernels whose local variables, with those of the functions that they
/// call, have more than `limit` bytes. For a code generator that does not tell.
std::vector<LargeStack> findLargeStacks(const llvm::Module &module,
                                        uint64_t limit,
                                        const KernelTable &kernels);

/// An error for those, with the largest local variable of each.
llvm::Error checkStacks(llvm::StringRef arch, llvm::ArrayRef<LargeStack> stacks,
                        const KernelTable &kernels);

/// An error when a kernel's block-shared variables exceed `limit` bytes.
llvm::Error checkShared(const llvm::Module &module, llvm::StringRef arch,
                        uint64_t limit, const KernelTable &kernels);

/// Adds the column "calls=1" of kernels that may call the host: those that lead
/// to the variable __xcc_rpc.
void markCalls(std::vector<KernelColumn> &columns, const llvm::Module &module,
               const KernelTable &kernels);

/// Adds the column "dynamic_stack=1" of kernels whose threads need an amount of
/// stack that nobody knows: for recursion, calls through pointers, and variables
/// of variable length.
void markStacks(std::vector<KernelColumn> &columns, const llvm::Module &module,
                const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_GPU_H
