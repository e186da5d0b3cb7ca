// Where block-shared variables are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H
#define XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// Offsets of block-shared variables within the group segment. Variables that
/// a function of its own (one that was not inlined into its kernel) uses have
/// the same offset in every kernel; the others have theirs per kernel.
class SharedLayout {
public:
  /// Makes every use of a block-shared variable an operand of an instruction.
  /// Reports variables that are used in initializers; false if there was one.
  static bool prepare(llvm::Module &m);

  /// Appends the variables used in \p f.
  void addVariablesOf(const llvm::Function &f);

  /// Bytes of the static part; a multiple of 16.
  uint64_t size() const { return llvm::alignTo(end, 16); }

  /// Replaces the variables in \p f, at the start of whose entry block
  /// \p shared (the segment's address) is known: the addresses are computed
  /// before \p where.
  void replaceIn(llvm::Function &f, llvm::Value *shared,
                 llvm::Instruction *where) const;

  /// Whether \p f uses one.
  bool isUsedIn(const llvm::Function &f) const;

  /// Has \p f, whose first argument is the group, tell AddressSanitizer what
  /// lies between variables: in the first thread of those with the record
  /// \p thread, or where that is null for all.
  void poisonRedzones(llvm::Function &f, llvm::Value *thread) const;

  /// Removes the variables of \p m, none of which is used any more.
  static void removeVariables(llvm::Module &m);

private:
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  /// Where AddressSanitizer is, what lies between variables: offset and size.
  static constexpr uint64_t Redzone = 32;
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> redzones;
  uint64_t end = 0;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H
