// Lanes of a warp that exchange values without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpSteps.h"
#include "Report.h"
#include "SharedVariables.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace xcc {
namespace {

/// Is it threadIdx.x of <xcc/cuda.h>?
const Decl *threadIndex(const Expr *expr) {
  if (auto *object = dyn_cast<PseudoObjectExpr>(expr))
    expr = object->getSyntacticForm()->IgnoreParenImpCasts();
  auto *property = dyn_cast<MSPropertyRefExpr>(expr);
  if (!property)
    return nullptr;
  auto *of =
      dyn_cast<DeclRefExpr>(property->getBaseExpr()->IgnoreParenImpCasts());
  const MSPropertyDecl *member = property->getPropertyDecl();
  return of && of->getDecl()->getDeclName().getAsString() == "threadIdx" &&
                 member->getName() == "x"
             ? member
             : nullptr;
}

/// What a function names and changes.
class Names : public RecursiveASTVisitor<Names> {
public:
  llvm::SmallPtrSet<const ValueDecl *, 16> named, changed;
  bool threads = false; ///< some index of the thread

  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    named.insert(ref->getDecl());
    threads |= ref->getDecl()->getDeclName().getAsString() == "threadIdx";
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      change(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      change(op->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getType()->isReferenceType() && variable->getInit())
      change(variable->getInit());
    return true;
  }

private:
  void change(Expr *of) {
    if (auto *ref = dyn_cast<DeclRefExpr>(of->IgnoreParenImpCasts()))
      changed.insert(ref->getDecl());
  }
};

class Steps {
public:
  Steps(Sema &sema, const FunctionDecl *function, Severity severity)
      : sema(sema), context(sema.getASTContext()), severity(severity) {
    all.TraverseStmt(function->getBody());
    statement(function->getBody());
  }

private:
  /// memory[thread + offset], where the thread is a variable or threadIdx.x.
  struct Place {
    const VarDecl *memory = nullptr;
    const Decl *thread = nullptr;
    int64_t offset = 0;
  };
  struct Write {
    Place place;
    SourceLocation at;
  };

  Sema &sema;
  ASTContext &context;
  const Severity severity;
  Names all;
  llvm::SmallVector<Write, 8> writes; ///< with no call since
  llvm::SmallVector<const Expr *, 4> conditions;
  bool called = false, told = false;

  std::optional<int64_t> constant(const Expr *expr) const {
    Expr::EvalResult result;
    if (expr->isValueDependent() || !expr->EvaluateAsInt(result, context))
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  }
  /// Adds up `thread + constants`.
  bool addUp(const Expr *expr, int64_t sign, Place &into) const {
    expr = expr->IgnoreParenImpCasts();
    if (std::optional<int64_t> value = constant(expr)) {
      into.offset += sign * *value;
      return true;
    }
    if (auto *op = dyn_cast<BinaryOperator>(expr); op && op->isAdditiveOp())
      return addUp(op->getLHS(), sign, into) &&
             addUp(op->getRHS(), op->getOpcode() == BO_Sub ? -sign : sign,
                   into);
    const Decl *leaf = threadIndex(expr);
    if (auto *ref = dyn_cast<DeclRefExpr>(expr))
      leaf = ref->getDecl();
    if (!leaf || into.thread || sign < 0)
      return false;
    into.thread = leaf;
    return true;
  }
  /// threadIdx.x, or a sum with it.
  bool isThread(const Expr *expr) const {
    expr = expr->IgnoreParenImpCasts();
    if (auto *op = dyn_cast<BinaryOperator>(expr);
        op && op->getOpcode() == BO_Add) {
      Names other;
      const bool left = isThread(op->getLHS());
      other.TraverseStmt(left ? op->getRHS() : op->getLHS());
      return left ? !other.threads || !isThread(op->getRHS())
                  : isThread(op->getRHS());
    }
    return threadIndex(expr);
  }
  std::optional<Place> place(const Expr *expr) const {
    auto *subscript = dyn_cast<ArraySubscriptExpr>(expr->IgnoreParenImpCasts());
    if (!subscript)
      return std::nullopt;
    auto *base =
        dyn_cast<DeclRefExpr>(subscript->getBase()->IgnoreParenImpCasts());
    Place found;
    found.memory = base ? dyn_cast<VarDecl>(base->getDecl()) : nullptr;
    if (!found.memory || !addUp(subscript->getIdx(), 1, found) ||
        !found.thread || all.changed.contains(found.memory))
      return std::nullopt;
    // The idiom of functions: volatile memory, and the thread's index.
    const bool idiom =
        isa<ParmVarDecl>(found.memory) &&
        found.memory->getType()->isPointerType() &&
        found.memory->getType()->getPointeeType().isVolatileQualified();
    if (!idiom && !isBlockShared(found.memory))
      return std::nullopt;
    auto *variable = dyn_cast<VarDecl>(found.thread);
    if (!variable) // threadIdx.x itself
      return found;
    if (all.changed.contains(variable) || !variable->isLocalVarDeclOrParm())
      return std::nullopt;
    const bool known =
        isa<ParmVarDecl>(variable)
            ? idiom
            : variable->getInit() && isThread(variable->getInit());
    return known ? std::optional(found) : std::nullopt;
  }

