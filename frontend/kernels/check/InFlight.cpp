// Warnings for variables that a program uses or ends while kernels run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InFlight.h"
#include "Report.h"
#include "Waits.h"
#include "kernels/walk/Accesses.h"
#include "kernels/walk/BorrowedLocals.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace clang;

namespace xcc {
namespace {

/// A launch, or a call of a function that launches, and what its kernel refers
/// to.
struct Borrow {
  const CallExpr *call;
  SourceLocation launch; ///< in the called function; else invalid
  BorrowedLocals locals;
};

/// A reference to a parameter that a kernel may still use when the function has
/// returned.
struct Left {
  BorrowedLocals::Kind kind;
  bool changes;
  SourceLocation launch;
};
constexpr unsigned This = 1u << 30; ///< stands for `this` as a parameter number
using Summary = llvm::SmallDenseMap<unsigned, Left>;

/// Finds the user's functions, and the callers of each.
class FunctionFinder : public TreeVisitor {
public:
  explicit FunctionFinder(ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
  }
  llvm::SetVector<const FunctionDecl *> functions, launching;
  llvm::DenseMap<const FunctionDecl *,
                 llvm::SmallSetVector<const FunctionDecl *, 4>>
      callers;

  bool TraverseDecl(Decl *decl) override {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace() ||
        context.getSourceManager().isInSystemHeader(decl->getLocation()))
      return true;
    auto *function = dyn_cast<FunctionDecl>(decl);
    if (function && !enter(function))
      return true;
    const FunctionDecl *before = current;
    if (function)
      current = function;
    TreeVisitor::TraverseDecl(decl);
    current = before;
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) override {
    for (Expr *init : lambda->capture_inits())
      if (init)
        TraverseStmt(init);
    const CXXMethodDecl *op = lambda->getCallOperator();
    if (const FunctionTemplateDecl *tmpl = op->getDescribedFunctionTemplate()) {
      for (FunctionDecl *made : tmpl->specializations())
        addBody(made);
    } else {
      addBody(op);
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!current || !callee)
      return true;
    if (launchedBy(callee))
      launching.insert(current);
    else if (const FunctionDecl *made = callee->getDefinition())
      callers[made].insert(current);
    return true;
  }

private:
  ASTContext &context;
  const FunctionDecl *current = nullptr;

  bool enter(const FunctionDecl *function) {
    return !function->isThisDeclarationADefinition() ||
           functions.insert(function);
  }
  void addBody(const FunctionDecl *function) {
    function = function->getDefinition();
    if (!function || !function->hasBody() || !functions.insert(function))
      return;
    const FunctionDecl *before = current;
    current = function;
    TraverseStmt(function->getBody());
    current = before;
  }
};

/// A wrong use of a variable that a launch refers to.
struct Problem {
  enum Kind { Reads, Changes, Ends } kind;
  const VarDecl *variable;
  SourceLocation call, launch, at;
};

class Check {
public:
  explicit Check(Sema &sema) : context(sema.getASTContext()), waits(context) {}

  llvm::MapVector<std::pair<const VarDecl *, const CallExpr *>, Problem>
  run(llvm::ArrayRef<Decl *> decls) {
    FunctionFinder finder(context);
    for (Decl *decl : decls)
      finder.TraverseDecl(decl);
    llvm::SetVector<const FunctionDecl *> work = finder.launching;
    // The iteration ends because a summary only grows.
    while (!work.empty()) {
      const FunctionDecl *function = work.pop_back_val();
      if (follow(function))
        for (const FunctionDecl *caller : finder.callers.lookup(function))
          work.insert(caller);
    }
    return std::move(problems);
  }

private:
  ASTContext &context;
  Waits waits;
  KnownChanges changes;
  llvm::DenseMap<const FunctionDecl *, Summary> summaries;
  llvm::MapVector<std::pair<const VarDecl *, const CallExpr *>, Problem>
      problems;

  /// A variable that a running kernel refers to.
  struct InFlight {
    const Borrow *borrow;
    BorrowedLocals::Key key;
    bool changes;

