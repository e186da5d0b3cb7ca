// Where variables hold values
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H
#define XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H

#include "LiveAcross.h"

#include "llvm/ADT/BitVector.h"

namespace xcc::block {

/// Finds the variables that are live at the ends of basic blocks, in the code
/// of one thread. Variables are identified by their index.
class VariableLiveness {
public:
  VariableLiveness(llvm::Function &f, llvm::ArrayRef<Variable> variables);

  const llvm::BitVector &liveIn(const llvm::BasicBlock *bb) const {
    return in.find(bb)->second;
  }
  llvm::BitVector liveOut(const llvm::BasicBlock *bb) const;

  /// The index of the variable that \p i loads or stores, if any.
  std::optional<unsigned> loadedBy(const llvm::Instruction &i) const;
  std::optional<unsigned> storedBy(const llvm::Instruction &i) const;

private:
  std::optional<unsigned> indexOf(const llvm::Value *address) const;

  llvm::DenseMap<const llvm::Value *, unsigned> index;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> in;
};

/// Merges variables where one is copied to the other and they never hold
/// different values at the same time. Most are a loop's variables at the end of
/// one iteration and at the start of the next. Without merging, each copy would
/// be a loop over all threads.
void shareVariables(llvm::Function &kernel, std::vector<Variable> &variables);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H
