// What a thread that takes several indices does for each of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_BODY_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_BODY_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace xcc::nvptx::coarsen {

constexpr unsigned MostIndices = 16;   ///< for a thread
constexpr unsigned MostRegisters = 32; ///< for what the body loads
constexpr unsigned MostCopies = 256;   ///< instructions
constexpr uint64_t Wide = 16;          ///< bytes of the widest access

/// How an integer or an address grows with the index, modulo 2^64.
struct Growth {
  int64_t step = 0;
  /// Only if no narrower integer on the way wraps, which is looked at.
  bool assumed = false;
};

/// A load or store of the body.
struct Access {
  llvm::Instruction *inst;
  llvm::Value *address;
  uint64_t size; ///< bytes
  std::optional<Growth> growth;

  bool isContiguous() const { return growth && growth->step == int64_t(size); }
};

/// A kernel whose threads have one index each, taken apart. The body is one basic
/// block, and control comes to it where the guard holds.
struct IndexedKernel {
  llvm::BasicBlock *head = nullptr, *body = nullptr, *end = nullptr;
  llvm::Value *index = nullptr; ///< block * threads + thread; i32 or i64
  llvm::Value *block = nullptr, *threads = nullptr, *thread = nullptr; ///< i64
  /// For a parallel_for, i64: the guard is index < count.
  llvm::Value *count = nullptr;
  /// For another kernel: the number of blocks of its grid, i64; and the guard, null
  /// if there is none.
  llvm::Value *blocks = nullptr, *guard = nullptr;
  bool whenFalse = false; ///< the guard holds where it is false

  llvm::SetVector<llvm::Instruction *> varying; ///< what the index decides
  llvm::SmallVector<Access, 8> accesses;        ///< of the varying
  unsigned indices = 0;                         ///< that a thread is to take
  bool contiguous = false;                      ///< may these be neighbours?
};

/// What says something of other instructions and does nothing.
bool isNote(const llvm::Instruction &inst);

/// How a value grows with the index, if that is always by the same.
std::optional<Growth> growthOf(const IndexedKernel &kernel, llvm::Value *value);

/// Finds what the index decides and the accesses of that, in the head and in the
/// body; then how many indices, and whether they may be neighbours. False where
/// a thread could tell, or has enough to do with one.
bool readBody(IndexedKernel &kernel);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_BODY_H
