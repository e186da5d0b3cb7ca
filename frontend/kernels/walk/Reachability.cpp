// Checks and generates all device code that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reachability.h"
#include "DeviceChecker.h"
#include "ImplicitExports.h"
#include "LinkNotes.h"
#include "Names.h"
#include "StartupInitialisers.h"
#include "kernels/check/GlobalUse.h"
#include "kernels/check/NamedCaptures.h"
#include "kernels/check/Report.h"
#include "kernels/check/WarpSteps.h"
#include "kernels/host/GeneratedCalls.h"
#include "kernels/host/GeneratedEntries.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace xcc {
namespace {

/// Finds initialisers that device code needs without naming them.
class UnitInitialisers {
public:
  UnitInitialisers(Sema &sema, llvm::ArrayRef<Decl *> decls,
                   DeviceChecker &checker, const Target &target, bool generates,
                   bool exports, Severity severity, LinkNotes &notes)
      : sema(sema), decls(decls), checker(checker), target(target),
        generates(generates), exports(exports), severity(severity),
        notes(notes) {}

  /// Adds those that kernels need. Warns of one that the device cannot run.
  void addForKernels() {
    addUsed([&](const StartupInitialisers::Found &found,
                SourceLocation problem) {
      if (severity == Severity::Ignored)
        return;
      report(sema, levelOf(severity), found.initialiser->getLocation(),
             "device code uses %1, which %0 changes before main: that does not "
             "happen on the device, where it cannot run [-Woffload-globals]")
          << found.initialiser << found.written;
      report(sema, DiagnosticsEngine::Note, problem, "because of this");
    });
  }

  /// Adds those that kernels of other units may need; only the link knows
  /// which. It warns of those that the device cannot run.
  void addForOtherUnits() {
    auto skipped = [&](const StartupInitialisers::Found &found,
                       SourceLocation problem) {
      noteSkipped(found.initialiser, problem);
    };
    addUsed(skipped);
    while (NamedDecl *initialiser = all().nextForOtherUnits()) {
      auto *variable = dyn_cast<VarDecl>(initialiser);
      // Implicit exports have been walked.
      if (variable && checker.uses(variable))
        continue;
      if (SourceLocation problem = problemOf(initialiser); problem.isValid())
        noteSkipped(initialiser, problem);
      else
        add(initialiser);
      addUsed(skipped);
    }
    if (severity == Severity::Ignored)
      return;
    for (const ValueDecl *code : notes.faultyCode())
      if (const auto *function = dyn_cast<FunctionDecl>(code)) {
        Effects effects = all().effectsOf(function);
        effects.called.clear();
        notes.addEffects(function, std::move(effects));
      } else if (const auto *variable = dyn_cast<VarDecl>(code);
                 variable->isFileVarDecl()) {
        noteSkipped(variable, variable->getLocation());
      }
  }

  std::vector<NamedDecl *> added;

private:
  Sema &sema;
  llvm::ArrayRef<Decl *> decls;
  DeviceChecker &checker;
  const Target &target;
  const bool generates, exports;
  const Severity severity;
  LinkNotes &notes;
  std::optional<StartupInitialisers> found;

  StartupInitialisers &all() {
    if (!found)
      found.emplace(sema.Context, decls);
    return *found;
  }

  SourceLocation problemOf(const NamedDecl *initialiser) {
    LinkNotes none;
    return DeviceChecker(sema, target, generates, exports, none)
        .problemOf(initialiser);
  }

  void add(NamedDecl *initialiser) {
    checker.addStartupInitialiser(initialiser);
    checker.run();
    added.push_back(initialiser);
    if (const auto *variable = dyn_cast<VarDecl>(initialiser))
      notes.addInitialised(variable);
  }

  void noteSkipped(const NamedDecl *initialiser, SourceLocation problem) {
    if (severity != Severity::Ignored)
      notes.addSkipped(initialiser, all().effectsOf(initialiser), problem);
  }

  /// Adds initialisers that write variables which this unit's device code uses.
  void addUsed(llvm::function_ref<void(const StartupInitialisers::Found &,
                                       SourceLocation)>
                   skipped) {
    if (!checker.usesVariables())
      return;
    auto used = [&](const VarDecl *variable) { return checker.uses(variable); };
    for (auto next = all().next(used); next.initialiser;
         next = all().next(used))
      if (SourceLocation problem = problemOf(next.initialiser);
          problem.isValid())
        skipped(next, problem);
      else
        add(next.initialiser);
  }
};

/// Gives a function the calling convention for kernels whose parameters a
/// launch fills.
void makeDeviceKernel(FunctionDecl *function) {
  ASTContext &context = function->getASTContext();
  function->addAttr(DeviceKernelAttr::CreateImplicit(context));
  const auto *type = function->getType()->castAs<FunctionType>();
  function->setType(
      QualType(context.adjustFunctionType(
                   type, type->getExtInfo().withCallingConv(CC_DeviceKernel)),
               0));
}

} // namespace

