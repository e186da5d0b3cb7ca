// Warnings for global variables that host and device see differently
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalUse.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/LaunchArguments.h"
#include "kernels/find/Symbols.h"
#include "kernels/walk/TreeVisitor.h"
#include "kernels/walk/UseVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

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

/// Collects lambdas in an initialiser, which other code may call.
class LambdaFinder : public TreeVisitor {
public:
  std::vector<const FunctionDecl *> found;
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    if (const FunctionDecl *body = lambda->getCallOperator()->getDefinition())
      found.push_back(body);
    return true;
  }
};

/// Adds every function of the translation unit that only the host runs.
class HostFinder : public DeclarationVisitor {
public:
  HostFinder(UseVisitor &visitor, const Functions &device,
             const Functions &early)
      : visitor(visitor), device(device), early(early) {}
  bool VisitFunctionDecl(FunctionDecl *function) override {
    // A function that kernels call is the host's only if host code calls it
    // too.
    if (function->isThisDeclarationADefinition() &&
        !device.contains(function) && !early.contains(function))
      visitor.add(function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (!variable->hasGlobalStorage() || !variable->hasInit())
      return true;
    LambdaFinder lambdas;
    lambdas.TraverseStmt(variable->getInit());
    for (const FunctionDecl *body : lambdas.found)
      if (!device.contains(body))
        visitor.add(body);
    return true;
  }

private:
  UseVisitor &visitor;
  const Functions &device, &early;
};

/// Finds functions that only initialisers of global variables call. What they
/// write to the device's variables, they write on the device too; see
/// StartupInitialisers.h.
class EarlyFinder : public DeclarationVisitor {
public:
  explicit EarlyFinder(ASTContext &context) : uses(context) {}

  Functions find(llvm::ArrayRef<Decl *> decls) {
    for (Decl *decl : decls)
      TraverseDecl(decl);
    uses.run();
    Functions early;
    for (const NamedDecl *initialiser : initialisers) {
      if (const auto *function = dyn_cast<FunctionDecl>(initialiser))
        early.insert(function);
      early.insert_range(uses.facts[initialiser].callees);
    }
    for (bool more = true; more;) {
      more = false;
      for (const auto &[caller, facts] : uses.facts)
        if (const auto *function = dyn_cast<FunctionDecl>(caller);
            function && early.contains(function))
          for (const FunctionDecl *callee : facts.callees)
            more |= early.insert(callee).second;
    }
    for (bool more = true; more;) {
      more = false;
      for (const auto &[caller, facts] : uses.facts)
        if (const auto *function = dyn_cast<FunctionDecl>(caller);
            function && !early.contains(function))
          for (const FunctionDecl *callee : facts.callees)
            more |= early.erase(callee);
    }
    return early;
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isThisDeclarationADefinition()) {
      uses.add(function);
      if (function->hasAttr<ConstructorAttr>())
        initialisers.push_back(function);
    }
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->isFileVarDecl() && variable->hasInit()) {
      uses.add(variable);
      initialisers.push_back(variable);
    }
    return true;
  }

private:
  UseVisitor uses;
  std::vector<const NamedDecl *> initialisers;
};

/// Adds host reads through functions that kernels call too. A host call of such
/// a function reads the variables that the function reads and does not write.
/// Variables that it also writes are its own state: a cache, or the host's run
/// of the same computation.
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

/// Whether other units can see the variable, and its value on a device may come
/// to differ from the host's.
bool isSeenByOthers(const VarDecl *variable) {
  ASTContext &context = variable->getASTContext();
  return variable->isFileVarDecl() && variable->isExternallyVisible() &&
         !variable->isTemplated() && !variable->isConstexpr() &&
         variable->getTLSKind() == VarDecl::TLS_None &&
         !variable->getType()->isReferenceType() &&
         !variable->getType().isConstant(context) &&
         !context.getSourceManager().isInSystemHeader(variable->getLocation());
}

/// Whether `decl` declares such a variable; most units declare none.
bool hasSeenByOthers(const Decl *decl) {
  if (const auto *variable = dyn_cast<VarDecl>(decl))
    return isSeenByOthers(variable);
  const auto *scope = dyn_cast<DeclContext>(decl);
  if (!scope || decl->isTemplated() || decl->isInStdNamespace() ||
      !isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(decl))
    return false;
  return llvm::any_of(scope->decls(), hasSeenByOthers);
}

