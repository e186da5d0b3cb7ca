// Warnings for lanes of a warp that exchange values without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpSteps.h"
#include "Exchanges.h"
#include "Report.h"
#include "WarpPlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {
namespace {

bool hasCall(const Stmt *stmt) {
  if (!stmt || isa<PseudoObjectExpr>(stmt))
    return false;
  return isa<CallExpr, CXXNewExpr, CXXDeleteExpr, LambdaExpr>(stmt) ||
         llvm::any_of(stmt->children(), hasCall);
}

/// The variable that a loop halves: `for (...; ...; s >>= 1)`.
const VarDecl *halved(const ForStmt *loop) {
  const auto *op = dyn_cast_or_null<BinaryOperator>(loop->getInc());
  const auto *name =
      op ? dyn_cast<DeclRefExpr>(op->getLHS()->IgnoreParenImpCasts()) : nullptr;
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!variable)
    return nullptr;
  const Expr *by = op->getRHS()->IgnoreParenImpCasts();
  BinaryOperatorKind kind = op->getOpcode();
  if (kind == BO_Assign) { // s = s / 2
    const auto *inner = dyn_cast<BinaryOperator>(by);
    const auto *same =
        inner ? dyn_cast<DeclRefExpr>(inner->getLHS()->IgnoreParenImpCasts())
              : nullptr;
    if (!same || same->getDecl() != variable)
      return nullptr;
    kind = inner->getOpcode();
    by = inner->getRHS()->IgnoreParenImpCasts();
  }
  const auto *number = dyn_cast<IntegerLiteral>(by);
  if (!number)
    return nullptr;
  const uint64_t value = number->getValue().getLimitedValue();
  const bool halves =
      ((kind == BO_ShrAssign || kind == BO_Shr) && value == 1) ||
      ((kind == BO_DivAssign || kind == BO_Div) && value == 2);
  return halves ? variable : nullptr;
}

class Steps {
public:
  /// `told`: places of which functions before have a warning.
  Steps(Sema &sema, const FunctionDecl *function, Severity severity,
        llvm::DenseSet<SourceLocation> &told)
      : sema(sema), severity(severity), told(told),
        places(sema.Context, function) {
    statement(function->getBody());
    if (!reported)
      if (std::optional<Exchange> other = findExchange(sema.Context, function))
        reportRead(other->memory, other->read, other->written, "thread",
                   "__syncthreads()");
  }

private:
  struct Write {
    WarpPlace place;
    SourceLocation at;
  };

  Sema &sema;
  const Severity severity;
  llvm::DenseSet<SourceLocation> &told;
  WarpPlaces places;
  llvm::SmallVector<Write, 8> writes; ///< since the last call
  llvm::SmallVector<const Expr *, 4> conditions;
  const VarDecl *step = nullptr; ///< variable that the enclosing loop halves
  bool called = false, reported = false;

  /// Whether a condition is true for a thread and for the thread `distance`
  /// away.
  bool holdsForBoth(const Expr *condition, const Decl *thread,
                    int64_t distance) const {
    if (!condition)
      return false;
    condition = condition->IgnoreParenImpCasts();
    const auto *op = dyn_cast<BinaryOperator>(condition);
    if (op && op->getOpcode() == BO_LAnd)
      return holdsForBoth(op->getLHS(), thread, distance) &&
             holdsForBoth(op->getRHS(), thread, distance);
    if (op && (op->getOpcode() == BO_LT || op->getOpcode() == BO_LE)) {
      WarpPlace left;
      const Expr *right = op->getRHS()->IgnoreParenImpCasts();
      const auto *name = dyn_cast<DeclRefExpr>(right);
      if (places.addUp(op->getLHS(), 1, left) && left.thread == thread &&
          left.offset == 0 && left.others.empty()) {
        if (step && name && name->getDecl() == step)
          return true;
        std::optional<int64_t> limit = places.constant(right);
        return limit && *limit + (op->getOpcode() == BO_LE) > distance;
      }
    }
    return places.isSameForAll(condition);
  }
  bool bothComeHere(const Decl *thread, int64_t distance) const {
    return llvm::all_of(conditions, [&](const Expr *condition) {
      return holdsForBoth(condition, thread, distance);
    });
  }

