// Threads that exchange values through shared memory without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchanges.h"
#include "ThreadValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {
namespace {

class Search {
public:
  Search(ASTContext &context, const FunctionDecl *function)
      : values(context, function) {
    if (values.namesShared())
      statement(function->getBody());
  }
  std::optional<Exchange> found;

private:
  using Active = std::array<bool, ThreadValue::Threads>;
  struct Access {
    ThreadAddress place;
    Active active;
    SourceLocation at;
  };

  ThreadValues values;
  llvm::SmallVector<Access, 8> writes; ///< since the last call
  Active active = {true, true, true, true};
  bool certain = true; ///< the conditions around are known
  bool called = false;
  unsigned left = 4096; ///< accesses that are looked at

  /// The access, if its place is known and it is made for certain.
  std::optional<Access> access(const Expr *expr) {
    if (found || !certain || !left)
      return std::nullopt;
    std::optional<ThreadAddress> place = values.element(expr);
    if (!place || expr->getType()->isArrayType())
      return std::nullopt;
    --left;
    return Access{*place, active, expr->getExprLoc()};
  }
  static bool sameMemory(const Access &one, const Access &other) {
    return one.place.memory == other.place.memory &&
           one.place.offset.common == other.place.offset.common;
  }
  static bool wrote(const Access &write, unsigned thread, int64_t at) {
    return write.active[thread] && write.place.offset.known[thread] == at;
  }

  void read(const Expr *expr) {
    std::optional<Access> from = access(expr);
    if (!from)
      return;
    for (unsigned reader = 0; reader < ThreadValue::Threads; ++reader) {
      const int64_t at = from->place.offset.known[reader];
      const Access *other = nullptr;
      bool own = !from->active[reader];
      for (const Access &each : writes) {
        if (!sameMemory(each, *from))
          continue;
        own |= wrote(each, reader, at);
        for (unsigned writer = 0; writer < ThreadValue::Threads; ++writer)
          if (writer != reader && wrote(each, writer, at))
            other = &each;
      }
      if (other && !own) {
        found = {from->place.memory, from->at, other->at};
        return;
      }
    }
  }
  void write(const Expr *expr) {
    if (std::optional<Access> to = access(expr))
      writes.push_back(*to);
  }

  /// What may not run counts for nothing.
  void uncertain(const Stmt *stmt) {
    const bool was = std::exchange(certain, false);
    any(stmt);
    certain = was;
  }
  void any(const Stmt *stmt) {
    if (const auto *expr = dyn_cast_or_null<Expr>(stmt))
      expression(expr);
    else
      statement(stmt);
  }

  void expression(const Expr *expr) {
    expr = expr->IgnoreParenImpCasts();
    if (isa<PseudoObjectExpr, LambdaExpr>(expr))
      return;
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expr)) {
      expression(choice->getCond());
      uncertain(choice->getTrueExpr());
      return uncertain(choice->getFalseExpr());
    }
    const auto *op = dyn_cast<BinaryOperator>(expr);
    if (op && op->isLogicalOp()) {
      expression(op->getLHS());
      return uncertain(op->getRHS());
    }
    if (op && op->isAssignmentOp()) {
      expression(op->getRHS());
      if (op->isCompoundAssignmentOp())
        read(op->getLHS());
      for (const Stmt *part : op->getLHS()->IgnoreParenImpCasts()->children())
        expression(cast<Expr>(part));
      return write(op->getLHS());
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expr);
        unary && unary->getOpcode() == UO_AddrOf)
      return;
    if (!expr->isGLValue() || !isa<ArraySubscriptExpr>(expr) ||
        !expr->getType()->isArrayType())
      read(expr);
    for (const Stmt *part : expr->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(part))
        expression(inner);
    // The call may be, or contain, a barrier.
    if (isa<CallExpr, CXXNewExpr, CXXDeleteExpr>(expr)) {
      writes.clear();
      called = true;
    }
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
      values.bind(count.variable, i);
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
    if (const auto *declaration = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each))
          if (const Expr *initial = variable->getInit())
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
