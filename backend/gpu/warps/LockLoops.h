// Finds loops in which lanes of a warp take a lock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_LOCKLOOPS_H
#define XCC_BACKEND_GPU_WARPS_LOCKLOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace xcc::gpu {

/// Finds loops such as
///
///     while (!done)
///       if (lock.exchange(1) == 0) { ...; lock = 0; done = true; }
///
/// A lane with the lock must release it before the other lanes try again. So
/// its critical section belongs to the iteration, and must not move behind the
/// loop, where lanes wait for all lanes of the loop. The object is a snapshot
/// of the module.
class LockLoops {
public:
  /// \p kernels is the calling convention of kernels, which no code calls.
  LockLoops(const llvm::Module &module, llvm::CallingConv::ID kernels);

  /// Whether a branch of the function depends on the result of an atomic
  /// operation.
  bool in(const llvm::Function &function) const {
    return deciding.contains(&function);
  }
  /// Whether the instruction, or a function that it calls, writes an atomic or
  /// volatile variable.
  bool writes(const llvm::Instruction &inst) const;
  /// Whether the instruction is, or may lead to, an operation that threads
  /// execute together, such as a barrier.
  bool isTogether(const llvm::Instruction &inst) const;
  /// A variable as an expression: the root of its address, and the offsets at
  /// which further addresses are loaded. std::nullopt stands for an index.
  struct Place {
    const llvm::Value *root = nullptr;
    llvm::SmallVector<std::optional<int64_t>, 3> offsets;
    bool operator==(const Place &) const = default;
  };
  using Places = llvm::SmallVector<Place, 2>;

  /// The variables of atomic operations in the blocks whose results decide a
  /// branch: they may be locks.
  Places takenIn(llvm::ArrayRef<llvm::BasicBlock *> blocks) const;
  /// Whether the instruction writes one of these variables and its result
  /// decides no branch: it may release the lock.
  bool releases(const llvm::Instruction &inst, const Places &taken) const;
  /// Whether a loop of these blocks takes a lock and releases it.
  bool isLock(llvm::ArrayRef<llvm::BasicBlock *> blocks) const;

private:
  using Values = llvm::SmallPtrSet<const llvm::Value *, 16>;

  bool isTaken(const llvm::Instruction &inst) const;
  bool follow(const llvm::Function &function);
  void findTogether(const llvm::Module &module, llvm::CallingConv::ID kernels);

  /// Functions that write such a variable, directly or by calls.
  llvm::SmallPtrSet<const llvm::Function *, 16> writers;
  /// Functions with such an operation, directly or by calls.
  llvm::SmallPtrSet<const llvm::Function *, 16> together;
  /// The types of such functions whose addresses are used.
  llvm::SmallPtrSet<const llvm::FunctionType *, 4> togetherTypes;
  /// Functions that return the result of an atomic operation.
  llvm::SmallPtrSet<const llvm::Function *, 16> releasers;
  /// For each function: the operations that decide a branch, and the branches.
  llvm::DenseMap<const llvm::Function *, Values> deciding;
};

/// The function that an instruction calls directly, or null.
const llvm::Function *calleeOf(const llvm::Instruction &inst);

/// Inlines functions that take a lock and return with it into the functions
/// that release it. Returns true if it changed the module; \p locks is then
/// outdated.
bool inlineLocks(llvm::Module &module, const LockLoops &locks);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_LOCKLOOPS_H
