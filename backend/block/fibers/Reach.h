// What a function may come to call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers, for each function of the device program, whether running it can end
// up asking for its thread, touching block-shared memory or waiting at a
// barrier. It decides what is inlined, and which kernels need fibers.

#ifndef XCC_BACKEND_BLOCK_FIBERS_REACH_H
#define XCC_BACKEND_BLOCK_FIBERS_REACH_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// What a function may do; a set of bits.
enum Need : unsigned {
  NeedsNothing = 0,
  NeedsThread = 1,  ///< asks where it is, or uses block-shared memory
  NeedsBarrier = 2, ///< waits for other threads, or has to be one of its own
  NeedsWarp = 4,    ///< waits for other lanes of its warp
};

/// Whether \p call may run any function whose address the program takes.
bool mayCallBack(const llvm::CallBase &call);
/// Whether \p f is such a function.
bool mayBeCalledBack(const llvm::Function &f);

/// A snapshot: build it again after calls were inlined or removed.
class Reach {
public:
  explicit Reach(const llvm::Module &m);

  /// What \p f does in its own body.
  unsigned own(const llvm::Function &f) const { return lookup(own_, f); }
  /// What \p f and the functions it calls by name do.
  unsigned direct(const llvm::Function &f) const { return lookup(direct_, f); }
  /// The same with everything its indirect calls may reach.
  unsigned all(const llvm::Function &f) const { return lookup(all_, f); }

  /// Whether \p f can call itself by names of functions.
  bool isRecursive(const llvm::Function &f) const;

  /// What the function(s) that \p call may run do.
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
  unsigned foreign = NeedsNothing;  ///< of what only pointers lead to
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_REACH_H
