// What a thread with several indices does for each of them
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
constexpr unsigned MostRegisters = 32; ///< for the loads of the body
constexpr unsigned MostCopies = 256;   ///< in instructions
constexpr uint64_t Wide = 16;          ///< bytes of the widest access

/// How an integer or an address grows with the index, modulo 2^64.
struct Growth {
  int64_t step = 0;
  /// The growth is right only if no narrower integer on the way wraps. The
  /// generated code tests that.
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

/// A matched kernel whose threads have one index each. The body is one basic
/// block, which runs if the guard holds.
struct IndexedKernel {
  llvm::BasicBlock *head = nullptr, *body = nullptr, *end = nullptr;
  llvm::Value *index = nullptr; ///< block * threads + thread; i32 or i64
  llvm::Value *block = nullptr, *threads = nullptr, *thread = nullptr; ///< i64
  /// For a parallel_for, i64: the guard is index < count.
  llvm::Value *count = nullptr;
  /// For other kernels: the number of blocks of the grid, i64, and the guard,
  /// or null if there is none.
  llvm::Value *blocks = nullptr, *guard = nullptr;
  bool whenFalse = false; ///< the guard holds if its value is false

  llvm::SetVector<llvm::Instruction *> varying; ///< instructions that depend on
                                                ///< the index
  llvm::SmallVector<Access, 8> accesses;        ///< the loads and stores among
                                                ///< them
  unsigned indices = 0;                         ///< for each thread
  bool contiguous = false;                      ///< the indices of a thread may
                                                ///< be neighbours
};

/// Whether an instruction only describes others and does nothing.
bool isNote(const llvm::Instruction &inst);

/// How a value grows with the index, if its growth is constant.
std::optional<Growth> growthOf(const IndexedKernel &kernel, llvm::Value *value);

/// Finds the instructions in head and body that depend on the index, and their
/// accesses. Then chooses the number of indices, and whether they may be
/// neighbours. Returns false if a thread could notice the change, or if one
/// index is enough work.
bool readBody(IndexedKernel &kernel);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_BODY_H
