// Elements of shared memory that a thread's index selects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpPlaces.h"
#include "kernels/walk/SharedVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;

namespace xcc {
namespace {

/// Collects the variables that a function may change after their
/// initialisation.
class Changes : public DynamicRecursiveASTVisitor {
public:
  explicit Changes(llvm::SmallPtrSetImpl<const ValueDecl *> &changed)
      : changed(changed) {}
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      change(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      change(op->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->getType()->isReferenceType() && variable->getInit())
      change(variable->getInit());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    for (Expr *arg : call->arguments())
      if (arg->isLValue() && !arg->getType()->isArrayType())
        change(arg);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        changed.insert(capture.getCapturedVar());
    return true;
  }

private:
  llvm::SmallPtrSetImpl<const ValueDecl *> &changed;

  void change(Expr *of) {
    if (auto *ref = dyn_cast<DeclRefExpr>(of->IgnoreParenImpCasts()))
      changed.insert(ref->getDecl());
  }
};

/// Whether `is` holds for the statement or a part of it.
template <class Fn> bool has(const Stmt *stmt, Fn is) {
  if (is(stmt))
    return true;
  if (const auto *object = dyn_cast<PseudoObjectExpr>(stmt))
    return has(object->getSyntacticForm(), is);
  for (const Stmt *part : stmt->children())
    if (part && has(part, is))
      return true;
  return false;
}

} // namespace

ThreadIndex threadIndexOf(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *object = dyn_cast<PseudoObjectExpr>(expr))
    expr = object->getSyntacticForm()->IgnoreParenImpCasts();
  const auto *property = dyn_cast<MSPropertyRefExpr>(expr);
  if (!property)
    return {};
  const Expr *base = property->getBaseExpr()->IgnoreParenImpCasts();
  if (const auto *bound = dyn_cast<OpaqueValueExpr>(base))
    base = bound->getSourceExpr()->IgnoreParenImpCasts();
  const auto *of = dyn_cast<DeclRefExpr>(base);
  if (!of || !of->getDecl()->getIdentifier())
    return {};
  llvm::StringRef name = of->getDecl()->getName();
  if (name != "threadIdx" && name != "blockIdx" && name != "blockDim" &&
      name != "gridDim")
    return {};
  const MSPropertyDecl *member = property->getPropertyDecl();
  return {member, name == "threadIdx", member->getName() == "x"};
}

void addChanges(Stmt *stmt, llvm::SmallPtrSetImpl<const ValueDecl *> &changed) {
  Changes(changed).TraverseStmt(stmt);
}

WarpPlaces::WarpPlaces(ASTContext &context, const FunctionDecl *function)
    : context(context) {
  addChanges(function->getBody(), changed);
}

