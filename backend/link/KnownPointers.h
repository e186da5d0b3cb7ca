// Facts about the pointers that a kernel is given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For kernels that are generated for launches with known pointers: it is known
// which pointers are in different allocations, and how they are aligned.
// Accesses through a pointer are put in the alias scope of its allocation, and
// do not alias the other scopes.

#ifndef XCC_BACKEND_LINK_KNOWNPOINTERS_H
#define XCC_BACKEND_LINK_KNOWNPOINTERS_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace xcc {

/// A pointer in the kernarg segment, of every launch.
struct KernelPointer {
  uint32_t offset;
  /// The number of its allocation. Pointers with other numbers are in other
  /// allocations. 0: nothing is known.
  uint32_t allocation = 0;
  uint32_t alignment = 1; ///< a power of two
  bool shared = false;    ///< in an object that threads share and may write
};

/// Adds the facts to the arguments of a kernel's entry.
void notePointers(llvm::Function &entry, const Kernel &kernel,
                  KernelArguments arguments,
                  llvm::ArrayRef<KernelPointer> pointers);

/// Whether all visible uses of an address only read its memory.
bool isOnlyRead(const llvm::Value &address);
/// Whether a function is only called by launches, so that the facts hold.
bool isEntryOfLaunches(const llvm::Function &function);

/// Adds alias scopes to accesses through such pointers. Runs early and again,
/// because optimisation shows which pointer an access uses.
struct KnownPointersPass : llvm::PassInfoMixin<KnownPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_KNOWNPOINTERS_H
