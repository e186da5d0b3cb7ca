// Which functions need their thread or a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions of the device program that may query their thread, use
// block-shared memory or wait at a barrier, directly or in a callee. The result
// decides which functions are inlined and which kernels need fibers.

#ifndef XCC_BACKEND_BLOCK_FIBERS_FUNCTIONNEEDS_H
#define XCC_BACKEND_BLOCK_FIBERS_FUNCTIONNEEDS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// What a function may do; a set of bits.
enum Need : unsigned {
  NeedsNothing = 0,
  NeedsThread = 1,  ///< queries its thread, or uses block-shared memory
  NeedsBarrier = 2, ///< waits for other threads, or needs a fiber
  NeedsWarp = 4,    ///< waits for other lanes of its warp
};

/// Whether \p call may run any function whose address the program takes.
bool mayCallBack(const llvm::CallBase &call);
/// Whether the program takes the address of \p f, so that such a call may run
/// it.
bool mayBeCalledBack(const llvm::Function &f);

/// A snapshot: rebuild it after calls were inlined or removed.
class FunctionNeeds {
public:
  explicit FunctionNeeds(const llvm::Module &m);

  /// What \p f does in its own body.
  unsigned own(const llvm::Function &f) const { return lookup(own_, f); }
  /// What \p f and the functions it calls by name do.
  unsigned direct(const llvm::Function &f) const { return lookup(direct_, f); }
  /// The same with everything its indirect calls may reach.
  unsigned all(const llvm::Function &f) const { return lookup(all_, f); }

  /// Whether \p f can call itself, through calls by name.
  bool isRecursive(const llvm::Function &f) const;

  /// What the functions that \p call may run do.
  unsigned of(const llvm::CallBase &call) const;

private:
  using Map = llvm::DenseMap<const llvm::Function *, unsigned>;
  static unsigned lookup(const Map &m, const llvm::Function &f) {
    return m.lookup(&f);
  }

  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallSetVector<const llvm::Function *, 4>>
      callees;
  Map own_, direct_, all_;
  unsigned indirect = NeedsNothing; ///< of all functions whose address is taken
  unsigned foreign = NeedsNothing;  ///< of callees outside this image
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_FUNCTIONNEEDS_H
