// Loads and stores of host code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_CODE_ACCESS_H
#define XCC_TEST_SIMULATOR_CODE_ACCESS_H

#include "lower.h"

namespace simulator {

/// An access that is made without the simulator if all lanes' addresses are
/// aligned and within the instruction's window. Neighbouring elements are one
/// access of the host.
class Access {
public:
  Access(llvm::IRBuilder<> &b, Registers &r, llvm::Value *state,
         llvm::Value *lanes, const LaneOperation &o);
  /// Goes on at \p slow when the simulator has to look at it, else at \p behind.
  void write(llvm::BasicBlock *slow, llvm::BasicBlock *behind);

private:
  llvm::BasicBlock *block(const char *name);
  llvm::Value *field(llvm::Value *of, size_t offset);
  llvm::Value *word(llvm::Value *of, size_t offset);
  llvm::Value *splat(llvm::Value *v) { return b.CreateVectorSplat(Lanes, v); }
  llvm::Value *vectorOf(uint64_t value) {
    return llvm::ConstantInt::get(addresses->getType(), value);
  }
  /// Whether something is so for all of the lanes.
  llvm::Value *all(llvm::Value *is);
  llvm::Value *fits(llvm::Value *address);
  void findAddresses();
  void neighbours(llvm::BasicBlock *slow, llvm::BasicBlock *behind);
  void same(llvm::BasicBlock *slow, llvm::BasicBlock *behind);
  void any(llvm::BasicBlock *slow, llvm::BasicBlock *behind);
  llvm::Value *stored();
  void take(llvm::Value *loaded);

  llvm::IRBuilder<> &b;
  Registers &r;
  llvm::Value *state, *lanes;
  const LaneOperation &o;
  unsigned bytes;
  llvm::Type *element;
  llvm::Value *window = nullptr, *begin = nullptr, *last = nullptr,
              *shift = nullptr;
  llvm::Value *addresses = nullptr, *first = nullptr, *distances = nullptr;
};

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_CODE_ACCESS_H
