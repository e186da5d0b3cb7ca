// Which variables code reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows calls from functions and initialisers that it is given, and notes
// each global or static variable that is named: as one that is written, unless
// it is only looked at.

#ifndef XCC_FRONTEND_KERNELS_USEVISITOR_H
#define XCC_FRONTEND_KERNELS_USEVISITOR_H

#include "EvaluatedCode.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "SharedVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace xcc {

/// Where one side first reads and first writes a variable.
struct Use {
  clang::SourceLocation read, write;
};
using Uses = llvm::MapVector<const clang::VarDecl *, Use>;

using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 32>;

/// Collects the uses of variables in functions and in what they call.
class UseVisitor : public EvaluatedCode<UseVisitor> {
public:
  using Base = EvaluatedCode<UseVisitor>;
  /// For the host, `device` has what kernels call and `kernels` these
  /// themselves: both are the host's only where it calls them.
  explicit UseVisitor(clang::ASTContext &context,
                      const Functions *device = nullptr,
                      const Functions *kernels = nullptr)
      : context(context), device(device), kernels(kernels) {}

  Uses uses;
  Functions functions;
  /// What each function, or variable's initialiser, does itself.
  struct Facts {
    llvm::SmallSetVector<const clang::FunctionDecl *, 4> callees;
    llvm::SmallSetVector<const clang::VarDecl *, 2> reads, writes;
    /// Variables that lead to others: pointers, references and their like.
    llvm::SmallSetVector<const clang::VarDecl *, 2> leads;
    /// Calls of what is not defined here, or is known when the program runs.
    llvm::SmallSetVector<const clang::FunctionDecl *, 2> others;
    bool unknownCalls = false;
  };
  llvm::DenseMap<const clang::NamedDecl *, Facts> facts;
  /// The same uses by who names what, if that is asked for.
  using Naming = std::pair<const clang::NamedDecl *, const clang::VarDecl *>;
  llvm::MapVector<Naming, Use> each;
  bool keepsEach = false;
  /// The host's first calls of what kernels call too.
  llvm::MapVector<const clang::FunctionDecl *, clang::SourceLocation> entered;

