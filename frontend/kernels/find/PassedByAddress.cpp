// Arguments that are passed by address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassedByAddress.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace clang;

namespace xcc {

StructTypes passedByAddress(ASTContext &context, CodeGenerator &codegen) {
  llvm::SmallPtrSet<const CXXRecordDecl *, 32> seen;
  llvm::SmallVector<QualType> classes;
  for (const Type *type : context.getTypes()) {
    const auto *function = dyn_cast<FunctionProtoType>(type);
    if (!function || function->isDependentType() ||
        !function->isCanonicalUnqualified())
      continue;
    for (QualType param : function->param_types()) {
      const CXXRecordDecl *record = param->getAsCXXRecordDecl();
      if (record && record->getDefinition() &&
          !record->getDefinition()->isInvalidDecl() &&
          !record->getDefinition()->canPassInRegisters() &&
          seen.insert(record->getDefinition()).second)
        classes.push_back(param.getUnqualifiedType());
    }
  }
  StructTypes types;
  for (QualType type : classes)
    types.insert(CodeGen::convertTypeForMemory(codegen.CGM(), type));
  return types;
}

void passByAddress(llvm::Module &module, const StructTypes &types) {
  auto changes = [&](llvm::Type *copied) {
    return copied && types.contains(copied);
  };
  for (llvm::Function &function : module) {
    for (llvm::Argument &arg : function.args())
      if (changes(arg.getParamByValType()))
        arg.removeAttr(llvm::Attribute::ByVal);
    for (llvm::Instruction &inst : instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        for (unsigned i = 0; i < call->arg_size(); ++i)
          if (changes(call->getParamByValType(i)))
            call->removeParamAttr(i, llvm::Attribute::ByVal);
  }
}

} // namespace xcc