bool emitReachable(Sema &sema, llvm::ArrayRef<Decl *> decls,
                   std::vector<FoundKernel> &kernels, const Target &target,
                   GeneratedCalls *generated, bool exports, bool program,
                   LinkNotes &notes, CodeGenerator &codegen,
                   const Warnings &warnings, RecordLayouts &layouts) {
  std::vector<FunctionDecl *> exported = exportedFunctions(decls);
  std::vector<VarDecl *> variables = exportedVariables(decls);
  bool values = target.kernelArguments() == KernelArguments::Values;
  for (FoundKernel &kernel : kernels) {
    kernel.body = values ? byValueForm(sema, kernel) : kernel.entry;
    if (kernel.body && !kernel.body->isDefined())
      sema.InstantiateFunctionDefinition(kernel.launch, kernel.body,
                                         /*Recursive=*/true,
                                         /*DefinitionRequired=*/true);
  }
  sema.PerformPendingInstantiations();
  llvm::erase_if(kernels, [](const FoundKernel &k) { return !k.body; });

  if (!kernels.empty())
    useNamedCaptures(sema.getASTContext(), decls);
  // Rewrite code before it is walked. Attributes that code generation reads
  // must be there before it starts.
  if (generated)
    redirectVariadicCalls(sema, kernels, exported, target);
  DeviceChecker checker(sema, target, generated != nullptr, exports, notes);
  for (FoundKernel &kernel : kernels)
    if (!kernel.info.optional)
      checker.addEntry(kernel.body, kernel.launch, kernel.info.name);
  for (FunctionDecl *function : exported)
    checker.addEntry(function, function->getLocation(), {});
  for (VarDecl *variable : variables)
    checker.addEntry(variable);
  checker.run();
  checker.reportStatics();
  if (sema.getDiagnostics().hasErrorOccurred())
    return false;
  checker.walkOptional(kernels);
  warnOfWarpSteps(sema, checker.reachedFunctions(),
                  warnings.of(WarningGroup::Race, Severity::Warning,
                              sema.getDiagnostics()));
  layouts =
      sharedLayouts(sema.getASTContext(), kernels, checker.usedVariables());
  UnitInitialisers initialisers(
      sema, decls, checker, target, generated != nullptr, exports,
      warnings.of(WarningGroup::Globals, Severity::Warning,
                  sema.getDiagnostics()),
      notes);
  initialisers.addForKernels();
  if (generated)
    for (auto [function, at] : checker.generated)
      if (FunctionDecl *stub =
              generateHostCall(sema, function, at, target.sharesHostMemory())) {
        sema.InstantiateFunctionDefinition(at, stub, /*Recursive=*/true,
                                           /*DefinitionRequired=*/true);
        generated->push_back({function, stub});
      }
  sema.PerformPendingInstantiations();
  ImplicitExports implicit;
  if (exports) {
    implicit = findImplicitExports(sema, decls, program);
    checker.walk(implicit);
    // In a program of -foffload-main, all of them run.
    if (!program) {
      initialisers.addForOtherUnits();
      if (warnings.of(WarningGroup::Globals, Severity::Warning,
                      sema.getDiagnostics()) != Severity::Ignored)
        noteGlobals(sema, decls, kernels, notes);
    }
  }

  ASTContext &context = sema.getASTContext();
  notes.addLayouts(layoutNotes(context, layouts, checker.reachedFunctions()));
  notes.emptyBodies(context);
  auto emit = [&](Decl *decl) {
    decl->addAttr(SYCLExternalAttr::CreateImplicit(context));
    sema.Consumer.HandleTopLevelDecl(DeclGroupRef(decl));
  };
  for (FoundKernel &kernel : kernels)
    if (FunctionDecl *definition = kernel.body->getDefinition()) {
      if (values)
        makeDeviceKernel(definition);
      emit(definition);
      notes.addLaunch(definition, kernel.launch);
    }
  for (FunctionDecl *function : exported)
    emit(function);
  for (FunctionDecl *function : implicit.functions)
    emit(function);
  // In SYCL device mode, Clang defines a variable only if code uses it.
  auto emitVariable = [&](VarDecl *variable) {
    // A tentative definition ("int i;" in C) waits for a use on every target.
    const bool tentative = variable->isThisDeclarationADefinition(context) ==
                           VarDecl::TentativeDefinition;
    if (context.getTargetInfo().getTriple().isGPU() && !tentative)
      emit(variable);
    else
      codegen.GetAddrOfGlobal(GlobalDecl(variable), /*isForDefinition=*/false);
  };
  llvm::append_range(variables, implicit.variables);
  for (VarDecl *variable : variables)
    emitVariable(variable);
  for (NamedDecl *initialiser : initialisers.added)
    if (auto *variable = dyn_cast<VarDecl>(initialiser))
      emitVariable(variable);
    else
      emit(initialiser);
  notes.resolve(codegen, context);
  if (generated)
    for (auto [function, stub] : *generated)
      if (FunctionDecl *definition = stub->getDefinition())
        emit(definition);
  return !kernels.empty() || !exported.empty() || !implicit.functions.empty() ||
         !variables.empty() || !initialisers.added.empty() ||
         notes.hasSkipped() || notes.hasGlobals();
}

} // namespace xcc