    bool isObject(const VarDecl *variable) const {
      return key.getPointer() == variable &&
             key.getInt() == BorrowedLocals::Storage;
    }
  };
  struct Access {
    const VarDecl *variable;
    bool changes;
    SourceLocation at;
  };
  /// A function's launches, and the variables that may be in flight in it. A
  /// function may have thousands, so the state at each place is a bit vector.
  struct Function {
    std::vector<std::unique_ptr<Borrow>> borrows;
    std::vector<InFlight> all;
    /// For each call: the index of its first element in `all`, and the number.
    llvm::DenseMap<const CallExpr *, std::pair<unsigned, unsigned>> calls;
    /// How statements access the objects in `objects`.
    llvm::DenseMap<const Stmt *, llvm::SmallVector<Access, 2>> accesses;
    llvm::DenseSet<const VarDecl *> objects;
  };
  using State = llvm::BitVector;

  std::unique_ptr<Borrow> borrowOf(const CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return nullptr;
    auto borrow =
        std::make_unique<Borrow>(Borrow{call, {}, BorrowedLocals(changes)});
    if (auto param = launchedBy(callee)) {
      if (*param >= call->getNumArgs())
        return nullptr;
      borrow->locals.addLaunch(context, call, *param);
      return borrow;
    }
    auto summary = summaries.find(callee->getDefinition());
    if (summary == summaries.end())
      return nullptr;
    // An operator's first argument is the object.
    unsigned first =
        isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    for (const auto &[param, left] : summary->second) {
      const Expr *arg = nullptr;
      BorrowedLocals::Kind kind = left.kind;
      if (param != This) {
        if (param + first < call->getNumArgs())
          arg = call->getArg(param + first);
      } else if (const auto *member = dyn_cast<CXXMemberCallExpr>(call)) {
        arg = member->getImplicitObjectArgument();
        if (arg->getType()->isPointerType())
          kind = BorrowedLocals::Value;
      } else if (first) {
        arg = call->getArg(0);
      }
      if (arg)
        borrow->locals.add(arg, kind, left.changes);
      borrow->launch = left.launch;
    }
    return borrow;
  }

  /// Follows a function's paths. Returns true if its summary has grown.
  bool follow(const FunctionDecl *function) {
    CFG::BuildOptions options;
    options.AddImplicitDtors = true;
    options.AddTemporaryDtors = true;
    options.AddLifetime = true;
    options.PruneTriviallyFalseEdges = true;
    std::unique_ptr<CFG> graph =
        CFG::buildCFG(function, function->getBody(), &context, options);
    if (!graph)
      return false;
    Function in;
    for (const CFGBlock *block : *graph)
      for (const CFGElement &element : *block)
        if (auto stmt = element.getAs<CFGStmt>())
          if (const auto *call = dyn_cast<CallExpr>(stmt->getStmt()))
            if (auto borrow = borrowOf(call);
                borrow && !borrow->locals.variables.empty())
              note(call, std::move(borrow), in);
    if (in.calls.empty())
      return false;

    // In reverse post-order, all incoming paths of a join are done before it,
    // except in loops.
    PostOrderCFGView order(graph.get());
    ForwardDataflowWorklist work(*graph, &order);
    std::vector<State> before(graph->getNumBlockIDs());
    const State nothing(unsigned(in.all.size()));
    State atExit = nothing;
    before[graph->getEntry().getBlockID()] = nothing;
    work.enqueueBlock(&graph->getEntry());
    while (const CFGBlock *block = work.dequeue()) {
      State state = before[block->getBlockID()];
      for (const CFGElement &element : *block)
        step(element, in, state);
      if (block == &graph->getExit())
        atExit = state;
      if (block->hasNoReturnElement())
        continue;
      for (const CFGBlock *next : block->succs()) {
        if (!next)
          continue;
        State &known = before[next->getBlockID()];
        bool fresh = known.empty();
        if (!fresh && !state.test(known))
          continue; // the state adds nothing new
        if (fresh)
          known = nothing;
        known |= state;
        work.enqueueBlock(next);
      }
    }
    return leave(function, in, atExit);
  }

  static void note(const CallExpr *call, std::unique_ptr<Borrow> borrow,
                   Function &in) {
    auto begin = unsigned(in.all.size());
    for (const auto &[key, use] : borrow->locals.variables) {
      in.all.push_back({borrow.get(), key, use.changes});
      if (key.getInt() == BorrowedLocals::Storage)
        in.objects.insert(key.getPointer());
    }
    in.calls[call] = {begin, unsigned(in.all.size()) - begin};
    in.borrows.push_back(std::move(borrow));
  }

