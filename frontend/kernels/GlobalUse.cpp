// Variables that differ from the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalUse.h"
#include "EvaluatedCode.h"
#include "FunctionObjects.h"
#include "LaunchArguments.h"
#include "Names.h"
#include "Report.h"
#include "Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

/// Where one side first reads and first writes a variable.
struct Use {
  SourceLocation read, write;
};
using Uses = llvm::MapVector<const VarDecl *, Use>;

using Functions = llvm::SmallPtrSet<const FunctionDecl *, 32>;

/// Collects the uses of variables in functions and in what they call.
class UseVisitor : public EvaluatedCode<UseVisitor> {
public:
  using Base = EvaluatedCode<UseVisitor>;
  /// For the host, `device` has what kernels call and `kernels` these
  /// themselves: both are the host's only where it calls them.
  explicit UseVisitor(ASTContext &context, const Functions *device = nullptr,
                      const Functions *kernels = nullptr)
      : context(context), device(device), kernels(kernels) {}

  Uses uses;
  Functions functions;
  /// What each function does itself.
  struct Facts {
    llvm::SmallPtrSet<const FunctionDecl *, 4> callees;
    llvm::SmallPtrSet<const VarDecl *, 2> reads, writes;
  };
  llvm::DenseMap<const FunctionDecl *, Facts> facts;
  /// The host's first calls of what kernels call too.
  llvm::MapVector<const FunctionDecl *, SourceLocation> entered;

  void add(const FunctionDecl *function, SourceLocation at = {}) {
    function = function ? function->getDefinition() : nullptr;
    if (!function || function->isTemplated())
      return;
    if (device && device->contains(function)) {
      entered.insert({function, at});
      return;
    }
    if (current)
      facts[current].callees.insert(function);
    if (functions.insert(function).second)
      work.push_back(function);
  }
  /// Named, which need not be a call: that of a kernel is none, nor is that of
  /// what is handed on to a kernel.
  void addNamed(const FunctionDecl *function, SourceLocation at) {
    const FunctionDecl *made = function->getDefinition();
    if (!made || !kernels || !kernels->contains(made))
      add(function, at);
  }
  void add(const VarDecl *variable) {
    if (const Expr *init = variable->getInit())
      TraverseStmt(const_cast<Expr *>(init));
  }
  void run() {
    for (size_t next = 0; next < work.size(); ++next) {
      const FunctionDecl *function = current = work[next];
      if (const auto *made = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer *init : made->inits())
          TraverseStmt(init->getInit());
      TraverseStmt(function->getBody());
    }
    work.clear();
    current = nullptr;
  }

  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    for (Expr *init : lambda->capture_inits())
      if (init)
        TraverseStmt(init);
    // What a kernel calls, the host need not.
    const FunctionDecl *body = lambda->getCallOperator()->getDefinition();
    if (!device || !device->contains(body))
      add(body);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (const FunctionDecl *callee = call->getDirectCallee())
      add(callee, call->getExprLoc());
    return true;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
    return TraverseStmt(expr->getExpr());
  }

  /// What device code calls on the host is the host's: only the arguments are
  /// the kernel's.
  bool TraverseCallExpr(CallExpr *call) {
    const FunctionDecl *callee = device ? nullptr : call->getDirectCallee();
    const bool named = callee && callee->getIdentifier() &&
                       callee->getName() == "host_call" &&
                       callee->getQualifiedNameAsString() == "xcc::host_call";
    if (!named && !(callee && isAnnotated(callee, annotation::Host)))
      return Base::TraverseCallExpr(call);
    for (unsigned i = named; i < call->getNumArgs(); ++i)
      TraverseStmt(call->getArg(i));
    return true;
  }

  // What is only looked at.
  bool VisitCastExpr(CastExpr *cast) {
    const Expr *from = cast->getSubExpr();
    bool constant = cast->getType().isConstQualified() && cast->isLValue();
    if (const auto *pointer = cast->getType()->getAs<PointerType>())
      constant |= pointer->getPointeeType().isConstQualified();
    if (cast->getCastKind() == CK_LValueToRValue ||
        cast->getCastKind() == CK_ToVoid || constant)
      look(from);
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) {
    if (const CXXMethodDecl *method = call->getMethodDecl();
        method && method->isConst())
      look(call->getImplicitObjectArgument());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (ref->isNonOdrUse() != NOUR_None)
      return true;
    if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
      addNamed(function, ref->getExprLoc());
    else if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      note(variable, ref, ref->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) {
    if (const auto *method = dyn_cast<CXXMethodDecl>(member->getMemberDecl()))
      addNamed(method, member->getExprLoc());
    else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
      note(variable, member, member->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *expr) {
    add(expr->getConstructor(), expr->getExprLoc());
    return true;
  }

private:
  ASTContext &context;
  const Functions *device, *kernels;
  std::vector<const FunctionDecl *> work;
  const FunctionDecl *current = nullptr; ///< the one that is looked at
  llvm::SmallPtrSet<const Expr *, 32> lookedAt;

  /// The variable of which an expression names the whole or a part.
  void look(const Expr *expr) {
    while (true) {
      expr = expr->IgnoreParens();
      if (const auto *member = dyn_cast<MemberExpr>(expr);
          member && !member->isArrow() &&
          isa<FieldDecl>(member->getMemberDecl()))
        expr = member->getBase();
      else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
        expr = element->getBase();
      else if (const auto *cast = dyn_cast<CastExpr>(expr);
               cast && cast->getCastKind() != CK_LValueToRValue)
        expr = cast->getSubExpr();
      else if (const auto *unary = dyn_cast<UnaryOperator>(expr);
               unary && unary->getOpcode() == UO_AddrOf)
        expr = unary->getSubExpr();
      else
        break;
    }
    lookedAt.insert(expr);
  }

  void note(const VarDecl *variable, const Expr *ref, SourceLocation at) {
    if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
        variable->getTLSKind() != VarDecl::TLS_None ||
        variable->getType().isConstant(context) ||
        variable->getType()->isReferenceType() ||
        context.getSourceManager().isInSystemHeader(variable->getLocation()))
      return;
    const CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl();
    if (record && isAnnotated(record, annotation::BlockShared))
      return;
    variable = variable->getCanonicalDecl();
    Use &use = uses[variable];
    bool read = lookedAt.contains(ref);
    SourceLocation &place = read ? use.read : use.write;
    if (place.isInvalid())
      place = at;
    if (current) {
      Facts &own = facts[current];
      (read ? own.reads : own.writes).insert(variable);
    }
  }
};

