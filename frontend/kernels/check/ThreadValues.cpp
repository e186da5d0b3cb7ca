// Values and addresses that a few threads of a block compute
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadValues.h"
#include "WarpPlaces.h"
#include "kernels/walk/SharedVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {
namespace {

class NamesShared : public DynamicRecursiveASTVisitor {
public:
  bool found = false;
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    found |= variable && isBlockShared(variable);
    return !found;
  }
};

/// The result of an operation on known numbers.
std::optional<int64_t> computed(BinaryOperatorKind kind, int64_t a, int64_t b) {
  const bool shifts = b >= 0 && b < 32;
  switch (kind) {
  case BO_Mul:
    return a * b;
  case BO_Div:
    return b ? std::optional(a / b) : std::nullopt;
  case BO_Rem:
    return b ? std::optional(a % b) : std::nullopt;
  case BO_And:
    return a & b;
  case BO_Or:
    return a | b;
  case BO_Xor:
    return a ^ b;
  case BO_Shl:
    return shifts ? std::optional(a << b) : std::nullopt;
  case BO_Shr:
    return shifts ? std::optional(a >> b) : std::nullopt;
  case BO_LT:
    return a < b;
  case BO_LE:
    return a <= b;
  case BO_GT:
    return a > b;
  case BO_GE:
    return a >= b;
  case BO_EQ:
    return a == b;
  case BO_NE:
    return a != b;
  case BO_LAnd:
    return a && b;
  case BO_LOr:
    return a || b;
  default:
    return std::nullopt;
  }
}

} // namespace

ThreadValues::ThreadValues(ASTContext &context, const FunctionDecl *function)
    : context(context) {
  NamesShared names;
  names.TraverseStmt(function->getBody());
  shared = names.found;
  if (shared)
    addChanges(function->getBody(), changed);
}

void ThreadValues::bind(const VarDecl *variable, std::optional<int64_t> value) {
  if (value)
    bound[variable] = *value;
  else
    bound.erase(variable);
}

/// What a variable has for its whole life, or null.
const Expr *ThreadValues::initialOf(const VarDecl *variable) const {
  if (changed.contains(variable) || !variable->isLocalVarDecl() ||
      variable->isStaticLocal())
    return nullptr;
  return variable->getInit();
}

/// Whether an expression is the same for all threads, wherever it is computed.
bool ThreadValues::isCommon(const Expr *expr) const {
  expr = expr->IgnoreParenCasts();
  if (const ThreadIndex index = threadIndexOf(expr); index.member)
    return !index.ofThread || (!index.isX && index.member->getName() != "y");
  if (isa<IntegerLiteral, SubstNonTypeTemplateParmExpr>(expr))
    return true;
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return !op->isAssignmentOp() && isCommon(op->getLHS()) &&
           isCommon(op->getRHS());
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!variable || bound.contains(variable))
    return false;
  // The arguments of a function that is no kernel may be a thread's.
  const Expr *initial = initialOf(variable);
  return variable->isConstexpr() || (initial && isCommon(initial));
}

std::optional<ThreadValue> ThreadValues::term(const Expr *expr) const {
  if (!isCommon(expr))
    return std::nullopt;
  llvm::FoldingSetNodeID id;
  expr->Profile(id, context, /*Canonical=*/true);
  ThreadValue made;
  made.common.push_back(id.ComputeHash());
  return made;
}

