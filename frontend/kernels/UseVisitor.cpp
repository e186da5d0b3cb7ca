// Which variables code reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UseVisitor.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "SharedVariables.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {

static bool hasArrow(const CXXRecordDecl *record) {
  auto arrow =
      record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Arrow);
  if (!record->lookup(arrow).empty())
    return true;
  return llvm::any_of(record->bases(), [](const auto &base) {
    const CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl();
    return inner && inner->hasDefinition() && hasArrow(inner);
  });
}

/// Whether objects that are no part of a variable are reached through it,
/// and may be written.
static bool leads(QualType type) {
  if (type->isReferenceType() || type->isPointerType())
    return !type->getPointeeType().isConstQualified() &&
           !type->getPointeeType()->isFunctionType();
  // A pointer that is a class has an operator of its own.
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && hasArrow(record);
}

void UseVisitor::add(const FunctionDecl *function, SourceLocation at) {
  const FunctionDecl *declared = function;
  function = function ? function->getDefinition() : nullptr;
  if (!function || function->isTemplated()) {
    if (declared && !function && current)
      facts[current].others.insert(declared->getCanonicalDecl());
    return;
  }
  if (device && device->contains(function)) {
    entered.insert({function, at});
    return;
  }
  if (current)
    facts[current].callees.insert(function);
  if (functions.insert(function).second)
    work.push_back(function);
}

/// Named, which need not be a call: that of a kernel is none, nor is that of
/// what is handed on to a kernel.
void UseVisitor::addNamed(const FunctionDecl *function, SourceLocation at) {
  const FunctionDecl *made = function->getDefinition();
  if (!made || !kernels || !kernels->contains(made))
    add(function, at);
}

void UseVisitor::add(const VarDecl *variable) {
  llvm::SaveAndRestore<const NamedDecl *> keep(current, variable);
  if (const Expr *init = variable->getInit())
    TraverseStmt(const_cast<Expr *>(init));
}

void UseVisitor::run() {
  for (size_t next = 0; next < work.size(); ++next) {
    const FunctionDecl *function = work[next];
    current = function;
    if (const auto *made = dyn_cast<CXXConstructorDecl>(function))
      for (const CXXCtorInitializer *init : made->inits())
        TraverseStmt(init->getInit());
    TraverseStmt(function->getBody());
  }
  work.clear();
  current = nullptr;
}

bool UseVisitor::TraverseLambdaExpr(LambdaExpr *lambda) {
  for (Expr *init : lambda->capture_inits())
    if (init)
      TraverseStmt(init);
  // What a kernel calls, the host need not.
  const FunctionDecl *body = lambda->getCallOperator()->getDefinition();
  if (!device || !device->contains(body))
    add(body);
  return true;
}
bool UseVisitor::VisitCallExpr(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (callee)
    add(callee, call->getExprLoc());
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (current && (!callee || (method && method->isVirtual())))
    facts[current].unknownCalls = true;
  return true;
}
bool UseVisitor::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
  return TraverseStmt(expr->getExpr());
}

/// What device code calls on the host is the host's: only the arguments are
/// the kernel's.
bool UseVisitor::TraverseCallExpr(CallExpr *call) {
  const FunctionDecl *callee = device ? nullptr : call->getDirectCallee();
  const bool named = callee && callee->getIdentifier() &&
                     callee->getName() == "host_call" &&
                     callee->getQualifiedNameAsString() == "xcc::host_call";
  if (!named && !(callee && isAnnotated(callee, annotation::Host)))
    return EvaluatedCode::TraverseCallExpr(call);
  for (unsigned i = named; i < call->getNumArgs(); ++i)
    TraverseStmt(call->getArg(i));
  return true;
}

// What is only looked at.
bool UseVisitor::VisitCastExpr(CastExpr *cast) {
  const Expr *from = cast->getSubExpr();
  bool constant = cast->getType().isConstQualified() && cast->isLValue();
  if (const auto *pointer = cast->getType()->getAs<PointerType>())
    constant |= pointer->getPointeeType().isConstQualified();
  if (cast->getCastKind() == CK_LValueToRValue ||
      cast->getCastKind() == CK_ToVoid || constant)
    look(from);
  return true;
}
bool UseVisitor::VisitCXXMemberCallExpr(CXXMemberCallExpr *call) {
  if (const CXXMethodDecl *method = call->getMethodDecl();
      method && method->isConst())
    look(call->getImplicitObjectArgument());
  return true;
}
bool UseVisitor::VisitDeclRefExpr(DeclRefExpr *ref) {
  if (ref->isNonOdrUse() != NOUR_None)
    return true;
  if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
    addNamed(function, ref->getExprLoc());
  else if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
    note(variable, ref, ref->getExprLoc());
  return true;
}
bool UseVisitor::VisitMemberExpr(MemberExpr *member) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(member->getMemberDecl()))
    addNamed(method, member->getExprLoc());
  else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
    note(variable, member, member->getExprLoc());
  return true;
}
bool UseVisitor::VisitCXXConstructExpr(CXXConstructExpr *expr) {
  add(expr->getConstructor(), expr->getExprLoc());
  return true;
}

/// The variable of which an expression names the whole or a part.
void UseVisitor::look(const Expr *expr) {
  while (true) {
    expr = expr->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(expr);
        member && !member->isArrow() && isa<FieldDecl>(member->getMemberDecl()))
      expr = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else if (const auto *cast = dyn_cast<CastExpr>(expr);
             cast && cast->getCastKind() != CK_LValueToRValue)
      expr = cast->getSubExpr();
    else if (const auto *unary = dyn_cast<UnaryOperator>(expr);
             unary && unary->getOpcode() == UO_AddrOf)
      expr = unary->getSubExpr();
    else
      break;
  }
  lookedAt.insert(expr);
}

void UseVisitor::note(const VarDecl *variable, const Expr *ref,
                      SourceLocation at) {
  if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
      variable->getTLSKind() != VarDecl::TLS_None)
    return;
  if (current && leads(variable->getType()))
    facts[current].leads.insert(variable->getCanonicalDecl());
  if (variable->getType().isConstant(context) ||
      variable->getType()->isReferenceType() ||
      context.getSourceManager().isInSystemHeader(variable->getLocation()))
    return;
  if (isBlockShared(variable))
    return;
  variable = variable->getCanonicalDecl();
  Use &use = uses[variable];
  bool read = lookedAt.contains(ref);
  SourceLocation &place = read ? use.read : use.write;
  if (place.isInvalid())
    place = at;
  if (current) {
    Facts &own = facts[current];
    (read ? own.reads : own.writes).insert(variable);
    if (keepsEach) {
      Use &mine = each[{current, variable}];
      SourceLocation &first = read ? mine.read : mine.write;
      if (first.isInvalid())
        first = at;
    }
  }
}

} // namespace xcc
