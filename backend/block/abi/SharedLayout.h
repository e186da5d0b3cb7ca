// Where block-shared variables are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H
#define XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

/// Offsets of block-shared variables in the group segment. If a function that
/// was not inlined uses a variable, the variable has one offset in all kernels.
/// Other variables have an offset per kernel.
class SharedLayout {
public:
  /// Makes every use of a block-shared variable an operand of an instruction.
  /// Reports variables that are used in initializers.
  /// \returns false if there was an error.
  static bool prepare(llvm::Module &m);

  /// Appends the variables used in \p f.
  void addVariablesOf(const llvm::Function &f);

  /// Bytes of the static part; a multiple of 16.
  uint64_t size() const { return llvm::alignTo(end, 16); }

  /// Replaces the variables in \p f by their addresses, computed before
  /// \p where from \p shared, the segment's address.
  void replaceIn(llvm::Function &f, llvm::Value *shared,
                 llvm::Instruction *where) const;

  /// Whether \p f uses a block-shared variable.
  bool isUsedIn(const llvm::Function &f) const;

  /// Makes \p f, whose first argument is the group, poison the redzones for
  /// AddressSanitizer: in the first thread of the block, found by the record
  /// \p thread, or unconditionally if \p thread is null.
  void poisonRedzones(llvm::Function &f, llvm::Value *thread) const;

  /// Removes the variables of \p m that are no longer used.
  static void removeVariables(llvm::Module &m);

private:
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  /// Padding between variables with AddressSanitizer: offset and size.
  static constexpr uint64_t Redzone = 32;
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> redzones;
  uint64_t end = 0;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_SHAREDLAYOUT_H
