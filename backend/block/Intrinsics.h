// Intrinsics of device code on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the CPU device, device code queries its thread, the memory of its block
// and the two barriers through a handful of functions that are declared and
// never defined. This header names them.

#ifndef XCC_BACKEND_BLOCK_INTRINSICS_H
#define XCC_BACKEND_BLOCK_INTRINSICS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

enum class IntrinsicKind {
  None,
  ThreadIdx,          ///< i32 by dimension
  BlockIdx,           ///< i32 by dimension
  BlockDim,           ///< i32 by dimension
  GridDim,            ///< i32 by dimension, in blocks
  LinearThread,       ///< i32
  Lane,               ///< i32: in warp code (warps/Lanes.h)
  DynamicShared,      ///< ptr: start of the launch's block-shared bytes
  DynamicSharedSize,  ///< i32
  Exchange,           ///< ptr: the block's area for warp operations
  ThreadRecord,       ///< ptr: the xcc_cpu_thread of a loop's threads
  BlockBarrier,       ///< void
  WarpBarrier,        ///< i32: lanes released together
  Position,           ///< ptr: where a call's words go (Positions.h)
  At,                 ///< void (ptr, i64...): the words of the next call
  ThreadLocal,        ///< ptr (ptr): the thread's copy of an
                      ///< xcc_cpu_thread_local
  ForeignThreadLocal, ///< the same, in a function that a kernel of another
                      ///< image called, or on a thread that a kernel started
  Yield, ///< void (i32): lets other threads run, for which this one waits; the
         ///< argument counts the attempts (xcc/abi.h)
  Poll,  ///< the same, where a thread may also wait for other blocks: no reason
         ///< for a fiber
  Trap   ///< void (i32, ptr, ptr, i32), does not return
};

struct Intrinsic {
  IntrinsicKind kind = IntrinsicKind::None;
  unsigned dim = 0; ///< 0 to 2 for x to z

  explicit operator bool() const { return kind != IntrinsicKind::None; }
  bool isBarrier() const {
    return kind == IntrinsicKind::BlockBarrier ||
           kind == IntrinsicKind::WarpBarrier;
  }
  bool yields() const {
    return kind == IntrinsicKind::Yield || kind == IntrinsicKind::Poll;
  }
  /// Whether the result depends on the calling thread or its block.
  bool isStateful() const {
    return *this && kind != IntrinsicKind::Trap && !yields() &&
           kind != IntrinsicKind::ForeignThreadLocal;
  }
};

/// The intrinsic that \p f declares, or None.
Intrinsic intrinsicOf(const llvm::Function &f);
/// The intrinsic that \p i calls, or None.
Intrinsic intrinsicCalledBy(const llvm::Instruction &i);
/// The intrinsic that \p v calls, possibly zero-extended, or None.
Intrinsic queryOf(const llvm::Value *v);

/// Whether \p i has an effect other than its value. Unlike mayHaveSideEffects,
/// false for llvm.assume and for the scope of a __restrict.
bool hasEffect(const llvm::Instruction &i);

/// Sets the attributes that the optimizer may rely on before the block pass.
/// Queries are pure and have the ranges that launches have, barriers are
/// convergent, and positions access only memory that no other code sees.
void setIntrinsicAttributes(llvm::Module &m);

/// The section that makes a global variable block-shared.
inline constexpr llvm::StringLiteral SharedSection = ".xcc.shared";
bool isBlockShared(const llvm::GlobalVariable &g);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_INTRINSICS_H