  void add(const clang::FunctionDecl *function, clang::SourceLocation at = {}) {
    const clang::FunctionDecl *declared = function;
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
  void addNamed(const clang::FunctionDecl *function, clang::SourceLocation at) {
    const clang::FunctionDecl *made = function->getDefinition();
    if (!made || !kernels || !kernels->contains(made))
      add(function, at);
  }
  void add(const clang::VarDecl *variable) {
    llvm::SaveAndRestore<const clang::NamedDecl *> keep(current, variable);
    if (const clang::Expr *init = variable->getInit())
      TraverseStmt(const_cast<clang::Expr *>(init));
  }
  void run() {
    for (size_t next = 0; next < work.size(); ++next) {
      const clang::FunctionDecl *function = work[next];
      current = function;
      if (const auto *made =
              llvm::dyn_cast<clang::CXXConstructorDecl>(function))
        for (const clang::CXXCtorInitializer *init : made->inits())
          TraverseStmt(init->getInit());
      TraverseStmt(function->getBody());
    }
    work.clear();
    current = nullptr;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *init : lambda->capture_inits())
      if (init)
        TraverseStmt(init);
    // What a kernel calls, the host need not.
    const clang::FunctionDecl *body =
        lambda->getCallOperator()->getDefinition();
    if (!device || !device->contains(body))
      add(body);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee)
      add(callee, call->getExprLoc());
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (current && (!callee || (method && method->isVirtual())))
      facts[current].unknownCalls = true;
    return true;
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *expr) {
    return TraverseStmt(expr->getExpr());
  }

  /// What device code calls on the host is the host's: only the arguments are
  /// the kernel's.
  bool TraverseCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee =
        device ? nullptr : call->getDirectCallee();
    const bool named = callee && callee->getIdentifier() &&
                       callee->getName() == "host_call" &&
                       callee->getQualifiedNameAsString() == "xcc::host_call";
    if (!named && !(callee && isAnnotated(callee, annotation::Host)))
      return Base::TraverseCallExpr(call);
    for (unsigned i = named; i < call->getNumArgs(); ++i)
      TraverseStmt(call->getArg(i));
    return true;
  }

  // What is only looked at.
  bool VisitCastExpr(clang::CastExpr *cast) {
    const clang::Expr *from = cast->getSubExpr();
    bool constant = cast->getType().isConstQualified() && cast->isLValue();
    if (const auto *pointer = cast->getType()->getAs<clang::PointerType>())
      constant |= pointer->getPointeeType().isConstQualified();
    if (cast->getCastKind() == clang::CK_LValueToRValue ||
        cast->getCastKind() == clang::CK_ToVoid || constant)
      look(from);
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) {
    if (const clang::CXXMethodDecl *method = call->getMethodDecl();
        method && method->isConst())
      look(call->getImplicitObjectArgument());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) {
    if (ref->isNonOdrUse() != clang::NOUR_None)
      return true;
    if (const auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()))
      addNamed(function, ref->getExprLoc());
    else if (const auto *variable =
                 llvm::dyn_cast<clang::VarDecl>(ref->getDecl()))
      note(variable, ref, ref->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (const auto *method =
            llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      addNamed(method, member->getExprLoc());
    else if (const auto *variable =
                 llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      note(variable, member, member->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expr) {
    add(expr->getConstructor(), expr->getExprLoc());
    return true;
  }

private:
  clang::ASTContext &context;
  const Functions *device, *kernels;
  std::vector<const clang::FunctionDecl *> work;
  const clang::NamedDecl *current = nullptr; ///< what is looked at
  llvm::SmallPtrSet<const clang::Expr *, 32> lookedAt;

  /// Whether objects that are no part of a variable are reached through it,
  /// and may be written.
  static bool leads(clang::QualType type) {
    if (type->isReferenceType() || type->isPointerType())
      return !type->getPointeeType().isConstQualified() &&
             !type->getPointeeType()->isFunctionType();
    // A pointer that is a class has an operator of its own.
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() && hasArrow(record);
  }
  static bool hasArrow(const clang::CXXRecordDecl *record) {
    auto arrow = record->getASTContext().DeclarationNames.getCXXOperatorName(
        clang::OO_Arrow);
    if (!record->lookup(arrow).empty())
      return true;
    return llvm::any_of(record->bases(), [](const auto &base) {
      const clang::CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl();
      return inner && inner->hasDefinition() && hasArrow(inner);
    });
  }

  /// The variable of which an expression names the whole or a part.
  void look(const clang::Expr *expr) {
    while (true) {
      expr = expr->IgnoreParens();
      if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr);
          member && !member->isArrow() &&
          llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
        expr = member->getBase();
      else if (const auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
        expr = element->getBase();
      else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr);
               cast && cast->getCastKind() != clang::CK_LValueToRValue)
        expr = cast->getSubExpr();
      else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
               unary && unary->getOpcode() == clang::UO_AddrOf)
        expr = unary->getSubExpr();
      else
        break;
    }
    lookedAt.insert(expr);
  }

  void note(const clang::VarDecl *variable, const clang::Expr *ref,
            clang::SourceLocation at) {
    if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
        variable->getTLSKind() != clang::VarDecl::TLS_None)
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
    clang::SourceLocation &place = read ? use.read : use.write;
    if (place.isInvalid())
      place = at;
    if (current) {
      Facts &own = facts[current];
      (read ? own.reads : own.writes).insert(variable);
      if (keepsEach) {
        Use &mine = each[{current, variable}];
        clang::SourceLocation &first = read ? mine.read : mine.write;
        if (first.isInvalid())
          first = at;
      }
    }
  }
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_USEVISITOR_H