std::optional<ThreadValue> ThreadValues::value(const Expr *expr) const {
  expr = expr->IgnoreParenCasts();
  if (const auto *whole = dyn_cast<FullExpr>(expr))
    expr = whole->getSubExpr()->IgnoreParenCasts();
  if (!expr->getType()->isIntegralOrEnumerationType() ||
      expr->isValueDependent())
    return std::nullopt;
  ThreadValue made;
  if (Expr::EvalResult result; expr->EvaluateAsInt(result, context)) {
    made.known.fill(result.Val.getInt().getExtValue());
    return made;
  }
  if (const ThreadIndex index = threadIndexOf(expr);
      index.member && index.ofThread && index.isX)
    return ThreadValue{{0, 1, 0, 1}, {}};
  else if (index.member && index.ofThread && index.member->getName() == "y")
    return ThreadValue{{0, 0, 1, 1}, {}};
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl())) {
      if (auto found = bound.find(variable); found != bound.end()) {
        made.known.fill(found->second);
        return made;
      }
      if (const Expr *initial = initialOf(variable))
        return value(initial);
    }
  const auto *op = dyn_cast<BinaryOperator>(expr);
  if (!op || op->isAssignmentOp())
    return term(expr);
  std::optional<ThreadValue> a = value(op->getLHS()), b = value(op->getRHS());
  if (!a || !b)
    return std::nullopt;
  const bool adds = op->getOpcode() == BO_Add;
  if (adds || (op->getOpcode() == BO_Sub && b->common.empty())) {
    for (unsigned i = 0; i < ThreadValue::Threads; ++i)
      made.known[i] = a->known[i] + (adds ? b->known[i] : -b->known[i]);
    made.common = a->common;
    made.common.append(b->common);
    llvm::sort(made.common);
    return made;
  }
  if (!a->common.empty() || !b->common.empty())
    return term(expr);
  for (unsigned i = 0; i < ThreadValue::Threads; ++i)
    if (auto each = computed(op->getOpcode(), a->known[i], b->known[i]))
      made.known[i] = *each;
    else
      return std::nullopt;
  return made;
}

/// The address `by` elements behind `base`.
std::optional<ThreadAddress> ThreadValues::moved(const Expr *base,
                                                 const Expr *by, int sign,
                                                 QualType element) const {
  std::optional<ThreadAddress> at = pointer(base);
  std::optional<ThreadValue> count = value(by);
  if (!at || !count || (sign < 0 && !count->common.empty()) ||
      element->isIncompleteType())
    return std::nullopt;
  const int64_t size = context.getTypeSizeInChars(element).getQuantity() * sign;
  for (unsigned i = 0; i < ThreadValue::Threads; ++i)
    at->offset.known[i] += count->known[i] * size;
  for (unsigned each : count->common)
    at->offset.common.push_back(each * 31 + static_cast<unsigned>(size));
  llvm::sort(at->offset.common);
  return at;
}

std::optional<ThreadAddress> ThreadValues::pointer(const Expr *expr) const {
  expr = expr->IgnoreParenCasts();
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    if (variable && isBlockShared(variable))
      return ThreadAddress{variable, {}};
    const Expr *initial = variable && variable->getType()->isPointerType()
                              ? initialOf(variable)
                              : nullptr;
    return initial ? pointer(initial) : std::nullopt;
  }
  if (const auto *op = dyn_cast<UnaryOperator>(expr);
      op && op->getOpcode() == UO_AddrOf)
    return element(op->getSubExpr());
  if (const auto *row = dyn_cast<ArraySubscriptExpr>(expr);
      row && row->getType()->isArrayType())
    return element(row);
  const auto *op = dyn_cast<BinaryOperator>(expr);
  if (!op || !op->isAdditiveOp() || !op->getLHS()->getType()->isPointerType())
    return std::nullopt;
  return moved(op->getLHS(), op->getRHS(), op->getOpcode() == BO_Sub ? -1 : 1,
               op->getType()->getPointeeType());
}

std::optional<ThreadAddress> ThreadValues::element(const Expr *expr) const {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
    return moved(subscript->getBase(), subscript->getIdx(), 1,
                 subscript->getType());
  if (const auto *op = dyn_cast<UnaryOperator>(expr);
      op && op->getOpcode() == UO_Deref)
    return pointer(op->getSubExpr());
  return std::nullopt;
}

} // namespace xcc
