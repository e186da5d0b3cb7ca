// xcc/abi.h as seen from LLVM IR
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads fields of the runtime's records and writes kernel objects. Offsets and
// sizes come from xcc/abi.h as compiled for the host. They hold for the image
// too, because both are of one architecture family (x86-64).

#ifndef XCC_BACKEND_BLOCK_ABI_ABI_H
#define XCC_BACKEND_BLOCK_ABI_ABI_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "xcc/abi.h"
#include <optional>

namespace xcc::block {

/// The address \p offset bytes past \p base; \p base itself for 0.
llvm::Value *byteOffset(llvm::IRBuilderBase &b, llvm::Value *base,
                        uint64_t offset);

/// A load from a record that does not change while a kernel runs.
llvm::LoadInst *loadConstantField(llvm::IRBuilderBase &b, llvm::Value *record,
                                  uint64_t offset, llvm::Type *t,
                                  const llvm::Twine &name = "");

/// The fields of an xcc_cpu_group.
struct GroupFields {
  llvm::Value *group;

  llvm::Value *kernarg(llvm::IRBuilderBase &b) const;
  llvm::Value *shared(llvm::IRBuilderBase &b) const;
  llvm::Value *scratch(llvm::IRBuilderBase &b) const;
  llvm::Value *exchange(llvm::IRBuilderBase &b) const;
  llvm::Value *thread(llvm::IRBuilderBase &b) const;
  llvm::Value *gridDim(llvm::IRBuilderBase &b, unsigned dim) const;
  llvm::Value *blockDim(llvm::IRBuilderBase &b, unsigned dim) const;
  llvm::Value *dynamicShared(llvm::IRBuilderBase &b) const;
  llvm::Value *dynamicSharedSize(llvm::IRBuilderBase &b) const;
};

/// The image header @__xcc_image, created on first use.
llvm::GlobalVariable *imageHeader(llvm::Module &m);

/// Loads a member of the services that the loader stored in the image header.
/// \p offset is the member's offset in xcc_cpu_services.
llvm::Value *loadService(llvm::IRBuilderBase &b, llvm::Module &m,
                         uint64_t offset, const llvm::Twine &name = "");

/// A call to services->current_thread().
llvm::Value *callCurrentThread(llvm::IRBuilderBase &b, llvm::Module &m);
/// A call to services->barrier(scope): the mask of lanes released together.
llvm::Value *callBarrier(llvm::IRBuilderBase &b, llvm::Module &m,
                         xcc_cpu_scope scope);

/// The fields of a kernel object other than its entry.
struct KernelObject {
  uint32_t flags = 0;
  uint32_t groupSegmentSize = 0;
  uint32_t privateSegmentSize = 0;
  uint32_t kernargSize = 0;
  uint32_t maxThreads = 0;
  uint64_t fingerprint = 0;
};

/// The exported xcc_cpu_kernel for \p entry; takes over no name.
/// With \p warps, that runs blocks whose rows are whole warps, if \p test (an
/// xcc_cpu_test_fn, null: none) says so of a launch.
llvm::GlobalVariable *createKernelObject(llvm::Module &m, llvm::Function *entry,
                                         const KernelObject &object,
                                         llvm::Function *warps = nullptr,
                                         const KernelObject &ofWarps = {},
                                         llvm::Function *test = nullptr);
/// What the pass wrote into one; nothing where \p variable is none.
std::optional<KernelObject>
readKernelObject(const llvm::GlobalVariable *variable);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_ABI_H
