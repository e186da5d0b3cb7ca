// Threads that exchange values through shared memory without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchanges.h"
#include "ThreadValues.h"
#include "kernels/walk/SharedVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {
namespace {

class Search {
public:
  Search(ASTContext &context, const FunctionDecl *function)
      : context(context), values(context, function),
        within{function->getCanonicalDecl()} {
    exists.fill(true);
    if (!values.namesShared())
      return;
    for (bool each : {false, true}) {
      searches = each;
      active = exists;
      writes.clear();
      statement(function->getBody());
    }
  }
  std::optional<Exchange> found;

private:
  using Active = std::array<bool, ThreadValue::Threads>;
  struct Write {
    uint64_t threads; ///< a bit for each
    SourceLocation at;
  };
  /// By a hash of the offset, the writes since the last call that may be a
  /// barrier.
  using Writes = llvm::DenseMap<uint64_t, Write>;

  ASTContext &context;
  ThreadValues values;
  /// False of threads that would write behind an array: the block is smaller.
  Active exists;
  bool searches = false; ///< all threads that exist are known
  llvm::SmallVector<const FunctionDecl *, 4> within; ///< called in each other
  llvm::DenseMap<const VarDecl *, Writes> writes;
  /// Memory in which unknown elements were written.
  llvm::SmallPtrSet<const VarDecl *, 4> unknown;
  Active active;
  bool certain = true; ///< the conditions around are known
  bool called = false;
  unsigned left = 2048; ///< accesses that are looked at

  static uint64_t key(const ThreadValue &offset, unsigned thread) {
    return uint64_t(llvm::hash_combine(
               llvm::hash_combine_range(offset.common.begin(),
                                        offset.common.end()),
               offset.known[thread])) >>
           2;
  }
  /// The place of an access that is made for certain.
  std::optional<ThreadAddress> access(const Expr *expr) {
    if (found || !certain || !left || expr->getType()->isArrayType())
      return std::nullopt;
    std::optional<ThreadAddress> place = values.element(expr);
    if (place && searches)
      --left;
    if (place && !searches)
      limitThreads(*place);
    return place;
  }
  /// The bytes of a variable; 0 if that is not known.
  int64_t sizeOf(const VarDecl *memory) const {
    const QualType type = memory->getType();
    return type->isIncompleteType() || type->isDependentType()
               ? 0
               : context.getTypeSizeInChars(type).getQuantity();
  }
  void limitThreads(const ThreadAddress &place) {
    const int64_t size = sizeOf(place.memory);
    for (unsigned i = 0; i < values.threads(); ++i) {
      const int64_t at = place.offset.known[i];
      if (active[i] &&
          ((size && place.offset.common.empty() && (at < 0 || at >= size)) ||
           (!size && i >= 32)))
        exists[i] = false;
    }
  }
  void read(const Expr *expr) {
    std::optional<ThreadAddress> from = access(expr);
    if (!from)
      return;
    const auto here = writes.find(from->memory);
    if (here == writes.end())
      return;
    for (unsigned reader = 0; reader < values.threads(); ++reader) {
      const auto write = here->second.find(key(from->offset, reader));
      if (searches && active[reader] && write != here->second.end() &&
          !(write->second.threads >> reader & 1)) {
        found = {from->memory, expr->getExprLoc(), write->second.at};
        return;
      }
    }
  }
  void write(const Expr *expr) {
    if (std::optional<ThreadAddress> to = access(expr)) {
      for (unsigned writer = 0; writer < values.threads(); ++writer)
        if (active[writer]) {
          Write &into = writes[to->memory][key(to->offset, writer)];
          into.threads |= uint64_t(1) << writer;
          into.at = expr->getExprLoc();
        }
      return;
    }
    // A reader may have written its element itself.
    llvm::SmallPtrSet<const VarDecl *, 4> memories;
    const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    const auto *named = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    if (!named || isBlockShared(named))
      values.addMemories(expr, memories);
    for (const VarDecl *each : memories) {
      writes.erase(each);
      unknown.insert(each);
    }
  }
  void mayMeet() {
    writes.clear();
    called = true;
  }

