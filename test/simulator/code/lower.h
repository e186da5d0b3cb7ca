// Operations on lanes as LLVM's instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_CODE_LOWER_H
#define XCC_TEST_SIMULATOR_CODE_LOWER_H

#include "test/simulator/common/lane_code.h"

#include <llvm/IR/IRBuilder.h>

namespace simulator {

/// Where an operation's operands come from and its results go: a vector of a
/// register's values, with an element for each lane, or a mask as a word.
class Registers {
public:
  virtual ~Registers() = default;
  virtual llvm::Value *read(uint32_t reg) = 0;
  virtual void write(uint32_t reg, llvm::Value *value) = 0;
  /// Whether the NaNs of a register of floats are not yet the one that the GPU
  /// has. Whoever looks at its bits makes them that.
  virtual bool anyNaN(uint32_t reg) const = 0;
};

/// All operations but calls.
void lower(llvm::IRBuilder<> &b, Registers &r, const LaneOperation &o);

/// A bit for each lane, of a mask that may be negated.
llvm::Value *readMask(llvm::IRBuilder<> &b, Registers &r, const LaneOperand &o);
/// As the elements of a vector.
llvm::Value *spread(llvm::IRBuilder<> &b, llvm::Value *mask);
/// Has the simulator execute an instruction. Whether it goes on then.
llvm::Value *callInstruction(llvm::IRBuilder<> &b, llvm::Value *state,
                             llvm::Value *instruction, llvm::Value *lanes);
/// All that the host has, also where it prefers shorter vectors.
void useWideVectors(llvm::Function &f);
/// The bits of floats, with the GPU's NaN.
llvm::Value *withOneNaN(llvm::IRBuilder<> &b, llvm::Value *bits);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_CODE_LOWER_H