  void step(const CFGElement &element, Function &in, State &state) {
    if (auto stmt = element.getAs<CFGStmt>()) {
      step(stmt->getStmt(), in, state);
    } else if (auto gone = element.getAs<CFGAutomaticObjDtor>()) {
      // The destructor may wait, and does so before the lifetime ends.
      const VarDecl *variable = gone->getVarDecl();
      if (state.any() && waits.inDestructorOf(variable->getType()))
        state.reset();
      else
        end(variable, gone->getTriggerStmt(), in, state);
    } else if (auto gone = element.getAs<CFGTemporaryDtor>()) {
      if (state.any() &&
          waits.inDestructorOf(gone->getBindTemporaryExpr()->getType()))
        state.reset();
    } else if (auto over = element.getAs<CFGLifetimeEnds>()) {
      end(over->getVarDecl(), over->getTriggerStmt(), in, state);
    }
  }

  void step(const Stmt *stmt, Function &in, State &state) {
    const auto *call = dyn_cast<CallExpr>(stmt);
    if (call) {
      if (auto found = in.calls.find(call); found != in.calls.end()) {
        auto [first, count] = found->second;
        state.set(first, first + count);
        return;
      }
      if (launchedBy(call->getDirectCallee()))
        return;
    }
    if (state.none())
      return;
    bool waited = false;
    if (call)
      waited = waits.in(call);
    else if (const auto *made = dyn_cast<CXXConstructExpr>(stmt))
      waited = waits.in(made->getConstructor());
    else if (const auto *gone = dyn_cast<CXXDeleteExpr>(stmt))
      waited = gone->getDestroyedType().isNull() ||
               waits.inDestructorOf(gone->getDestroyedType());
    if (waited) {
      state.reset();
      return;
    }
    for (const Access &access : accessesOf(stmt, in))
      for (unsigned i : state.set_bits())
        if (const InFlight &each = in.all[i];
            each.isObject(access.variable) && (access.changes || each.changes))
          problem(access.changes ? Problem::Changes : Problem::Reads,
                  access.variable, *each.borrow, access.at);
  }

  /// Accesses of the statement itself. Calls within it were separate elements
  /// of the graph, and so were the operands of a comma.
  llvm::ArrayRef<Access> accessesOf(const Stmt *stmt, Function &in) {
    auto [known, fresh] = in.accesses.try_emplace(stmt);
    const auto *op = dyn_cast<BinaryOperator>(stmt);
    if (fresh && !(op && op->isCommaOp()))
      hostAccesses(
          context, stmt,
          [&](const VarDecl *variable, bool changes, SourceLocation at) {
            if (in.objects.contains(variable))
              known->second.push_back({variable, changes, at});
          });
    return known->second;
  }

  void end(const VarDecl *variable, const Stmt *by, const Function &in,
           State &state) {
    if (!in.objects.contains(variable))
      return;
    for (unsigned i = 0; i != in.all.size(); ++i) {
      const InFlight &each = in.all[i];
      if (!state[i] || !each.isObject(variable))
        continue;
      state.reset(i);
      // A returned variable lives on.
      if (!variable->isNRVOVariable())
        problem(Problem::Ends, variable, *each.borrow,
                !by                     ? SourceLocation()
                : isa<CompoundStmt>(by) ? by->getEndLoc()
                                        : by->getBeginLoc());
    }
  }

  /// Reports only the first of each variable and launch.
  void problem(Problem::Kind kind, const VarDecl *variable,
               const Borrow &borrow, SourceLocation at) {
    Problem made{kind, variable, borrow.call->getExprLoc(), borrow.launch,
                 at.isValid() ? at : variable->getEndLoc()};
    auto [known, fresh] = problems.insert({{variable, borrow.call}, made});
    if (!fresh && kind < known->second.kind)
      known->second = made;
  }

