// What is known of the addresses that a kernel is given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For kernels that are generated for launches of which it is known that each pointer
// is in an allocation of its own, and how it is aligned. Accesses through one such
// pointer do not alias others: in LLVM's terms, accesses are in the alias scope of
// their allocation, and do not alias other scopes.

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
  /// The allocation it is in, as a number; pointers of another number are into
  /// another one. 0: nothing is known.
  uint32_t allocation = 0;
  uint32_t alignment = 1; ///< a power of two
  bool shared = false;    ///< of an object that threads share, and may write to
};

/// Notes what is known of the arguments of a kernel's entry.
void notePointers(llvm::Function &entry, const Kernel &kernel,
                  KernelArguments arguments,
                  llvm::ArrayRef<KernelPointer> pointers);

/// Whether all that is done with memory at an address is reading, as far as can
/// be seen here.
bool isOnlyRead(const llvm::Value &address);
/// Whether a function is the entry of such launches: the notes about its arguments
/// hold.
bool isEntryOfLaunches(const llvm::Function &function);

/// Tells accesses through noted pointers apart, as soon as it can be seen what
/// they are through.
struct KnownPointersPass : llvm::PassInfoMixin<KnownPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_KNOWNPOINTERS_H
