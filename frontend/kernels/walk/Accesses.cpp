// Which variables code reads and changes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "BorrowedLocals.h"
#include "TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace xcc {
namespace {

StringRef named(const FunctionDecl *function) {
  return function && function->getIdentifier() ? function->getName()
                                               : StringRef();
}

/// Whether the call returns an element of a container or leads to one.
bool isElementAccess(const CXXMemberCallExpr *call) {
  StringRef name = named(call->getMethodDecl());
  QualType object = call->getObjectType();
  return (isOwner(object) || isView(object)) &&
         (name == "at" || name == "front" || name == "back" || name == "data" ||
          name == "begin" || name == "get" || name == "c_str");
}
bool isElementAccess(const CXXOperatorCallExpr *call) {
  return (call->getOperator() == OO_Subscript ||
          call->getOperator() == OO_Star || call->getOperator() == OO_Arrow) &&
         (isOwner(call->getArg(0)->getType()) ||
          isView(call->getArg(0)->getType()));
}

bool isConst(QualType type) {
  return type->getPointeeType().isConstQualified();
}

/// Calls `target` with each expression whose object code may change.
class Changes : public TreeVisitor {
public:
  /// `sure`: only changes that are certain.
  Changes(llvm::function_ref<void(const Expr *)> target, bool sure)
      : target(target), sure(sure) {}

  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      target(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() || (op->getOpcode() == UO_AddrOf && !sure))
      target(op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) override {
    if (sure) {
      if (call->isAssignmentOp() || call->getOperator() == OO_PlusPlus ||
          call->getOperator() == OO_MinusMinus)
        target(call->getArg(0));
      return true;
    }
    const auto *method =
        dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if (method && !method->isConst() && !isElementAccess(call))
      target(call->getArg(0));
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    const CXXMethodDecl *method = call->getMethodDecl();
    if (!method || method->isConst())
      return true;
    static constexpr StringRef names[] = {
        "push_back", "emplace_back", "pop_back", "insert",        "emplace",
        "erase",     "clear",        "resize",   "reserve",       "assign",
        "swap",      "fill",         "append",   "shrink_to_fit", "reset"};
    if (sure ? isOwner(call->getObjectType()) &&
                   llvm::is_contained(names, named(method))
             : !isElementAccess(call))
      target(call->getImplicitObjectArgument());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (const FunctionDecl *callee = call->getDirectCallee(); callee && !sure)
      arguments(callee, call->arguments(),
                isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    if (!sure)
      arguments(made->getConstructor(), made->arguments(), 0);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    QualType type = variable->getType();
    if (!sure && variable->getInit() &&
        (type->isReferenceType() || type->isPointerType()) && !isConst(type))
      target(variable->getInit());
    return true;
  }
  /// Skips the loop's implicit variables.
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) override {
    QualType each = loop->getLoopVariable()->getType();
    if (!sure && each->isReferenceType() && !isConst(each))
      target(loop->getRangeInit());
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getRangeInit());
    return TraverseStmt(loop->getBody());
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) override {
    return sure || TreeVisitor::TraverseLambdaExpr(lambda);
  }

private:
  llvm::function_ref<void(const Expr *)> target;
  bool sure;

  template <class Args>
  void arguments(const FunctionDecl *callee, Args &&args, unsigned first) {
    unsigned i = 0;
    for (const Expr *arg : args) {
      if (i >= first && i - first < callee->getNumParams()) {
        QualType type = callee->getParamDecl(i - first)->getType();
        if ((type->isReferenceType() || type->isPointerType()) &&
            !isConst(type))
          target(arg);
      }
      ++i;
    }
  }
};

/// Calls `read` for each read of a variable that the host makes.
class HostReads : public TreeVisitor {
public:
  HostReads(const SourceManager &sources,
            llvm::function_ref<void(const Expr *)> read)
      : sources(sources), read(read) {}

  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      read(cast->getSubExpr());
    return true;
  }
  /// Functions of the standard library read the elements they are given.
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || inXCC(callee) || call->getBuiltinCallee() ||
        isa<CXXMethodDecl>(callee) ||
        !sources.isInSystemHeader(callee->getLocation()))
      return true;
    for (const Expr *arg : call->arguments())
      if (const auto *member = dyn_cast<CXXMemberCallExpr>(plain(arg));
          member && isElementAccess(member))
        read(arg);
    return true;
  }
  /// A range-based for loop becomes declarations such as __range.
  bool VisitDeclStmt(DeclStmt *stmt) override {
    for (const Decl *decl : stmt->decls())
      if (const auto *variable = dyn_cast<VarDecl>(decl);
          variable && variable->isImplicit() && variable->getInit() &&
          variable->getName().starts_with("__range"))
        read(variable->getInit());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    if (!isOwner(made->getType()) || made->getNumArgs() == 0 ||
        !made->getConstructor()->isCopyOrMoveConstructor())
      return true;
    // A returned variable is constructed in the caller's object, not copied.
    const auto *from = dyn_cast_or_null<VarDecl>(accessed(made->getArg(0)));
    if (!from || !from->isNRVOVariable())
      read(made->getArg(0));
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }

private:
  const SourceManager &sources;
  llvm::function_ref<void(const Expr *)> read;
};

} // namespace

const Expr *plain(const Expr *expr) {
  while (true) {
    expr = expr->IgnoreParenCasts();
    if (const auto *temp = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temp->getSubExpr();
    else if (const auto *full = dyn_cast<FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto *bind = dyn_cast<CXXBindTemporaryExpr>(expr))
      expr = bind->getSubExpr();
    else if (const auto *copy = dyn_cast<CXXConstructExpr>(expr);
             copy && copy->getNumArgs() == 1 &&
             copy->getConstructor()->isCopyOrMoveConstructor())
      expr = copy->getArg(0);
    else if (const auto *call = dyn_cast<CallExpr>(expr);
             call && call->getNumArgs() == 1 &&
             (call->isCallToStdMove() ||
              call->getBuiltinCallee() == Builtin::BIforward ||
              call->getBuiltinCallee() == Builtin::BIas_const))
      expr = call->getArg(0);
    else
      return expr;
  }
}

bool isOwner(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasAttr<OwnerAttr>();
}
bool isView(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasAttr<PointerAttr>();
}

const ValueDecl *accessed(const Expr *expr) {
  while (true) {
    expr = plain(expr);
    if (const auto *member = dyn_cast<MemberExpr>(expr))
      expr = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else if (const auto *unary = dyn_cast<UnaryOperator>(expr);
             unary && (unary->getOpcode() == UO_Deref ||
                       unary->getOpcode() == UO_AddrOf))
      expr = unary->getSubExpr();
    else if (const auto *sum = dyn_cast<BinaryOperator>(expr);
             sum && sum->isAdditiveOp() && sum->getType()->isPointerType() &&
             sum->getLHS()->getType()->isPointerType())
      expr = sum->getLHS();
    else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
             op && isElementAccess(op))
      expr = op->getArg(0);
    else if (const auto *call = dyn_cast<CXXMemberCallExpr>(expr);
             call && isElementAccess(call))
      expr = call->getImplicitObjectArgument();
    else
      break;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  return ref ? ref->getDecl() : nullptr;
}

bool KnownChanges::mayChange(const Stmt *code, const ValueDecl *variable) {
  auto [known, fresh] = possible.try_emplace(code);
  if (fresh) {
    auto target = [&](const Expr *expr) {
      if (const ValueDecl *changed = accessed(expr))
        known->second.insert(changed);
    };
    Changes(target, /*sure=*/false).TraverseStmt(const_cast<Stmt *>(code));
  }
  return known->second.contains(variable);
}

bool KnownChanges::onHost(const VarDecl *variable) {
  const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  if (!function || !function->hasBody())
    return true;
  auto [known, fresh] = certain.try_emplace(function);
  if (fresh)
    hostAccesses(variable->getASTContext(), function->getBody(),
                 [&](const VarDecl *other, bool changes, SourceLocation) {
                   if (changes)
                     known->second.insert(other);
                 });
  return known->second.contains(variable);
}

void hostAccesses(
    const ASTContext &context, const Stmt *code,
    llvm::function_ref<void(const VarDecl *, bool, SourceLocation)> found) {
  auto each = [&](const Expr *expr, bool changes) {
    const auto *variable = dyn_cast_or_null<VarDecl>(accessed(expr));
    if (variable && variable->hasLocalStorage() &&
        !variable->getType().isVolatileQualified())
      found(variable, changes, expr->getBeginLoc());
  };
  auto changed = [&](const Expr *expr) { each(expr, true); };
  auto read = [&](const Expr *expr) { each(expr, false); };
  auto *whole = const_cast<Stmt *>(code);
  Changes(changed, /*sure=*/true).TraverseStmt(whole);
  HostReads(context.getSourceManager(), read).TraverseStmt(whole);
}

} // namespace xcc