  /// Do the conditions around let a thread and the one `distance` behind it in?
  bool bothComeHere(const Decl *thread, int64_t distance) const {
    return llvm::all_of(conditions, [&](const Expr *condition) {
      if (!condition)
        return false;
      condition = condition->IgnoreParenImpCasts();
      if (auto *op = dyn_cast<BinaryOperator>(condition);
          op && op->getOpcode() == BO_LT) {
        Place left;
        std::optional<int64_t> limit = constant(op->getRHS());
        if (limit && addUp(op->getLHS(), 1, left) && left.thread == thread &&
            left.offset == 0)
          return *limit > distance;
      }
      Names in;
      in.TraverseStmt(const_cast<Expr *>(condition));
      return !in.threads && llvm::none_of(in.named, [](const ValueDecl *each) {
        auto *variable = dyn_cast<VarDecl>(each);
        return variable && !variable->isConstexpr();
      });
    });
  }
  void read(const Expr *expr) {
    std::optional<Place> from = place(expr);
    if (!from || told)
      return;
    for (const Write &write : writes) {
      if (write.place.memory != from->memory ||
          write.place.thread != from->thread)
        continue;
      const int64_t distance = std::abs(from->offset - write.place.offset);
      if (distance == 0 || distance >= 32 ||
          !bothComeHere(from->thread, distance))
        continue;
      told = true;
      report(sema,
             severity == Severity::Error ? DiagnosticsEngine::Error
                                         : DiagnosticsEngine::Warning,
             expr->getExprLoc(),
             "what another thread of the warp writes to %0 is read without a "
             "barrier between: lanes do not run in step; write __syncwarp() "
             "before [-Woffload-race]")
          << from->memory;
      report(sema, DiagnosticsEngine::Note, write.at, "it is written here");
      return;
    }
  }
  void write(const Expr *expr) {
    if (std::optional<Place> to = place(expr))
      writes.push_back({*to, expr->getExprLoc()});
  }

  void expression(const Expr *expr) {
    expr = expr->IgnoreParenImpCasts();
    if (isa<PseudoObjectExpr, LambdaExpr>(expr))
      return;
    if (auto *op = dyn_cast<BinaryOperator>(expr); op && op->isAssignmentOp()) {
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
      if (auto *inner = dyn_cast_or_null<Expr>(part))
        expression(inner);
    // It may be, or have, a barrier.
    if (isa<CallExpr>(expr)) {
      writes.clear();
      called = true;
    }
  }
  /// What may not run, under a condition, or, of which nothing is certain,
  /// without one.
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
  void statement(const Stmt *stmt) {
    if (!stmt || told)
      return;
    if (auto *expr = dyn_cast<Expr>(stmt))
      return expression(expr);
    if (auto *branch = dyn_cast<IfStmt>(stmt)) {
      if (std::optional<int64_t> value = constant(branch->getCond()))
        return statement(*value ? branch->getThen() : branch->getElse());
      expression(branch->getCond());
      part(branch->getThen(), branch->getCond(), branch->getElse());
      if (branch->getElse())
        part(branch->getElse(), nullptr, true);
      return;
    }
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(stmt)) {
      for (const Stmt *each : stmt->children())
        part(each, nullptr, true);
      return;
    }
    if (auto *declaration = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl *each : declaration->decls())
        if (auto *variable = dyn_cast<VarDecl>(each))
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
  SourceLocation last; // of a template, one instance
  for (const FunctionDecl *function : all)
    if (const FunctionDecl *body = nullptr;
        function->hasBody(body) && !body->isDependentContext() &&
        !sources.isInSystemHeader(body->getLocation()) &&
        body->getLocation() != last) {
      last = body->getLocation();
      Steps(sema, body, severity);
    }
}

} // namespace xcc