void addKernel(UseVisitor &visitor, Functions &kernels,
               const FoundKernel &kernel) {
  auto add = [&](const FunctionDecl *function) {
    visitor.add(function);
    if (const FunctionDecl *made = function->getDefinition())
      kernels.insert(made);
  };
  if (kernel.function) {
    add(kernel.function);
    return;
  }
  for (const FunctionDecl *call :
       callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
    add(call);
}

/// Every function and every variable's initialiser of the translation unit.
class HostFinder : public RecursiveASTVisitor<HostFinder> {
public:
  HostFinder(UseVisitor &visitor, const Functions &device)
      : visitor(visitor), device(device) {}
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseDecl(Decl *decl) {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    // What kernels call is the host's only if host code calls it too.
    if (function->isThisDeclarationADefinition() && !device.contains(function))
      visitor.add(function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->hasGlobalStorage())
      visitor.add(variable);
    return true;
  }

private:
  UseVisitor &visitor;
  const Functions &device;
};

/// Where the host calls functions that kernels call too, it asks for the value
/// of what such a call reads and does not write. What a call also writes is
/// its own: a state, a cache, or the host's run of the same computation.
void addCalls(UseVisitor &host, UseVisitor &device) {
  for (auto [entry, at] : host.entered) {
    llvm::SetVector<const FunctionDecl *> reached;
    reached.insert(entry);
    llvm::SmallPtrSet<const VarDecl *, 8> writes;
    llvm::SetVector<const VarDecl *> reads;
    for (size_t i = 0; i < reached.size(); ++i) {
      const UseVisitor::Facts &own = device.facts[reached[i]];
      reached.insert_range(own.callees);
      reads.insert_range(own.reads);
      writes.insert_range(own.writes);
    }
    for (const VarDecl *variable : reads) {
      if (writes.contains(variable))
        continue;
      if (Use &use = host.uses[variable]; use.read.isInvalid())
        use.read = at;
    }
  }
}

} // namespace

void checkGlobals(Sema &sema, llvm::ArrayRef<Decl *> decls,
                  llvm::ArrayRef<FoundKernel> kernels,
                  const Warnings &warnings) {
  Severity severity = warnings.of(WarningGroup::Globals, Severity::Warning,
                                  sema.getDiagnostics());
  if (severity == Severity::Ignored || kernels.empty())
    return;
  auto level = severity == Severity::Error ? DiagnosticsEngine::Error
                                           : DiagnosticsEngine::Warning;
  UseVisitor device(sema.Context);
  Functions starts;
  for (const FoundKernel &kernel : kernels)
    addKernel(device, starts, kernel);
  device.run();
  if (device.uses.empty())
    return;
  UseVisitor host(sema.Context, &device.functions, &starts);
  HostFinder finder(host, device.functions);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  host.run();
  if (llvm::any_of(device.uses,
                   [](const auto &use) { return use.second.write.isValid(); }))
    addCalls(host, device);

  // Who asks for a device's own knows of it.
  llvm::SmallPtrSet<const VarDecl *, 4> known;
  for (const FoundKernel &kernel : kernels)
    if (const VarDecl *variable =
            kernel.function ? symbolOf(kernel.function) : nullptr)
      known.insert(variable->getCanonicalDecl());
  for (auto &[variable, onDevice] : device.uses) {
    if (known.contains(variable))
      continue;
    Use onHost = host.uses.lookup(variable);
    if (onDevice.write.isValid() &&
        (onHost.read.isValid() || onHost.write.isValid())) {
      report(sema, level, onDevice.write,
             "a kernel writes the device's own %0: the host's is another, "
             "which does not change [-Woffload-globals]")
          << variable;
      report(sema, DiagnosticsEngine::Note,
             onHost.read.isValid() ? onHost.read : onHost.write,
             "the host uses its own here; xcc::symbol(%0) has the device's, or "
             "pass the address of memory that both reach, such as an "
             "xcc::buffer's")
          << variable->getQualifiedNameAsString();
    } else if (onDevice.read.isValid() && onHost.write.isValid()) {
      report(sema, level, onDevice.read,
             "a kernel reads the device's own %0: what the host writes to "
             "its own does not arrive [-Woffload-globals]")
          << variable;
      report(sema, DiagnosticsEngine::Note, onHost.write,
             "the host writes here; copy it with xcc::symbol(%0), or pass the "
             "value to the kernel")
          << variable->getQualifiedNameAsString();
    }
  }
}

} // namespace xcc