  bool leave(const FunctionDecl *function, const Function &in,
             const State &state) {
    bool grown = false;
    for (unsigned i : state.set_bits()) {
      const InFlight &each = in.all[i];
      const VarDecl *variable = each.key.getPointer();
      auto kind = BorrowedLocals::Kind(each.key.getInt());
      unsigned number = This;
      if (variable) {
        const auto *param = dyn_cast<ParmVarDecl>(variable);
        if (!param)
          continue;
        if (kind == BorrowedLocals::Storage &&
            !param->getType()->isReferenceType()) {
          problem(Problem::Ends, variable, *each.borrow,
                  function->getBodyRBrace());
          continue;
        }
        number = param->getFunctionScopeIndex();
      } else if (isLambdaCallOperator(function)) {
        continue; // `this` of the function around the lambda
      }
      SourceLocation at = each.borrow->launch.isValid()
                              ? each.borrow->launch
                              : each.borrow->call->getExprLoc();
      auto [known, fresh] =
          summaries[function].insert({number, {kind, each.changes, at}});
      grown |= fresh || (each.changes && !known->second.changes);
      known->second.changes |= each.changes;
    }
    return grown;
  }
};

/// "'a', 'b' and 'c'"
std::string listed(llvm::ArrayRef<const NamedDecl *> names) {
  std::string list;
  llvm::raw_string_ostream out(list);
  for (const NamedDecl *name : names) {
    out << (name == names.front()  ? "'"
            : name == names.back() ? "' and '"
                                   : "', '");
    name->printName(out);
  }
  return list + "'";
}

void reportEnds(Sema &sema, Severity severity,
                llvm::ArrayRef<Problem> problems) {
  llvm::SmallVector<const NamedDecl *, 4> names;
  bool small = true;
  for (const Problem &problem : problems) {
    names.push_back(problem.variable);
    small &= problem.variable->getType()->isScalarType();
  }
  const Problem &first = problems.front();
  const bool several = names.size() > 1;
  const std::string list = listed(names);
  report(sema, levelOf(severity), first.call,
         "the kernel that is launched here refers to %0, and may still run "
         "when %select{it ends|they end}1 [-Woffload-lifetime]")
      << list << several;
  if (first.launch.isValid())
    report(sema, DiagnosticsEngine::Note, first.launch,
           "this launches it, and nothing waits for it");
  report(sema, DiagnosticsEngine::Note, first.at,
         "%0 %select{ends|end}1 here; wait before, as xcc::synchronize() does, "
         "or %select{let %select{it|them}1 live longer|capture or pass "
         "%select{a copy|copies}1}2")
      << list << several << small;
}

void reportRace(Sema &sema, Severity severity, const Problem &problem) {
  const bool changes = problem.kind == Problem::Changes;
  report(sema, levelOf(severity), problem.at,
         "%0 is %select{read|changed}1 here while a kernel that %select{may "
         "change|refers to}1 it may still run [-Woffload-race]")
      << problem.variable << changes;
  report(sema, DiagnosticsEngine::Note, problem.call,
         "launched here; wait in between, as xcc::synchronize() does"
         "%select{|, or capture or pass a copy}0")
      << (changes && problem.variable->getType()->isScalarType());
}

} // namespace

void checkInFlight(Sema &sema, llvm::ArrayRef<Decl *> decls,
                   const Warnings &warnings) {
  auto severityOf = [&](WarningGroup group) {
    return warnings.of(group, Severity::Warning, sema.getDiagnostics());
  };
  const Severity lifetime = severityOf(WarningGroup::Lifetime),
                 race = severityOf(WarningGroup::Race);
  if (lifetime == Severity::Ignored && race == Severity::Ignored)
    return;
  std::vector<Problem> all;
  // Instantiations of a template have variables of their own, at one place.
  std::set<std::pair<SourceLocation, SourceLocation>> seen;
  for (const auto &[key, problem] : Check(sema).run(decls))
    if (seen.insert({problem.variable->getLocation(), problem.call}).second)
      all.push_back(problem);
  const SourceManager &sources = sema.getSourceManager();
  llvm::sort(all, [&](const Problem &a, const Problem &b) {
    if (a.call != b.call)
      return sources.isBeforeInTranslationUnit(a.call, b.call);
    if (a.at != b.at)
      return sources.isBeforeInTranslationUnit(a.at, b.at);
    return a.variable->getLocation() < b.variable->getLocation();
  });
  for (size_t first = 0, next; first < all.size(); first = next) {
    llvm::SmallVector<Problem, 4> ends;
    for (next = first; next < all.size() && all[next].call == all[first].call;
         ++next)
      if (all[next].kind == Problem::Ends)
        ends.push_back(all[next]);
      else if (race != Severity::Ignored)
        reportRace(sema, race, all[next]);
    if (!ends.empty() && lifetime != Severity::Ignored)
      reportEnds(sema, lifetime, ends);
  }
}

} // namespace xcc