  void read(const Expr *expr) {
    std::optional<WarpPlace> from =
        reported ? std::nullopt : places.find(expr, step);
    if (!from)
      return;
    for (const Write &write : writes) {
      if (!from->isBeside(write.place) || write.place.step)
        continue;
      const int64_t distance =
          from->step ? 1 : std::abs(from->offset - write.place.offset);
      if (distance == 0 || distance >= 32 ||
          !bothComeHere(from->thread, distance))
        continue;
      reportRead(from->memory, expr->getExprLoc(), write.at,
                 "thread of the warp", "__syncwarp()");
      return;
    }
  }
  void reportRead(const VarDecl *memory, SourceLocation at,
                  SourceLocation written, llvm::StringRef which,
                  llvm::StringRef barrier) {
    reported = true;
    if (!told.insert(at).second)
      return;
    report(sema, levelOf(severity), at,
           "%0 is read after another %1 writes it, without a barrier between: "
           "lanes do not run in lockstep; write %2 before [-Woffload-race]")
        << memory << which << barrier;
    report(sema, DiagnosticsEngine::Note, written, "it is written here");
  }
  void write(const Expr *expr) {
    if (std::optional<WarpPlace> to = places.find(expr, step))
      writes.push_back({*to, expr->getExprLoc()});
  }

  void expression(const Expr *expr) {
    expr = expr->IgnoreParenImpCasts();
    if (isa<PseudoObjectExpr, LambdaExpr>(expr))
      return;
    if (const auto *op = dyn_cast<BinaryOperator>(expr);
        op && op->isAssignmentOp()) {
      expression(op->getRHS());
      if (op->isCompoundAssignmentOp())
        read(op->getLHS());
      for (const Stmt *part : op->getLHS()->IgnoreParenImpCasts()->children())
        expression(cast<Expr>(part));
      write(op->getLHS());
      return;
    }
    read(expr);
    for (const Stmt *part : expr->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(part))
        expression(inner);
    // The call may be, or contain, a barrier.
    if (hasCallItself(expr)) {
      writes.clear();
      called = true;
    }
  }
  static bool hasCallItself(const Expr *expr) {
    return isa<CallExpr, CXXNewExpr, CXXDeleteExpr>(expr);
  }

  /// A part that may not run. `condition` guards it; null if the condition is
  /// unknown. `again`: writes before it do not count in it, nor its own after
  /// it.
  void part(const Stmt *stmt, const Expr *condition, bool again) {
    auto before = writes;
    const bool had = std::exchange(called, false);
    conditions.push_back(condition);
    if (again)
      writes.clear();
    statement(stmt);
    conditions.pop_back();
    writes = std::move(before);
    if (called || again)
      writes.clear();
    called |= had;
  }
  /// A loop such as a tree reduction that halves the distance each time. If it
  /// contains no barrier, one iteration reads what the one before wrote.
  void halving(const ForStmt *loop) {
    const VarDecl *outer = std::exchange(step, halved(loop));
    auto before = std::exchange(writes, {});
    for (int pass = 0; pass < 2 && step && !reported; ++pass)
      within(loop->getBody());
    step = outer;
    writes = std::move(before);
  }
  /// The body of such a loop. Its conditions hold in the next iteration too.
  void within(const Stmt *body) {
    if (const auto *all = dyn_cast<CompoundStmt>(body)) {
      for (const Stmt *each : all->body())
        within(each);
      return;
    }
    const auto *branch = dyn_cast<IfStmt>(body);
    if (!branch || branch->getElse() || branch->getInit())
      return statement(body);
    conditions.push_back(branch->getCond());
    within(branch->getThen());
    conditions.pop_back();
  }
  void branch(const IfStmt *stmt) {
    if (std::optional<int64_t> value = places.constant(stmt->getCond()))
      return statement(*value ? stmt->getThen() : stmt->getElse());
    expression(stmt->getCond());
    part(stmt->getThen(), stmt->getCond(), stmt->getElse());
    if (stmt->getElse())
      part(stmt->getElse(), nullptr, true);
  }
  void statement(const Stmt *stmt) {
    if (!stmt || reported)
      return;
    if (const auto *expr = dyn_cast<Expr>(stmt))
      return expression(expr);
    if (const auto *each = dyn_cast<IfStmt>(stmt))
      return branch(each);
    if (const auto *loop = dyn_cast<ForStmt>(stmt);
        loop && halved(loop) && !hasCall(loop)) {
      halving(loop);
      if (reported)
        return;
    }
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(stmt)) {
      for (const Stmt *each : stmt->children())
        part(each, nullptr, true);
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

void warnOfWarpSteps(Sema &sema, llvm::ArrayRef<const FunctionDecl *> functions,
                     Severity severity) {
  if (severity == Severity::Ignored)
    return;
  llvm::SmallVector<const FunctionDecl *> all(functions);
  llvm::sort(all, [](const FunctionDecl *one, const FunctionDecl *other) {
    return one->getLocation() < other->getLocation();
  });
  const SourceManager &sources = sema.getSourceManager();
  llvm::DenseSet<SourceLocation> told;
  SourceLocation last; // to handle one instance of each template
  for (const FunctionDecl *function : all)
    if (const FunctionDecl *body = nullptr;
        function->hasBody(body) && !body->isDependentContext() &&
        !sources.isInSystemHeader(body->getLocation()) &&
        body->getLocation() != last) {
      last = body->getLocation();
      Steps(sema, body, severity, told);
    }
}

} // namespace xcc
