// xcc/abi.h as seen from LLVM IR
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads fields of the runtime's records and writes kernel objects. Offsets and
// sizes come from xcc/abi.h itself; the device is the machine's own
// architecture family (x86-64), so they hold for the image too.

#ifndef XCC_BACKEND_BLOCK_ABI_H
#define XCC_BACKEND_BLOCK_ABI_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "xcc/abi.h"
#include <optional>

namespace xcc::block {

/// The address \p Offset bytes past \p Base; \p Base itself for 0.
llvm::Value *byteOffset(llvm::IRBuilderBase &B, llvm::Value *Base,
                        uint64_t Offset);

/// A load from a record that does not change while a kernel runs.
llvm::LoadInst *loadConstantField(llvm::IRBuilderBase &B, llvm::Value *Record,
                                  uint64_t Offset, llvm::Type *T,
                                  const llvm::Twine &Name = "");

/// The fields of an xcc_cpu_group.
struct GroupFields {
  llvm::Value *Group;

  llvm::Value *kernarg(llvm::IRBuilderBase &B) const;
  llvm::Value *shared(llvm::IRBuilderBase &B) const;
  llvm::Value *scratch(llvm::IRBuilderBase &B) const;
  llvm::Value *exchange(llvm::IRBuilderBase &B) const;
  llvm::Value *thread(llvm::IRBuilderBase &B) const;
  llvm::Value *gridDim(llvm::IRBuilderBase &B, unsigned Dim) const;
  llvm::Value *blockDim(llvm::IRBuilderBase &B, unsigned Dim) const;
  llvm::Value *dynamicShared(llvm::IRBuilderBase &B) const;
  llvm::Value *dynamicSharedSize(llvm::IRBuilderBase &B) const;
};

/// The image header @__xcc_image, created on first use.
llvm::GlobalVariable *imageHeader(llvm::Module &M);

/// One member of the services that the loader stored in the image header,
/// \p Offset being its offset within xcc_cpu_services.
llvm::Value *loadService(llvm::IRBuilderBase &B, llvm::Module &M,
                         uint64_t Offset, const llvm::Twine &Name = "");

/// A call to services->current_thread().
llvm::Value *callCurrentThread(llvm::IRBuilderBase &B, llvm::Module &M);
/// A call to services->barrier(Scope): the mask of lanes released together.
llvm::Value *callBarrier(llvm::IRBuilderBase &B, llvm::Module &M,
                         xcc_cpu_scope Scope);

/// What a kernel object says besides its entry.
struct KernelObject {
  uint32_t Flags = 0;
  uint32_t GroupSegmentSize = 0;
  uint32_t PrivateSegmentSize = 0;
  uint32_t KernargSize = 0;
  uint32_t MaxThreads = 0;
  uint64_t Fingerprint = 0;
};

/// The exported xcc_cpu_kernel for \p Entry; takes over no name.
llvm::GlobalVariable *createKernelObject(llvm::Module &M, llvm::Function *Entry,
                                         const KernelObject &Object);
/// What the pass wrote into one; nothing where \p Variable is none.
std::optional<KernelObject>
readKernelObject(const llvm::GlobalVariable *Variable);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_H
