// Where variables hold values
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H
#define XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H

#include "LiveAcross.h"

#include "llvm/ADT/BitVector.h"

namespace xcc::block {

/// At the ends of which blocks the variables of a kernel, as one thread runs
/// it, hold values that are loaded later. Variables go by their index.
class VariableLiveness {
public:
  VariableLiveness(llvm::Function &f, llvm::ArrayRef<Variable> variables);

  const llvm::BitVector &liveIn(const llvm::BasicBlock *bb) const {
    return in.find(bb)->second;
  }
  llvm::BitVector liveOut(const llvm::BasicBlock *bb) const;

  /// The variable that \p i loads or stores, if it does.
  std::optional<unsigned> loadedBy(const llvm::Instruction &i) const;
  std::optional<unsigned> storedBy(const llvm::Instruction &i) const;

private:
  std::optional<unsigned> indexOf(const llvm::Value *address) const;

  llvm::DenseMap<const llvm::Value *, unsigned> index;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> in;
};

/// Lets variables share memory that one is copied to the other of and that do
/// not hold different values at a time: mostly a loop's variable at the ends of
/// one iteration and the start of the next. A copy would be a loop over all
/// threads.
void shareVariables(llvm::Function &kernel, std::vector<Variable> &variables);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_VARIABLELIVENESS_H
