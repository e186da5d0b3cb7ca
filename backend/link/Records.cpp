// Generates calls that pass a record to the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Records.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace xcc {

Function *callWith(Module &module, StringRef name, StringRef callee,
                   GlobalVariable *record) {
  LLVMContext &context = module.getContext();
  auto *nothing = Type::getVoidTy(context);
  auto *function = Function::Create(FunctionType::get(nothing, false),
                                    GlobalValue::InternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  builder.CreateCall(
      module.getOrInsertFunction(callee, nothing, record->getType()), {record});
  builder.CreateRetVoid();
  return function;
}

} // namespace xcc