std::optional<int64_t> WarpPlaces::constant(const Expr *expr) const {
  Expr::EvalResult result;
  if (expr->isValueDependent() ||
      !expr->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (!expr->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

bool WarpPlaces::isSameForAll(const Expr *expr) const {
  return !has(expr, [&](const Stmt *part) {
    if (const auto *each = dyn_cast<Expr>(part);
        each && threadIndexOf(each).member)
      return threadIndexOf(each).ofThread;
    if (isa<CallExpr, CXXThisExpr>(part))
      return true;
    const auto *ref = dyn_cast<DeclRefExpr>(part);
    const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    return variable && variable->isLocalVarDeclOrParm() &&
           !variable->isConstexpr();
  });
}

/// Whether an expression has the same value wherever the function computes it.
bool WarpPlaces::isUnchanged(const Expr *expr) const {
  return !has(expr, [&](const Stmt *part) {
    if (const auto *each = dyn_cast<Expr>(part);
        each && threadIndexOf(each).member)
      return false;
    if (isa<ParenExpr, CastExpr, BinaryOperator, IntegerLiteral,
            SubstNonTypeTemplateParmExpr, ConstantExpr, UnaryOperator,
            PseudoObjectExpr, MSPropertyRefExpr>(part)) {
      const auto *op = dyn_cast<UnaryOperator>(part);
      return op &&
             (op->isIncrementDecrementOp() || op->getOpcode() == UO_Deref ||
              op->getOpcode() == UO_AddrOf);
    }
    const auto *ref = dyn_cast<DeclRefExpr>(part);
    if (!ref)
      return true;
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      return !variable->isConstexpr() &&
             (changed.contains(variable) || !variable->isLocalVarDeclOrParm());
    return !isa<EnumConstantDecl>(ref->getDecl());
  });
}

/// Whether the expression is threadIdx.x, a sum with it, or its lane.
bool WarpPlaces::isThread(const Expr *expr) const {
  expr = expr->IgnoreParenCasts();
  if (const auto *cleanups = dyn_cast<FullExpr>(expr))
    expr = cleanups->getSubExpr()->IgnoreParenCasts();
  const auto *op = dyn_cast<BinaryOperator>(expr);
  if (op && op->getOpcode() == BO_Add) {
    const bool left = isThread(op->getLHS());
    const Expr *other = left ? op->getRHS() : op->getLHS();
    // Accept threadIdx.y * 32 + threadIdx.x, but not the index twice.
    return (left || isThread(op->getRHS())) && isUnchanged(other) &&
           !has(other, [](const Stmt *part) {
             const auto *each = dyn_cast<Expr>(part);
             return each && threadIndexOf(each).ofThread &&
                    threadIndexOf(each).isX;
           });
  }
  if (op && (op->getOpcode() == BO_And || op->getOpcode() == BO_Rem)) {
    std::optional<int64_t> by = constant(op->getRHS());
    return by && *by == (op->getOpcode() == BO_And ? 31 : 32) &&
           isThread(op->getLHS());
  }
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      return isKnownThread(variable);
  const ThreadIndex index = threadIndexOf(expr);
  return index.ofThread && index.isX;
}

bool WarpPlaces::isKnownThread(const VarDecl *variable) const {
  return !changed.contains(variable) && variable->isLocalVarDecl() &&
         !variable->isStaticLocal() && variable->getInit() &&
         isThread(variable->getInit());
}

bool WarpPlaces::addUp(const Expr *expr, int64_t sign, WarpPlace &into) const {
  expr = expr->IgnoreParenImpCasts();
  if (std::optional<int64_t> value = constant(expr)) {
    into.offset += sign * *value;
    return true;
  }
  if (const auto *op = dyn_cast<BinaryOperator>(expr); op && op->isAdditiveOp())
    return addUp(op->getLHS(), sign, into) &&
           addUp(op->getRHS(), op->getOpcode() == BO_Sub ? -sign : sign, into);
  const Decl *leaf = nullptr;
  if (const ThreadIndex index = threadIndexOf(expr);
      index.ofThread && index.isX)
    leaf = index.member;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    if (variable && variable == into.step && sign > 0) {
      into.step = nullptr; // counts once; null tells the caller that it was
                           // used
      return true;
    }
    // A parameter may be the thread's index if memory is a volatile pointer.
    const auto *to =
        into.memory ? into.memory->getType()->getAs<PointerType>() : nullptr;
    const bool idiom = to && to->getPointeeType().isVolatileQualified() &&
                       isa<ParmVarDecl>(into.memory);
    if (variable && !changed.contains(variable) && !into.thread &&
        (isKnownThread(variable) || (idiom && isa<ParmVarDecl>(variable))))
      leaf = variable;
  }
  if (leaf && !into.thread && sign > 0) {
    into.thread = leaf;
    return true;
  }
  if (leaf || !isUnchanged(expr))
    return false;
  llvm::FoldingSetNodeID id;
  expr->Profile(id, context, /*Canonical=*/true);
  id.AddInteger(sign);
  into.others.push_back(id.ComputeHash());
  return true;
}

/// The variable that is indexed; adds the indices before the last one to
/// `into`. Null if the base has another form.
const VarDecl *WarpPlaces::memoryOf(const Expr *base, WarpPlace &into) const {
  base = base->IgnoreParenImpCasts();
  if (const auto *row = dyn_cast<ArraySubscriptExpr>(base)) {
    if (!row->getType()->isArrayType() || !isUnchanged(row->getIdx()))
      return nullptr;
    llvm::FoldingSetNodeID id;
    row->getIdx()->Profile(id, context, /*Canonical=*/true);
    id.AddInteger(7 + into.others.size());
    into.others.push_back(id.ComputeHash());
    return memoryOf(row->getBase(), into);
  }
  const auto *ref = dyn_cast<DeclRefExpr>(base);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!variable || changed.contains(variable))
    return nullptr;
  if (isBlockShared(variable))
    return variable;
  const auto *pointer = variable->getType()->getAs<PointerType>();
  if (!pointer || !variable->isLocalVarDeclOrParm())
    return nullptr;
  // The warp-synchronous idiom: a parameter that points to volatile memory, or
  // a variable that points to shared memory.
  if (isa<ParmVarDecl>(variable))
    return pointer->getPointeeType().isVolatileQualified() ? variable : nullptr;
  const Expr *initial = variable->getInit();
  const auto *named =
      initial ? dyn_cast<DeclRefExpr>(initial->IgnoreParenCasts()) : nullptr;
  const auto *shared = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  return shared && isBlockShared(shared) ? shared : nullptr;
}

std::optional<WarpPlace> WarpPlaces::find(const Expr *expr,
                                          const VarDecl *step) const {
  const auto *subscript =
      dyn_cast<ArraySubscriptExpr>(expr->IgnoreParenImpCasts());
  if (!subscript || subscript->getType()->isArrayType())
    return std::nullopt;
  WarpPlace found;
  found.memory = memoryOf(subscript->getBase(), found);
  found.step = step;
  if (!found.memory || !addUp(subscript->getIdx(), 1, found) || !found.thread)
    return std::nullopt;
  found.step = step && !found.step ? step : nullptr;
  llvm::sort(found.others);
  return found;
}

} // namespace xcc
