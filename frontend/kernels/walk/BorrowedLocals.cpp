// Local variables of the host that a launch's kernel refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BorrowedLocals.h"
#include "Accesses.h"
#include "Names.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/KernelCalls.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {
namespace {

/// Limits the steps from one local to the next.
constexpr unsigned MaxDepth = 32;

bool isClosure(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->isLambda();
}

bool holdsAddress(QualType type) {
  return (type->isPointerType() && !type->isFunctionPointerType()) ||
         type->isArrayType() || isView(type) || isClosure(type);
}

/// Whether the kernel may change an object through a parameter of the type.
bool permitsChange(QualType type) {
  return !(type->isReferenceType() || type->isPointerType()) ||
         !type->getPointeeType().isConstQualified();
}

const FunctionDecl *onlyCall(const CXXRecordDecl *record) {
  if (!record || !record->hasDefinition())
    return nullptr;
  const FunctionDecl *only = nullptr;
  for (const NamedDecl *each : record->lookup(
           record->getASTContext().DeclarationNames.getCXXOperatorName(
               OO_Call))) {
    const auto *method = dyn_cast<CXXMethodDecl>(each);
    if (!method || only)
      return nullptr;
    only = method;
  }
  return only;
}

bool neverChanges(const VarDecl *variable, KnownChanges &known) {
  return variable->getType().isConstQualified() ||
         variable->getType()->isReferenceType() ||
         isClosure(variable->getType()) || !known.onHost(variable);
}

} // namespace

bool inXCC(const Decl *decl) {
  for (const DeclContext *at = decl->getDeclContext(); at; at = at->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(at);
        space && space->getIdentifier() && space->getName() == "xcc" &&
        space->getParent()->getRedeclContext()->isTranslationUnit())
      return true;
  return false;
}

std::optional<unsigned> launchedBy(const FunctionDecl *callee) {
  if (!callee || !callee->getIdentifier() || !inXCC(callee) ||
      !callee->getReturnType()->isVoidType())
    return std::nullopt;
  return kernelParam(callee);
}

void BorrowedLocals::addLaunch(ASTContext &context, const CallExpr *launch,
                               unsigned param) {
  const Expr *kernel = launch->getArg(param);
  QualType type = kernel->getType();
  const FunctionDecl *fn =
      type->isFunctionPointerType() || type->isFunctionType()
          ? constantFunction(context, kernel)
          : onlyCall(type->getAsCXXRecordDecl());
  add(kernel, Value, /*changes=*/true);
  for (unsigned i = param + 1; i < launch->getNumArgs(); ++i) {
    const Expr *arg = launch->getArg(i);
    unsigned number = i - param - 1;
    const ParmVarDecl *taken =
        fn && number < fn->getNumParams() ? fn->getParamDecl(number) : nullptr;
    bool changed = taken && permitsChange(taken->getType());
    if (const FunctionDecl *made = fn ? fn->getDefinition() : nullptr;
        changed && made)
      changed = known.mayChange(made->getBody(), made->getParamDecl(number));
    if (taken && taken->getType()->isLValueReferenceType())
      add(arg, Storage, changed);
    else if (holdsAddress(arg->getType()))
      add(arg, Value, changed);
  }
}

void BorrowedLocals::add(const Expr *arg, Kind kind, bool changed) {
  changes = changed;
  if (kind == Storage)
    addStorage(plain(arg), 0);
  else
    addValue(arg, 0);
}

void BorrowedLocals::insert(const VarDecl *variable, Kind kind) {
  // A kernel does not read an empty object.
  const CXXRecordDecl *record =
      variable ? variable->getType().getNonReferenceType()->getAsCXXRecordDecl()
               : nullptr;
  if (kind == Storage && record && record->hasDefinition() && record->isEmpty())
    return;
  variables[Key(variable, kind)].changes |= changes;
}

/// Adds the variable whose memory the lvalue names.
void BorrowedLocals::addStorage(const Expr *lvalue, unsigned depth) {
  if (depth > MaxDepth)
    return;
  lvalue = lvalue->IgnoreParens();
  if (const auto *member = dyn_cast<MemberExpr>(lvalue)) {
    if (!isa<FieldDecl>(member->getMemberDecl()) ||
        member->getMemberDecl()->getType()->isReferenceType())
      return;
    if (member->isArrow())
      addValue(member->getBase(), depth + 1);
    else
      addStorage(member->getBase(), depth + 1);
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    addValue(element->getBase(), depth + 1);
  } else if (const auto *cast = dyn_cast<CastExpr>(lvalue);
             cast && cast->getCastKind() != CK_LValueToRValue) {
    addStorage(cast->getSubExpr(), depth + 1);
  } else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(lvalue);
             op && op->getOperator() == OO_Subscript &&
             isOwner(op->getArg(0)->getType())) {
    addStorage(op->getArg(0), depth + 1);
  } else if (const auto *unary = dyn_cast<UnaryOperator>(lvalue);
             unary && unary->getOpcode() == UO_Deref) {
    addValue(unary->getSubExpr(), depth + 1);
  } else if (isa<CXXThisExpr>(lvalue)) {
    insert(nullptr, Storage);
  } else if (const auto *ref = dyn_cast<DeclRefExpr>(lvalue)) {
    addVariable(ref->getDecl(), depth + 1);
  } else if (const Expr *inner = plain(lvalue); inner != lvalue) {
    addStorage(inner, depth + 1);
  }
}

