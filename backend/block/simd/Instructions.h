// Instructions of the vector form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_INSTRUCTIONS_H
#define XCC_BACKEND_BLOCK_SIMD_INSTRUCTIONS_H

#include "Emit.h"
#include "RowLoads.h"
#include "Values.h"

namespace llvm {
class TargetTransformInfo;
}

namespace xcc::block::simd {

/// Emits single instructions for all lanes, under a mask.
class Instructions {
public:
  Instructions(llvm::Function &f, const Shapes &shapes, Values &values,
               RowLoads &rows, unsigned lanes,
               const llvm::TargetTransformInfo &target, llvm::IRBuilder<> &b)
      : f(f), shapes(shapes), values(values), rows(rows), lanes(lanes),
        target(target), b(b) {}

  /// \p mask says which lanes come here; null for all.
  void emit(llvm::Instruction &i, llvm::Value *mask);

private:
  void emitOnce(llvm::Instruction &i, llvm::Value *mask);
  void emitLoad(llvm::LoadInst &load, llvm::Value *mask);
  void emitStore(llvm::StoreInst &store, llvm::Value *mask);
  llvm::Value *gather(llvm::LoadInst &load, llvm::Value *mask);
  void storeLast(llvm::StoreInst &store, llvm::Value *mask);
  llvm::Value *computed(llvm::Instruction &i, llvm::Value *mask);
  llvm::Value *comparedLanes(llvm::ICmpInst &compare);
  llvm::Value *divided(llvm::Instruction &i, llvm::Value *mask);
  llvm::Value *address(llvm::GetElementPtrInst &gep);
  llvm::Value *called(llvm::CallInst &call, llvm::Value *mask);
  llvm::Value *laneByLane(llvm::CallInst &call, llvm::Value *mask);
  llvm::Value *calledOnLane(llvm::CallInst &call, unsigned lane,
                            llvm::Value *result);
  llvm::Value *backwards(llvm::Value *v);
  llvm::Value *inMemoryOrder(llvm::Value *v, llvm::Value *pointer,
                             AccessKind kind);
  /// The lowest of all lanes' addresses.
  llvm::Value *firstAddress(llvm::Value *pointer, AccessKind kind,
                            llvm::Type *element);

  llvm::Function &f;
  const Shapes &shapes;
  Values &values;
  RowLoads &rows;
  unsigned lanes;
  const llvm::TargetTransformInfo &target;
  llvm::IRBuilder<> &b;
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> spares;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_INSTRUCTIONS_H
