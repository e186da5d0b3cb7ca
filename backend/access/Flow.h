// The flow of addresses through a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows addresses from the kernarg block through a kernel and all that it
// calls. Ignores the order of instructions (Andersen's analysis).

#ifndef XCC_BACKEND_ACCESS_FLOW_H
#define XCC_BACKEND_ACCESS_FLOW_H

#include "Objects.h"
#include "targets/Target.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class IntrinsicInst;
class Operator;
} // namespace llvm

namespace xcc::access {

class Flow {
public:
  Flow(llvm::Function &entry, unsigned maxDepth);

  /// Sets the values of a parameter of the entry, before run().
  void bind(const llvm::Argument &parameter, const Places &values);
  /// Runs until nothing changes, or until an instruction is not known.
  void run();

  Objects objects;

private:
  llvm::Function &entry;
  const llvm::DataLayout &layout;
  const Target *target; ///< null if the module is of none
  llvm::TargetLibraryInfoImpl libraryImpl;
  llvm::TargetLibraryInfo library;
  llvm::DenseMap<const llvm::Value *, Places> values;
  llvm::DenseMap<const llvm::Function *, Places> results;
  llvm::SmallSetVector<llvm::Function *, 8> functions;

  Places of(const llvm::Value *value);
  /// Adds \p places to the values that \p value may have.
  void set(const llvm::Value &value, const Places &places);
  Access accessOf(const llvm::Type *type, const llvm::Instruction &inst) const;

  void visit(llvm::Instruction &inst);
  void storeAt(const llvm::Value *address, const llvm::Value *value,
               const llvm::Instruction &inst);
  /// The result of an operation without effects.
  Places computed(const llvm::Operator &op);
  Places arithmetic(const llvm::User &op);
  Places shifted(Places base, const llvm::Operator &op);

  // Calls.cpp
  void visitCall(llvm::CallBase &call);
  bool visitIntrinsic(llvm::IntrinsicInst &call);
  bool visitKnown(llvm::CallBase &call, const llvm::Function &callee);
  void visitExternal(llvm::CallBase &call, const llvm::Function *callee);
  void enter(llvm::CallBase &call, llvm::Function &callee);
  Places allOf(const llvm::CallBase &call);
  /// A new object for \p of, such as memory from malloc.
  Places fresh(const llvm::Value &of);
};

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_FLOW_H