void BorrowedLocals::addVariable(const ValueDecl *decl, unsigned depth) {
  if (const auto *binding = dyn_cast<BindingDecl>(decl)) {
    if (const auto *whole =
            dyn_cast_or_null<VarDecl>(binding->getDecomposedDecl()))
      addVariable(whole, depth + 1);
    return;
  }
  const auto *variable = dyn_cast<VarDecl>(decl);
  if (!variable || !variable->hasLocalStorage() || depth > MaxDepth)
    return;
  if (!variable->getType()->isReferenceType() || isa<ParmVarDecl>(variable))
    insert(variable, Storage);
  else if (const Expr *init = variable->getInit())
    addStorage(plain(init), depth + 1);
}

/// Adds the variables whose addresses the value holds.
void BorrowedLocals::addValue(const Expr *value, unsigned depth) {
  if (depth > MaxDepth)
    return;
  // An array decays to its address.
  const Expr *bare = value->IgnoreParens();
  while (const auto *cast = dyn_cast<CastExpr>(bare)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay) {
      addStorage(cast->getSubExpr(), depth + 1);
      return;
    }
    bare = cast->getSubExpr()->IgnoreParens();
  }
  value = plain(value);
  if (isa<CXXThisExpr>(value)) {
    insert(nullptr, Storage);
  } else if (const auto *lambda = dyn_cast<LambdaExpr>(value)) {
    addClosure(lambda, depth);
  } else if (const auto *ref = dyn_cast<DeclRefExpr>(value)) {
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      addValueOf(variable, depth);
  } else if (const auto *address = dyn_cast<UnaryOperator>(value);
             address && address->getOpcode() == UO_AddrOf) {
    addStorage(address->getSubExpr(), depth + 1);
  } else if (const auto *sum = dyn_cast<BinaryOperator>(value);
             sum && sum->isAdditiveOp() &&
             sum->getLHS()->getType()->isPointerType()) {
    addValue(sum->getLHS(), depth + 1);
  } else if (const auto *call = dyn_cast<CXXMemberCallExpr>(value)) {
    const CXXMethodDecl *method = call->getMethodDecl();
    if (method && method->getIdentifier() && isOwner(call->getObjectType()) &&
        (method->getName() == "data" || method->getName() == "get" ||
         method->getName() == "begin" || method->getName() == "c_str"))
      addStorage(call->getImplicitObjectArgument(), depth + 1);
  } else if (const auto *made = dyn_cast<CXXConstructExpr>(value);
             made && isView(made->getType()) && made->getNumArgs() > 0) {
    const Expr *from = plain(made->getArg(0));
    if (isOwner(from->getType()) || from->getType()->isArrayType())
      addStorage(from, depth + 1);
    else
      addValue(made->getArg(0), depth + 1);
  }
}

void BorrowedLocals::addClosure(const LambdaExpr *lambda, unsigned depth) {
  auto init = lambda->capture_init_begin();
  for (const LambdaCapture &capture : lambda->captures()) {
    const Expr *from = *init++;
    if (capture.capturesThis()) {
      if (capture.getCaptureKind() == LCK_This)
        insert(nullptr, Storage);
      continue;
    }
    if (!capture.capturesVariable() || !from)
      continue;
    const ValueDecl *name = capture.getCapturedVar();
    llvm::SaveAndRestore<bool> keep(
        changes, changes && known.mayChange(lambda->getBody(), name));
    if (capture.getCaptureKind() != LCK_ByRef) {
      if (holdsAddress(from->getType()))
        addValue(from, depth + 1);
    } else if (lambda->isInitCapture(&capture)) {
      addStorage(plain(from), depth + 1);
    } else {
      addVariable(name, depth + 1);
    }
  }
}

void BorrowedLocals::addValueOf(const VarDecl *variable, unsigned depth) {
  if (!variable->hasLocalStorage() || depth > MaxDepth)
    return;
  QualType type = variable->getType().getNonReferenceType();
  if (type->isArrayType())
    addVariable(variable, depth + 1);
  else if (!holdsAddress(type))
    return;
  else if (isa<ParmVarDecl>(variable))
    insert(variable, Value);
  // A variable that may change has no known value.
  else if (variable->getInit() && neverChanges(variable, known))
    addValue(variable->getInit(), depth + 1);
}

} // namespace xcc
