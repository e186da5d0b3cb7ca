// Calls that name kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelCalls.h"
#include "AlgorithmCalls.h"
#include "ConfiguredLaunches.h"
#include "HeaderTemplates.h"
#include "LaunchArguments.h"
#include "MemberVisits.h"
#include "Names.h"
#include "ResultsUsed.h"
#include "Symbols.h"
#include "kernels/host/HostCalls.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {

std::optional<unsigned> kernelParam(const FunctionDecl *callee) {
  for (unsigned i = 0, n = callee->getNumParams(); i < n; ++i) {
    const ParmVarDecl *param = callee->getParamDecl(i);
    if (param->hasAttrs() && isAnnotated(param, annotation::Kernel))
      return i;
  }
  return std::nullopt;
}
namespace {

/// Visits code that exists after instantiation: never a template's pattern,
/// whose instantiations arrive as declarations of their own.
class CallVisitor : public TreeVisitor {
public:
  CallVisitor(Sema &sema, llvm::SmallPtrSetImpl<const void *> &visited,
              std::vector<KernelCall> &calls, Prepared &prepared)
      : sema(sema), context(sema.getASTContext()), visited(visited),
        calls(calls), prepared(prepared), results(sema) {}

  bool TraverseDecl(Decl *decl) override {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    llvm::SaveAndRestore<DeclContext *> inside(where, where);
    if (auto *function = dyn_cast<FunctionDecl>(decl))
      where = function;
    return TreeVisitor::TraverseDecl(decl);
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) override {
    if (!lambda->isGenericLambda()) {
      for (Expr *init : lambda->capture_inits())
        if (init && !TraverseStmt(init))
          return false;
      llvm::SaveAndRestore<DeclContext *> inside(where,
                                                 lambda->getCallOperator());
      for (ParmVarDecl *param : lambda->getCallOperator()->parameters())
        if (!TraverseDecl(param))
          return false;
      return TraverseStmt(lambda->getBody());
    }
    for (Expr *init : lambda->capture_inits())
      if (init && !TraverseStmt(init))
        return false;
    return true;
  }
  /// Default arguments and initialisers are evaluated where they are used.
  /// Those of templates exist nowhere else.
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) override {
    return !visited.insert(expr->getExpr()).second ||
           TraverseStmt(expr->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *expr) override {
    return !visited.insert(expr->getExpr()).second ||
           TraverseStmt(expr->getExpr());
  }
  bool VisitInitListExpr(InitListExpr *list) override {
    InitListExpr *whole =
        list->isSemanticForm() ? list : list->getSemanticForm();
    if (!whole || !visited.insert(whole).second)
      return true;
    // The semantic form has overloads and templates resolved.
    for (Expr *init : whole->inits())
      if (init &&
          (isa<CXXDefaultInitExpr, InitListExpr>(init) ||
           init->getType()->isFunctionPointerType()) &&
          !TraverseStmt(init))
        return false;
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *expr) override {
    writeNames(context, expr, prepared.mapped);
    CXXConstructorDecl *made = expr->getConstructor();
    if (!made->isDefaulted() || !made->getDefinition() ||
        !visited.insert(made).second)
      return true;
    for (CXXCtorInitializer *init : made->inits())
      if (!TraverseStmt(init->getInit()))
        return false;
    return true;
  }
  /// Completes launches. A launch returns void, so it is always a whole operand
  /// or statement, and can be replaced as a child of its parent.
  bool VisitStmt(Stmt *parent) override {
    if (!sema.getLangOpts().SYCLIsDevice)
      results.visit(parent);
    for (Stmt *&child : parent->children()) {
      if (auto *comma = dyn_cast_or_null<BinaryOperator>(child))
        if (Expr *launch = configuredLaunch(sema, comma, where))
          child = launch;
      auto *call = dyn_cast_or_null<CallExpr>(child);
      if (!call || !isLaunch(call) || !visited.insert(call).second)
        continue;
      auto param = kernelParam(call->getDirectCallee());
      if (!param || *param >= call->getNumArgs())
        continue;
      if (Expr *complete = completeLaunch(sema, call, *param, where)) {
        child = complete;
        visited.insert(complete->IgnoreImplicit()); // handle it once
      }
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    writeNames(context, call, prepared.mapped);
    notTaken(call->getCallee());
    if (isSymbolCall(call)) {
      // prepareSymbol has reported an argument that it left unchanged.
      if (isa<CXXDefaultArgExpr>(call->getArg(1)))
        prepareSymbol(sema, call);
      if (isa<CXXDefaultArgExpr>(call->getArg(1)))
        return true;
    }
    if (FunctionDecl *callee = call->getDirectCallee())
      if (auto param = kernelParam(callee);
          param && *param < call->getNumArgs() &&
          visited.insert(call->getCallee()).second) {
        notTaken(call->getArg(*param));
        calls.push_back({call, *param});
        simplify(call, *param, calls.back());
        notTaken(call->getArg(*param));
      }
    if (isHostCall(call))
      prepared.hostCalls.push_back(call);
    if (visited.insert(call).second)
      prepareAlgorithm(sema, call, where);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    auto *function = dyn_cast<FunctionDecl>(ref->getDecl());
    if (function && isMemberVisit(function))
      prepared.memberVisits.push_back(function);
    else if (function && isMarkedGlobal(function) && !visited.contains(ref) &&
             visited.insert(function).second)
      prepared.pointers.push_back({function, ref->getLocation()});
    return true;
  }

private:
  Sema &sema;
  ASTContext &context;
  llvm::SmallPtrSetImpl<const void *> &visited;
  std::vector<KernelCall> &calls;
  Prepared &prepared;
  ResultsUsed results;
  DeclContext *where = nullptr; ///< the enclosing function

  /// Marks the name as not taking an address: it is called or launched.
  void notTaken(const Expr *expr) {
    if (const DeclRefExpr *name = functionName(expr))
      visited.insert(name);
  }

  /// Replaces other constant arguments by a plain name. Host lowering
  /// recognises a function's name, and constants that Clang itself folds.
  void simplify(CallExpr *call, unsigned param, KernelCall &found) {
    Expr *arg = call->getArg(param);
    if (!arg->getType()->isFunctionPointerType())
      return;
    QualType taken = call->getDirectCallee()->getParamDecl(param)->getType();
    if (taken->isReferenceType() && !forwardedKernel(arg)) {
      nameEntry(call, param, taken, found);
      return;
    }
    if (isa<DeclRefExpr>(arg->IgnoreParenImpCasts()))
      return;
    FunctionDecl *fn = constantFunction(context, arg);
    if (!fn)
      return;
    Expr *name = nameOf(context, fn, arg->getExprLoc());
    if (!context.hasSameType(name->getType(), arg->getType()))
      name = ImplicitCastExpr::Create(context, arg->getType(), CK_BitCast, name,
                                      nullptr, VK_PRValue, FPOptionsOverride());
    call->setArg(param, name);
  }

  /// For a reference to a pointer: stores the entry's address, which host
  /// lowering replaces by the descriptor wherever it occurs.
  void nameEntry(CallExpr *call, unsigned param, QualType taken,
                 KernelCall &found) {
    Expr *arg = call->getArg(param);
    FunctionDecl *fn = constantFunction(context, arg);
    if (!fn || fn->isVariadic())
      return;
    FunctionDecl *entry = functionEntry(sema, fn, arg->getExprLoc());
    if (!entry)
      return;
    found.function = fn;
    sema.MarkFunctionReferenced(arg->getExprLoc(), entry);
    Expr *name = nameOf(context, entry, arg->getExprLoc());
    QualType type = arg->getType();
    name = ImplicitCastExpr::Create(context, type, CK_BitCast, name, nullptr,
                                    VK_PRValue, FPOptionsOverride());
    call->setArg(param, sema.CreateMaterializeTemporaryExpr(
                            type, name, taken->isLValueReferenceType()));
  }
};

} // namespace

void collectCalls(Sema &sema, Decl *decl,
                  llvm::SmallPtrSetImpl<const void *> &visited,
                  std::vector<KernelCall> &kernels, Prepared &prepared) {
  CallVisitor(sema, visited, kernels, prepared).TraverseDecl(decl);
}

FunctionDecl *constantFunction(ASTContext &context, const Expr *arg) {
  Expr::EvalResult result;
  if (arg->isValueDependent() || arg->containsErrors())
    return nullptr;
  // If the parameter is a reference, the argument is the function itself.
  bool known = arg->getType()->isFunctionType()
                   ? arg->EvaluateAsLValue(result, context)
                   : arg->EvaluateAsRValue(result, context);
  if (!known || !result.Val.isLValue())
    return nullptr;
  const auto *decl = result.Val.getLValueBase().dyn_cast<const ValueDecl *>();
  return decl ? const_cast<FunctionDecl *>(dyn_cast<FunctionDecl>(decl))
              : nullptr;
}

} // namespace xcc
