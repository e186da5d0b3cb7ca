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
    return true;
  }
  bool VisitMSPropertyRefExpr(MSPropertyRefExpr *property) override {
    const ThreadIndex index = threadIndexOf(property);
    flat &= !index.ofThread || index.isX;
    return true;
  }
  bool flat = true; ///< of the thread's indices, only x is named
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
  flat = names.flat;
  if (shared)
    addCallee(function);
}

void ThreadValues::addCallee(const FunctionDecl *function) {
  addChanges(function->getBody(), changed);
}

void ThreadValues::bind(const VarDecl *variable,
                        std::optional<ThreadValue> value) {
  if (value)
    bound[variable] = *value;
  else
    bound.erase(variable);
}

void ThreadValues::bindPointer(const VarDecl *variable,
                               std::optional<ThreadAddress> address) {
  if (address)
    boundPointers[variable] = *address;
  else
    boundPointers.erase(variable);
}

void ThreadValues::addMemories(
    const Stmt *stmt, llvm::SmallPtrSetImpl<const VarDecl *> &memories) const {
  if (const auto *ref = dyn_cast<DeclRefExpr>(stmt))
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl())) {
      if (isBlockShared(variable))
        memories.insert(variable);
      else if (auto found = boundPointers.find(variable);
               found != boundPointers.end())
        memories.insert(found->second.memory);
      else if (variable->isLocalVarDecl() && variable->getInit() &&
               (variable->getType()->isPointerType() ||
                variable->getType()->isReferenceType()))
        addMemories(variable->getInit(), memories);
    }
  for (const Stmt *part : stmt->children())
    if (part)
      addMemories(part, memories);
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

/// threadIdx.x and threadIdx.y
std::optional<ThreadValue> ThreadValues::index(const Expr *expr) const {
  const ThreadIndex index = threadIndexOf(expr);
  const bool isY = index.member && index.member->getName() == "y";
  if (!index.ofThread || (!index.isX && !isY))
    return std::nullopt;
  ThreadValue made;
  for (unsigned i = 0; i < ThreadValue::Threads; ++i)
    made.known[i] = isY ? y(i) : x(i);
  return made;
}

std::optional<ThreadValue> ThreadValues::unary(const UnaryOperator *op) const {
  std::optional<ThreadValue> of = value(op->getSubExpr());
  if (!of || !of->common.empty())
    return term(op);
  for (int64_t &each : of->known)
    if (op->getOpcode() == UO_LNot)
      each = !each;
    else if (op->getOpcode() == UO_Minus)
      each = -each;
    else
      return std::nullopt;
  return of;
}

std::optional<ThreadValue>
ThreadValues::binary(const BinaryOperator *op) const {
  std::optional<ThreadValue> a = value(op->getLHS()), b = value(op->getRHS());
  if (!a || !b)
    return std::nullopt;
  ThreadValue made;
  const bool adds = op->getOpcode() == BO_Add;
  if (adds || (op->getOpcode() == BO_Sub && b->common.empty())) {
    for (unsigned i = 0; i < ThreadValue::Threads; ++i)
      made.known[i] = a->known[i] + (adds ? b->known[i] : -b->known[i]);
    made.common = a->common;
    made.common.append(b->common);
    llvm::sort(made.common);
  } else if (!a->common.empty() || !b->common.empty()) {
    return term(op);
  } else {
    for (unsigned i = 0; i < ThreadValue::Threads; ++i)
      if (auto each = computed(op->getOpcode(), a->known[i], b->known[i]))
        made.known[i] = *each;
      else
        return std::nullopt;
  }
  // threadIdx.x - 1 of thread 0 is a large number.
  if (made.common.empty() && op->getType()->isUnsignedIntegerType() &&
      context.getTypeSize(op->getType()) == 32)
    for (int64_t &each : made.known)
      each = static_cast<uint32_t>(each);
  return made;
}

std::optional<ThreadValue> ThreadValues::value(const Expr *expr) const {
  expr = expr->IgnoreParenCasts();
  if (const auto *whole = dyn_cast<FullExpr>(expr))
    expr = whole->getSubExpr()->IgnoreParenCasts();
  if (!expr->getType()->isIntegralOrEnumerationType() ||
      expr->isValueDependent())
    return std::nullopt;
  if (Expr::EvalResult result; expr->EvaluateAsInt(result, context)) {
    ThreadValue made;
    made.known.fill(result.Val.getInt().getExtValue());
    return made;
  }
  if (std::optional<ThreadValue> made = index(expr))
    return made;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl())) {
      if (auto found = bound.find(variable); found != bound.end())
        return found->second;
      if (const Expr *initial = initialOf(variable))
        return value(initial);
    }
  if (const auto *op = dyn_cast<UnaryOperator>(expr))
    return unary(op);
  const auto *op = dyn_cast<BinaryOperator>(expr);
  return op && !op->isAssignmentOp() ? binary(op) : term(expr);
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
    if (auto found = boundPointers.find(variable);
        variable && found != boundPointers.end())
      return found->second;
    const Expr *initial = variable && variable->getType()->isPointerType()
                              ? initialOf(variable)
                              : nullptr;
    return initial ? pointer(initial) : std::nullopt;
  }
  if (const auto *op = dyn_cast<UnaryOperator>(expr);
      op && op->getOpcode() == UO_AddrOf)
    return element(op->getSubExpr());
  if (isa<ArraySubscriptExpr, MemberExpr>(expr) &&
      expr->getType()->isArrayType())
    return element(expr);
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
  if (const auto *member = dyn_cast<MemberExpr>(expr)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    std::optional<ThreadAddress> at = member->isArrow()
                                          ? pointer(member->getBase())
                                          : element(member->getBase());
    if (!field || field->isBitField() || !at)
      return std::nullopt;
    const int64_t bytes =
        context.toCharUnitsFromBits(context.getFieldOffset(field))
            .getQuantity();
    for (int64_t &each : at->offset.known)
      each += bytes;
    return at;
  }
  // A variable that is no array, but not an object of xcc::block_shared.
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (variable && variable->hasAttrs() && isBlockShared(variable) &&
      !variable->getType()->isArrayType())
    return ThreadAddress{variable, {}};
  return std::nullopt;
}

} // namespace xcc
