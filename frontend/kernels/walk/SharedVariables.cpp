// Variables in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __attribute__((xcc_block_shared)) may stand anywhere among the specifiers of
// a declaration, as __shared__ does in CUDA and HIP. It is stored as an
// annotation, so that templates instantiate it. It makes a local variable
// static. An extern array without a size is the launch's dynamic shared memory:
// it is declared under a name that nothing defines, and lowerDynamicShared
// replaces that name by the address.

#include "SharedVariables.h"
#include "Names.h"
#include "kernels/check/Report.h"
#include "kernels/find/FunctionAttribute.h"
#include "kernels/find/HeaderTemplates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace clang;

namespace xcc {
namespace {

constexpr llvm::StringLiteral DynamicName = "__xcc_dynamic_shared_array";

struct BlockSharedAttr : AnnotationAttribute {
  BlockSharedAttr() {
    static constexpr Spelling spellings[] = {
        {ParsedAttr::AS_GNU, "xcc_block_shared"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr,
                            const Decl *decl) const override {
    if (isa<VarDecl>(decl) && !isa<ParmVarDecl>(decl))
      return true;
    report(sema, DiagnosticsEngine::Error, attr.getLoc(),
           "only a variable can be in the memory that a block shares");
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    auto *variable = cast<VarDecl>(decl);
    if (variable->hasExternalStorage()) {
      if (!variable->getType()->isIncompleteArrayType()) {
        report(sema, DiagnosticsEngine::Error, attr.getLoc(),
               "a variable that a block shares is declared where it is used: "
               "only an array without a size, which is the launch's dynamic "
               "shared memory, can be extern");
        return AttributeNotApplied;
      }
      if (!variable->hasAttr<AsmLabelAttr>())
        variable->addAttr(
            AsmLabelAttr::CreateImplicit(sema.Context, DynamicName));
      // It is weak, so that a host function which is never called does not make
      // the link fail.
      if (!variable->hasAttr<WeakAttr>())
        variable->addAttr(WeakAttr::CreateImplicit(sema.Context));
    } else if (variable->hasLocalStorage()) {
      variable->setStorageClass(SC_Static);
    }
    return annotate(sema, variable, attr, annotation::BlockShared);
  }
};

ParsedAttrInfoRegistry::Add<BlockSharedAttr>
    registration("xcc-block-shared", "variables that a block shares");

} // namespace

/// The class of a type or, for an array, of its elements.
static const CXXRecordDecl *classOf(QualType type) {
  return type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
}

bool isBlockShared(const VarDecl *variable) {
  const CXXRecordDecl *record = classOf(variable->getType());
  return (record && isAnnotated(record, annotation::BlockShared)) ||
         (variable->hasAttrs() &&
          isAnnotated(variable, annotation::BlockShared));
}

bool hasBlockSharedPart(QualType type) {
  const CXXRecordDecl *record = classOf(type);
  record = record ? record->getDefinition() : nullptr;
  if (!record || record->isDependentType())
    return false;
  auto isOne = [](QualType part) {
    const CXXRecordDecl *made = classOf(part);
    return (made && isAnnotated(made, annotation::BlockShared)) ||
           hasBlockSharedPart(part);
  };
  return llvm::any_of(record->bases(),
                      [&](const CXXBaseSpecifier &base) {
                        return isOne(base.getType());
                      }) ||
         llvm::any_of(record->fields(), [&](const FieldDecl *field) {
           return isOne(field->getType());
         });
}

bool isDynamicShared(const VarDecl *variable) {
  return variable->hasExternalStorage() && variable->hasAttrs() &&
         isAnnotated(variable, annotation::BlockShared);
}

bool hasSharedInitialiser(const VarDecl *variable) {
  if (!variable->hasAttrs() || !isAnnotated(variable, annotation::BlockShared))
    return false;
  const Expr *init = variable->getAnyInitializer();
  if (!init)
    return false;
  const auto *made = dyn_cast<CXXConstructExpr>(init->IgnoreImplicit());
  return !made || !made->getConstructor()->isTrivial() ||
         made->requiresZeroInitialization() || made->getNumArgs() != 0;
}

void lowerDynamicShared(llvm::Module &module) {
  llvm::GlobalVariable *array = module.getNamedGlobal(DynamicName);
  if (!array)
    array = module.getNamedGlobal(("\01" + DynamicName).str());
  if (!array)
    return;
  llvm::convertUsersOfConstantsToInstructions({array});
  auto *generic = llvm::PointerType::getUnqual(module.getContext());
  llvm::FunctionCallee address = module.getOrInsertFunction(
      "__xcc_dynamic_shared", llvm::FunctionType::get(generic, false));
  llvm::DenseMap<llvm::Function *, llvm::Value *> known;
  for (llvm::Use &use : llvm::make_early_inc_range(array->uses())) {
    auto *user = dyn_cast<llvm::Instruction>(use.getUser());
    if (!user)
      continue;
    llvm::Function *function = user->getFunction();
    llvm::Value *&at = known[function];
    if (!at) {
      llvm::IRBuilder<> builder(
          &*function->getEntryBlock().getFirstInsertionPt());
      auto *call = builder.CreateCall(address);
      // In a function with debug information, calls need a location.
      if (auto *scope = function->getSubprogram())
        call->setDebugLoc(
            llvm::DILocation::get(module.getContext(), 0, 0, scope));
      at = call;
    }
    llvm::Value *here = at;
    if (use->getType() != at->getType()) {
      auto *call = cast<llvm::Instruction>(at);
      llvm::IRBuilder<> builder(call->getParent(), ++call->getIterator());
      here = builder.CreateAddrSpaceCast(at, use->getType());
    }
    use.set(here);
  }
  if (array->use_empty())
    array->eraseFromParent();
}

} // namespace xcc