/// Whether only this unit could use the function, and does not.
bool isUnused(const FunctionDecl *function) {
  GVALinkage linkage =
      function->getASTContext().GetGVALinkageForFunction(function);
  return linkage != GVA_StrongExternal && linkage != GVA_StrongODR &&
         !function->isReferenced() && !function->isUsed();
}

} // namespace

void noteGlobals(Sema &sema, llvm::ArrayRef<Decl *> decls,
                 llvm::ArrayRef<FoundKernel> kernels, LinkNotes &notes) {
  // Units that do not include xcc's headers, and units without such variables,
  // need no notes.
  if (templatesNamed(sema.Context, "function_kernel").empty() ||
      llvm::none_of(decls, hasSeenByOthers))
    return;
  UseVisitor uses(sema.Context);
  uses.keepsEach = true;
  Functions none, early = EarlyFinder(sema.Context).find(decls);
  HostFinder finder(uses, none, early);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  uses.run();
  for (const auto &[naming, use] : uses.each)
    if (const auto *function = dyn_cast<FunctionDecl>(naming.first);
        function && isSeenByOthers(naming.second) && !isUnused(function))
      notes.addGlobal(function, naming.second, use.read, use.write);
  for (const FoundKernel &kernel : kernels)
    if (const VarDecl *variable =
            kernel.function ? symbolOf(kernel.function) : nullptr)
      notes.addKnownGlobal(variable->getCanonicalDecl());
}

/// Whether only constructors of objects that other units have write the
/// variable: those run on the device too, or the link reports them.
static bool isWrittenForOthers(const UseVisitor &host,
                               const VarDecl *variable) {
  bool any = false;
  for (const auto &[naming, use] : host.each) {
    if (naming.second != variable || use.write.isInvalid())
      continue;
    const auto *writer = dyn_cast<CXXConstructorDecl>(naming.first);
    if (!writer || !writer->isExternallyVisible() ||
        llvm::any_of(host.facts, [&](const auto &other) {
          return other.second.callees.contains(writer);
        }))
      return false;
    any = true;
  }
  return any;
}

void checkGlobals(Sema &sema, llvm::ArrayRef<Decl *> decls,
                  llvm::ArrayRef<FoundKernel> kernels, const Warnings &warnings,
                  bool linked) {
  Severity severity = warnings.of(WarningGroup::Globals, Severity::Warning,
                                  sema.getDiagnostics());
  if (severity == Severity::Ignored || kernels.empty())
    return;
  auto level = levelOf(severity);
  UseVisitor device(sema.Context);
  device.followsUnnamed = device.followsReturned = true;
  Functions starts;
  for (const FoundKernel &kernel : kernels)
    addKernel(device, starts, kernel);
  device.run();
  if (device.uses.empty())
    return;
  UseVisitor host(sema.Context, &device.functions, &starts);
  host.keepsEach = linked;
  host.followsUnnamed = host.followsReturned = true;
  Functions early = EarlyFinder(sema.Context).find(decls);
  HostFinder finder(host, device.functions, early);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
  host.run();
  if (llvm::any_of(device.uses,
                   [](const auto &use) { return use.second.write.isValid(); }))
    addCalls(host, device);

  // A program that names the variable in xcc::symbol knows of the two copies.
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
             "a kernel writes the device's copy of %0: the host's variable "
             "does not change [-Woffload-globals]")
          << variable;
      report(
          sema, DiagnosticsEngine::Note,
          onHost.read.isValid() ? onHost.read : onHost.write,
          "the host uses its own here; copy the device's with xcc::symbol(%0), "
          "declare an xcc::shared_global for both, or pass the address of "
          "memory that both can access, such as an xcc::buffer's")
          << variable->getQualifiedNameAsString();
    } else if (onDevice.read.isValid() && onHost.write.isValid() &&
               !isWrittenForOthers(host, variable)) {
      report(sema, level, onDevice.read,
             "a kernel reads the device's copy of %0: it does not get what the "
             "host writes to its variable [-Woffload-globals]")
          << variable;
      report(sema, DiagnosticsEngine::Note, onHost.write,
             "the host writes here; copy it with xcc::symbol(%0), or pass the "
             "value to the kernel")
          << variable->getQualifiedNameAsString();
    }
  }
}

} // namespace xcc