  /// Whether the expression is the value in a place, not the place.
  static bool isLoad(const Expr *expr) {
    while (true)
      if (const auto *paren = dyn_cast<ParenExpr>(expr))
        expr = paren->getSubExpr();
      else if (const auto *cast = dyn_cast<ImplicitCastExpr>(expr);
               cast && cast->getCastKind() != CK_LValueToRValue)
        expr = cast->getSubExpr();
      else
        return cast;
  }
  void expression(const Expr *expr) {
    const bool loads = isLoad(expr);
    expr = expr->IgnoreParenImpCasts();
    if (isa<PseudoObjectExpr, LambdaExpr>(expr))
      return;
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expr)) {
      expression(choice->getCond());
      part(choice->getTrueExpr(), choice->getCond(), false);
      return part(choice->getFalseExpr(), choice->getCond(), true);
    }
    const auto *op = dyn_cast<BinaryOperator>(expr);
    if (op && op->isLogicalOp()) {
      expression(op->getLHS());
      return part(op->getRHS(), op->getLHS(), op->getOpcode() == BO_LOr);
    }
    if (op && op->isAssignmentOp())
      return assignment(op);
    const auto *unary = dyn_cast<UnaryOperator>(expr);
    if (unary && unary->getOpcode() == UO_AddrOf)
      return;
    if (const auto *made = dyn_cast<CallExpr>(expr))
      return call(made);
    if (loads || (unary && unary->isIncrementDecrementOp()))
      read(loads ? expr : unary->getSubExpr());
    for (const Stmt *each : expr->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(each);
          inner && !isa<MemberExpr>(expr))
        expression(inner);
    if (unary && unary->isIncrementDecrementOp())
      write(unary->getSubExpr());
    const auto *constructs = dyn_cast<CXXConstructExpr>(expr);
    if (isa<CXXNewExpr, CXXDeleteExpr>(expr) ||
        (constructs && constructs->getConstructor()->isUserProvided()))
      mayMeet();
  }
  void assignment(const BinaryOperator *op) {
    expression(op->getRHS());
    if (op->isCompoundAssignmentOp())
      read(op->getLHS());
    for (const Stmt *each : op->getLHS()->IgnoreParenImpCasts()->children())
      if (!isa<MemberExpr>(op->getLHS()->IgnoreParenImpCasts()))
        expression(cast<Expr>(each));
    write(op->getLHS());
  }

  /// atomicAdd(&n, 1): the old value is read.
  static const Expr *atomicPlace(const CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || !call->getNumArgs() ||
        !callee->getName().starts_with("atomic") ||
        !callee->getDeclContext()->getRedeclContext()->isFileContext())
      return nullptr;
    const auto *address =
        dyn_cast<UnaryOperator>(call->getArg(0)->IgnoreParenCasts());
    return address && address->getOpcode() == UO_AddrOf ? address->getSubExpr()
                                                        : nullptr;
  }
  /// A function of the C library or the compiler, such as sqrtf.
  bool isOfNumbers(const FunctionDecl *callee) const {
    const unsigned id = callee->getBuiltinID();
    return id && !context.BuiltinInfo.isTSBuiltin(id) &&
           !callee->param_empty() &&
           llvm::all_of(callee->parameters(), [](const ParmVarDecl *param) {
             return param->getType()->isArithmeticType();
           });
  }
  void call(const CallExpr *call) {
    for (const Expr *argument : call->arguments())
      expression(argument);
    if (const Expr *place = atomicPlace(call)) {
      read(place);
      return write(place);
    }
    const FunctionDecl *callee = call->getDirectCallee(), *body = nullptr;
    if (callee && isOfNumbers(callee))
      return;
    if (!callee || isa<CXXMethodDecl>(callee) || !callee->hasBody(body) ||
        body->isVariadic() || body->isDependentContext() ||
        within.size() >= 4 ||
        llvm::is_contained(within, body->getCanonicalDecl()) ||
        body->hasAttr<ConvergentAttr>() || !certain)
      return mayMeet();
    inlined(call, body);
  }
  /// What a function does that is called, with its arguments.
  void inlined(const CallExpr *call, const FunctionDecl *body) {
    values.addCallee(body);
    for (unsigned i = 0; i < body->getNumParams(); ++i) {
      const ParmVarDecl *param = body->getParamDecl(i);
      const bool pointer = param->getType()->isPointerType();
      const bool known = i < call->getNumArgs() && !values.isChanged(param);
      values.bindPointer(param, known && pointer
                                    ? values.pointer(call->getArg(i))
                                    : std::nullopt);
      values.bind(param, known && !pointer ? values.value(call->getArg(i))
                                           : std::nullopt);
      // What cannot be followed may lead to the memory.
      llvm::SmallPtrSet<const VarDecl *, 4> memories;
      if (!known || (!pointer && !param->getType()->isArithmeticType() &&
                     !param->getType()->isEnumeralType()))
        if (i < call->getNumArgs())
          values.addMemories(call->getArg(i), memories);
      if (!memories.empty())
        return mayMeet();
    }
    within.push_back(body->getCanonicalDecl());
    const Active before = active;
    statement(body->getBody());
    active = before;
    within.pop_back();
    if (found && context.getSourceManager().isInSystemHeader(found->read))
      found->read = call->getExprLoc();
  }

  static bool returns(const Stmt *stmt) {
    if (const auto *all = dyn_cast<CompoundStmt>(stmt))
      return !all->body_empty() && returns(all->body_back());
    return isa<ReturnStmt>(stmt);
  }
  /// A part that runs for some threads, or perhaps not at all.
  void part(const Stmt *stmt, const Expr *condition, bool inverted) {
    const Active before = active;
    const bool was = certain;
    auto had = writes;
    const bool calledBefore = std::exchange(called, false);
    std::optional<ThreadValue> which =
        condition ? values.value(condition) : std::nullopt;
    if (which && which->common.empty())
      for (unsigned i = 0; i < ThreadValue::Threads; ++i)
        active[i] = active[i] && (which->known[i] != 0) != inverted;
    else
      certain = false;
    const Active inside = active;
    statement(stmt);
    active = before;
    if (certain && returns(stmt))
      for (unsigned i = 0; i < ThreadValue::Threads; ++i)
        active[i] = active[i] && !inside[i];
    if (!certain || called)
      writes = std::move(had);
    if (called)
      writes.clear();
    for (const VarDecl *each : unknown)
      writes.erase(each);
    if (was)
      unknown.clear();
    certain = was;
    called |= calledBefore;
  }

  /// The variable and its values, of a loop that counts between constants.
  struct Count {
    const VarDecl *variable;
    int64_t from, to, step;
  };
  std::optional<int64_t> number(const Expr *expr) const {
    std::optional<ThreadValue> value = expr ? values.value(expr) : std::nullopt;
    if (!value || !value->common.empty() || !llvm::all_equal(value->known))
      return std::nullopt;
    return value->known.front();
  }
  static const VarDecl *named(const Expr *expr) {
    const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  }
  std::optional<Count> count(const ForStmt *loop) const {
    const auto *start = dyn_cast_or_null<DeclStmt>(loop->getInit());
    const auto *variable = start && start->isSingleDecl()
                               ? dyn_cast<VarDecl>(start->getSingleDecl())
                               : nullptr;
    const auto *test = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    if (!variable || !test || !loop->getInc() ||
        named(test->getLHS()) != variable ||
        (test->getOpcode() != BO_LT && test->getOpcode() != BO_LE))
      return std::nullopt;
    std::optional<int64_t> from = number(variable->getInit()), step;
    std::optional<int64_t> to = number(test->getRHS());
    const Expr *next = loop->getInc()->IgnoreParenImpCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(next);
        unary && unary->isIncrementOp() &&
        named(unary->getSubExpr()) == variable)
      step = 1;
    if (const auto *op = dyn_cast<BinaryOperator>(next);
        op && op->getOpcode() == BO_AddAssign &&
        named(op->getLHS()) == variable)
      step = number(op->getRHS());
    if (!from || !to || !step || *step <= 0)
      return std::nullopt;
    return Count{variable, *from, *to + (test->getOpcode() == BO_LE), *step};
  }
  static bool leavesEarly(const Stmt *stmt) {
    return stmt && (isa<BreakStmt, ContinueStmt, GotoStmt>(stmt) ||
                    llvm::any_of(stmt->children(), leavesEarly));
  }
  void loop(const ForStmt *stmt, const Count &count) {
    for (int64_t i = count.from; i < count.to && !found && left;
         i += count.step) {
      ThreadValue now;
      now.known.fill(i);
      values.bind(count.variable, now);
      statement(stmt->getBody());
    }
    values.bind(count.variable, std::nullopt);
  }

  void statement(const Stmt *stmt) {
    if (!stmt || found)
      return;
    if (const auto *expr = dyn_cast<Expr>(stmt))
      return expression(expr);
    if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
      expression(branch->getCond());
      part(branch->getThen(), branch->getCond(), false);
      if (branch->getElse())
        part(branch->getElse(), branch->getCond(), true);
      return;
    }
    if (const auto *each = dyn_cast<ForStmt>(stmt);
        each && !leavesEarly(each->getBody()))
      if (std::optional<Count> counted = count(each);
          counted && (counted->to - counted->from) / counted->step <= 64)
        return loop(each, *counted);
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(stmt)) {
      // An iteration may read what one before has written, behind a barrier.
      for (const Stmt *each : stmt->children())
        if (each)
          part(each, nullptr, false);
      return;
    }
    if (const auto *back = dyn_cast<ReturnStmt>(stmt)) {
      if (back->getRetValue())
        expression(back->getRetValue());
      return;
    }
    if (const auto *declaration = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each))
          if (const Expr *initial = variable->getInit();
              initial && !variable->getType()->isReferenceType())
            expression(initial);
      return;
    }
    for (const Stmt *each : stmt->children())
      statement(each);
  }
};

} // namespace

std::optional<Exchange> findExchange(ASTContext &context,
                                     const FunctionDecl *function) {
  return Search(context, function).found;
}

} // namespace xcc
