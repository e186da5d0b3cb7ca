// Checks and generates all device code that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reachability.h"
#include "DeviceWalk.h"
#include "ImplicitExports.h"
#include "LinkNotes.h"
#include "Names.h"
#include "Registrars.h"
#include "SharedVariables.h"
#include "cuda/InlinePtx.h"
#include "kernels/check/GlobalUse.h"
#include "kernels/check/HostAssembly.h"
#include "kernels/check/HostInstructions.h"
#include "kernels/check/NamedCaptures.h"
#include "kernels/check/Report.h"
#include "kernels/check/WarpSteps.h"
#include "kernels/host/GeneratedCalls.h"
#include "kernels/host/GeneratedEntries.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {
namespace {

/// Collects diagnostics as text, for code that may never run on a device.
class FaultText : public DiagnosticConsumer {
public:
  using Taken = std::function<void(DiagnosticsEngine::Level, std::string)>;
  FaultText(Sema &sema, Taken taken)
      : taken(std::move(taken)), stream(text), printer(stream, options) {
    options.ShowColors = false;
    printer.BeginSourceFile(sema.getLangOpts(), &sema.getPreprocessor());
  }
  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const Diagnostic &info) override {
    printer.HandleDiagnostic(level, info);
    taken(level, std::move(text));
    text.clear();
  }

private:
  Taken taken;
  DiagnosticOptions options;
  std::string text;
  llvm::raw_string_ostream stream;
  TextDiagnosticPrinter printer;
};

/// Reports code that this device, or no device, can run. Reports errors of
/// kernels and of functions marked XCC_EXPORT at once. Records errors of code
/// that is exported without a mark for the link.
class Checker : public DeviceWalk {
public:
  /// With `linked`, other units may define what this unit does not define.
  Checker(Sema &sema, const Target &target, bool generates, bool linked,
          LinkNotes &notes)
      : DeviceWalk(sema, target), generates(generates), linked(linked),
        notes(notes) {}

  /// Walks optional kernels, after all others and exported functions.
  void walkOptional(llvm::ArrayRef<FoundKernel> kernels) {
    optional = true;
    asFaults([&] {
      for (const FoundKernel &kernel : kernels)
        if (kernel.info.optional)
          addEntry(kernel.body, kernel.launch, kernel.info.name);
      run();
    });
    optional = eachUse = false;
  }

  /// Walks code that is exported without a mark, after kernels and marked
  /// functions. Removes variables that no device can have.
  void walk(ImplicitExports &implicit) {
    walksImplicit = true;
    asFaults([&] {
      for (FunctionDecl *function : implicit.functions)
        addEntry(function, function->getLocation(), {});
      run();
      llvm::erase_if(implicit.variables, [&](const VarDecl *variable) {
        addEntry(variable);
        return !std::exchange(variableFault, {}).empty();
      });
      for (CXXRecordDecl *record : implicit.classes)
        addEntry(record);
      run();
    });
  }

  /// The place of the first construct in the registrar's code that the device
  /// cannot run; invalid if it can. Nothing is reported from now on.
  SourceLocation problemOf(const NamedDecl *registrar) {
    probes = true;
    addRegistrar(registrar);
    run();
    return problem;
  }

  /// Functions to call on the host, and the place of a call.
  llvm::MapVector<FunctionDecl *, SourceLocation> generated;

private:
  const bool generates; ///< -foffload-host-calls
  const bool linked;
  LinkNotes &notes;
  llvm::DenseSet<unsigned> runtimeCalls;
  bool probes = false;
  SourceLocation problem;
  bool walksImplicit = false, optional = false, firstFault = false;
  /// Faults so far of `current`, and of the variable whose value is visited.
  std::string fault, variableFault;

  //===--------------------------------------------------------------------===//
  // Code that may not be needed
  //===--------------------------------------------------------------------===//

  /// Runs `walk`, and records errors as faults of the code instead of reporting
  /// them.
  void asFaults(llvm::function_ref<void()> walk) {
    eachUse = true;
    DiagnosticsEngine &diags = sema.getDiagnostics();
    DiagnosticConsumer *client = diags.getClient();
    std::unique_ptr<DiagnosticConsumer> owned = diags.takeClient();
    FaultText consumer(sema,
                       [&](DiagnosticsEngine::Level level, std::string text) {
                         take(level, std::move(text));
                       });
    diags.setClient(&consumer, /*ShouldOwnClient=*/false);
    diags.setErrorLimit(0);
    walk();
    diags.setClient(client, owned.release() != nullptr);
    diags.setErrorLimit(diags.getDiagnosticOptions().ErrorLimit);
    // Errors were recorded, not reported: reset the count.
    diags.Reset(/*soft=*/true);
  }

  void take(DiagnosticsEngine::Level level, std::string text) {
    bool error = level >= DiagnosticsEngine::Error;
    bool note = level == DiagnosticsEngine::Note && firstFault;
    if (!error && !note)
      return;
    if (error)
      firstFault = (holder || !current ? variableFault : fault).empty();
    if (!firstFault)
      return;
    // A variable that is an entry, and a variable's value, have faults of their
    // own.
    if (holder || !current)
      variableFault += text;
    else
      fault += text;
  }
  bool leavesOut() override {
    if (fault.empty())
      return false;
    notes.addFault(cast<ValueDecl>(current), std::exchange(fault, {}));
    firstFault = false;
    return true;
  }

  void held(const VarDecl *variable) override {
    if (!variableFault.empty())
      notes.addFault(variable, std::exchange(variableFault, {}));
    firstFault = false;
  }

  void names(const ValueDecl *named, SourceLocation at) override {
    if (const NamedDecl *by = holder ? holder : current)
      notes.addUse(cast<ValueDecl>(by), named, at);
    if (const auto *variable = dyn_cast<VarDecl>(named)) {
      notes.addInitialised(variable);
      lookAtStatic(variable, at);
      if (isState(variable))
        notes.addState(holder ? nullptr
                              : dyn_cast_or_null<FunctionDecl>(current),
                       variable, at);
    }
    const auto *function = dyn_cast<FunctionDecl>(named);
    if (function && !function->isDefined() && !isRuntime(function) &&
        !(target.sharesHostMemory() && inStandardLibrary(function)))
      notes.addLacking(function);
  }

  /// Whether a device has its own copy of the program's variable, which the
  /// host or a kernel may change.
  bool isState(const VarDecl *variable) const {
    if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
        variable->getTLSKind() != VarDecl::TLS_None ||
        isBlockShared(variable) || inSystemHeader(variable))
      return false;
    QualType type = variable->getType().getNonReferenceType();
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return !type.isConstant(context) &&
           !(record &&
             record->getQualifiedNameAsString() == "xcc::shared_global");
  }

  /// Records uses of a static variable outside its function. It is initialised
  /// where its function runs. If that is the host (for example, a lambda in it
  /// is the kernel), the device's copy is never initialised.
  void lookAtStatic(const VarDecl *variable, SourceLocation at) {
    if (!variable->isStaticLocal() || walksImplicit || !current)
      return;
    const auto *owner =
        dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    if (!owner || owner == current || !variable->hasInit() ||
        variable->getInit()->isValueDependent() ||
        variable->hasConstantInitialization())
      return;
    statics.insert({variable, {current, at, {}}});
    if (optional)
      reportStatics();
  }

public:
  /// Reports static variables that no device code initialises.
  void reportStatics() {
    for (auto [variable, use] : statics) {
      const auto *owner =
          cast<FunctionDecl>(variable->getParentFunctionOrMethod());
      if (reaches(owner))
        continue;
      llvm::SaveAndRestore by(current, use.caller);
      report(DiagnosticsEngine::Error, use.at,
             "device code uses the static variable %0 of a function that runs "
             "on the host: the device's own is never initialised")
          << variable;
      report(DiagnosticsEngine::Note, variable->getLocation(),
             "declared here; capture its value, as in [%0 = %0], or the host's "
             "object itself, as in [&%0 = %0]")
          << variable->getName();
      chain();
    }
    statics.clear();
  }

private:
  /// Variables that have been reported.
  llvm::SmallPtrSet<const VarDecl *, 4> told;
  /// Static variables that code outside their functions uses, and the first
  /// use.
  llvm::MapVector<const VarDecl *, Edge> statics;

  /// Whether the function belongs to the device runtime.
  static bool isRuntime(const FunctionDecl *function) {
    return function->getIdentifier() &&
           function->getName().starts_with("__xcc_");
  }

  void refused(Refusal refusal, SourceLocation at) override {
    switch (refusal) {
    case Refusal::None:
    case Refusal::HostEntry:
      return;
    case Refusal::Launch:
      return refuseLaunch(at);
    case Refusal::HostFunction:
      return error(at, "device code may only call a function that runs on the "
                       "host: it has no address there");
    case Refusal::Jump:
      // A thread of the CPU device can jump like any host thread.
      if (target.runsHostAssembly())
        return;
      return error(at, "setjmp and longjmp cannot run on a device");
    case Refusal::HostRuntime:
      return refuseRuntime(at);
    }
  }

  void refuseLaunch(SourceLocation at) {
    error(at, "a kernel cannot launch a kernel: launches are the host's");
    report(DiagnosticsEngine::Note, at,
           "call the function from this kernel, or let this kernel write what "
           "is left to do and the host launch the next one");
  }

  /// Reports each place in the user's own code once.
  void refuseRuntime(SourceLocation at) {
    if (walksImplicit)
      return error(at, "device code cannot use the host's runtime: it manages "
                       "no devices, streams or memory");
    llvm::SaveAndRestore keep(current);
    while (context.getSourceManager().isInSystemHeader(at)) {
      Edge edge = edgeTo(current);
      if (!edge.caller)
        break;
      at = edge.at;
      current = edge.caller;
    }
    if (runtimeCalls.insert(at.getRawEncoding()).second || optional)
      error(at, "device code cannot use the host's runtime: it manages no "
                "devices, streams or memory");
  }

  void undefined(const FunctionDecl *function, SourceLocation at) override {
    std::optional<std::string> why;
    if (generates && !walksImplicit) {
      why = whyNotHostCall(function);
      if (why && why->empty()) {
        generated.insert({const_cast<FunctionDecl *>(function), at});
        return;
      }
      if (why)
        notes.addLacking(function, *why);
    }
    // Another unit may define it. Code that is only probed must not make a link
    // fail.
    if (function->isExternallyVisible() &&
        (!probes || linked || inStandardLibrary(function)))
      return;
    report(DiagnosticsEngine::Error, at,
           "device code calls %0, which is not defined in this translation "
           "unit")
        << function;
    report(DiagnosticsEngine::Note, function->getLocation(), "declared here");
    chain();
  }

  void shared(const VarDecl *variable) override {
    if (isDynamicShared(variable))
      return; // stands for no variable
    if (hasSharedInitialiser(variable)) {
      error(variable->getLocation(),
            "a variable that a block shares has no initialiser: let one "
            "thread write it, and the block wait");
      return;
    }
    for (VarDecl *decl : variable->redecls())
      if (!decl->hasAttr<SectionAttr>())
        decl->addAttr(SectionAttr::CreateImplicit(context, ".xcc.shared"));
  }

  void localShared(const VarDecl *variable) override {
    error(variable->getLocation(),
          "a block_shared variable must be static: one per block, not one "
          "per thread");
  }

  void partlyShared(const VarDecl *variable) override {
    if (told.insert(variable->getCanonicalDecl()).second)
      error(variable->getLocation(),
            "a part of this variable is block_shared, and the others are not: "
            "make a static variable of its own of that part, or "
            "xcc::block_shared of the whole");
  }

  void call(CallExpr *expr) override {
    if (target.runsHostAssembly() || translateHostInstruction(sema, expr))
      return;
    report(DiagnosticsEngine::Error, expr->getExprLoc(),
           "device code uses %0, an instruction of the host that this device "
           "has nothing for")
        << expr->getDirectCallee();
    report(DiagnosticsEngine::Note, expr->getExprLoc(),
           "there are functions for SSE to AVX2, FMA, F16C, BMI, AES and SHA; "
           "keep "
           "other instructions out with #ifndef __XCC_DEVICE_PASS__ or "
           "-mno-<name>");
    chain();
  }

  void assembly(GCCAsmStmt *stmt) override {
    const std::string text = stmt->getAsmString();
    if (isPtx(text)) {
      report(DiagnosticsEngine::Error, stmt->getAsmLoc(),
             "inline PTX is not translated, because a kernel is for every "
             "device: %0")
          << insteadOfPtx(text);
      return chain();
    }
    if (!target.runsHostAssembly() && !translateHostAssembly(sema, stmt))
      error(stmt->getAsmLoc(),
            "inline assembly of the host cannot run on this device");
  }

  void coroutine(SourceLocation at) override {
    if (target.runsCoroutines())
      return;
    report(DiagnosticsEngine::Error, at,
           "a coroutine cannot run on this device");
    report(DiagnosticsEngine::Note, at,
           "write a class that keeps the state, with a function that goes on "
           "from there");
    chain();
  }

  /// Reports thread_local and register variables. Notes variables that are not
  /// defined here.
  void variable(const VarDecl *reference, SourceLocation at) override {
    if (reference->getTLSKind() != VarDecl::TLS_None &&
        !target.hasThreadLocals()) {
      report(DiagnosticsEngine::Error, at,
             "device code uses the thread_local variable %0")
          << reference;
      report(
          DiagnosticsEngine::Note, reference->getLocation(),
          "declared here; a local variable is already one per device thread");
      chain();
      return;
    }
    if (reference->getStorageClass() == SC_Register &&
        reference->hasAttr<AsmLabelAttr>() && !target.runsHostAssembly()) {
      error(at, "a variable in a register of the host's cannot be used on this "
                "device");
      return;
    }
    if (reference->isConstexpr() || reference->getType()->isReferenceType())
      return;
    if (!reference->getDefinition(context)) {
      if (!inSystemHeader(reference))
        notes.addLacking(reference);
      return;
    }
  }

  template <unsigned N>
  DiagnosticBuilder report(DiagnosticsEngine::Level level, SourceLocation at,
                           const char (&text)[N]) {
    if (probes && level == DiagnosticsEngine::Error && problem.isInvalid())
      problem = at;
    if (probes)
      level = DiagnosticsEngine::Ignored;
    return xcc::report(sema, level, at, text);
  }

  template <unsigned N> void error(SourceLocation at, const char (&text)[N]) {
    report(DiagnosticsEngine::Error, at, text);
    chain();
  }

  /// Adds notes for the calls from `current` up to the launch. Skips xcc's own
  /// functions in between.
  void chain() {
    if (walksImplicit || optional)
      return; // the link has the chain
    const NamedDecl *code = current;
    while (code) {
      const Edge edge = edgeTo(code);
      if (!edge.caller) {
        if (isa<VarDecl>(code))
          report(DiagnosticsEngine::Note, code->getLocation(),
                 "in the initialiser of %0, which writes what device code uses")
              << code;
        else if (edge.kernel.empty())
          report(DiagnosticsEngine::Note, code->getLocation(),
                 "in %0, which is exported to other translation units")
              << code;
        else
          report(DiagnosticsEngine::Note, edge.at,
                 "in kernel '%0', which is launched here")
              << edge.kernel;
        return;
      }
      if (isa<VarDecl>(code))
        report(DiagnosticsEngine::Note, edge.at,
               "%0, whose initialiser runs on the device too, is used by %1 "
               "here")
            << code << edge.caller;
      else if (isa<VarDecl>(edge.caller))
        report(DiagnosticsEngine::Note, edge.at,
               "%0 is called by the initialiser of %1 here")
            << code << edge.caller;
      else if (!isGlue(edge.caller))
        report(DiagnosticsEngine::Note, edge.at, "%0 is called by %1 here")
            << code << edge.caller;
      code = edge.caller;
    }
  }

  static bool isGlue(const NamedDecl *code) {
    const auto *function = dyn_cast<FunctionDecl>(code);
    if (!function)
      return false;
    if (isAnnotated(function, annotation::Entry))
      return true;
    const auto *space = dyn_cast<NamespaceDecl>(
        function->getDeclContext()->getEnclosingNamespaceContext());
    return space && space->getName() == "detail" &&
           isa<NamespaceDecl>(space->getParent()) &&
           cast<NamespaceDecl>(space->getParent())->getName() == "xcc";
  }
};

/// Finds initialisers that device code needs without naming them.
class RegistrarsOfUnit {
public:
  RegistrarsOfUnit(Sema &sema, llvm::ArrayRef<Decl *> decls, Checker &checker,
                   const Target &target, bool generates, bool exports,
                   Severity severity, LinkNotes &notes)
      : sema(sema), decls(decls), checker(checker), target(target),
        generates(generates), exports(exports), severity(severity),
        notes(notes) {}

  /// Adds those that kernels need. Warns of one that the device cannot run.
  void addForKernels() {
    addUsed([&](const Registrars::Found &found, SourceLocation problem) {
      if (severity == Severity::Ignored)
        return;
      report(sema,
             severity == Severity::Error ? DiagnosticsEngine::Error
                                         : DiagnosticsEngine::Warning,
             found.registrar->getLocation(),
             "what %0 does before main to %1, which device code uses, is not "
             "done on the device: it cannot run there [-Woffload-globals]")
          << found.registrar << found.written;
      report(sema, DiagnosticsEngine::Note, problem, "because of this");
    });
  }

  /// Adds those that kernels of other units may need; only the link knows
  /// which. It warns of those that the device cannot run.
  void addForOtherUnits() {
    auto undone = [&](const Registrars::Found &found, SourceLocation problem) {
      tell(found.registrar, problem);
    };
    addUsed(undone);
    while (NamedDecl *registrar = all().nextForOtherUnits()) {
      auto *variable = dyn_cast<VarDecl>(registrar);
      // Implicit exports have been walked.
      if (variable && checker.uses(variable))
        continue;
      if (SourceLocation problem = problemOf(registrar); problem.isValid())
        tell(registrar, problem);
      else
        add(registrar);
      addUsed(undone);
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
        tell(variable, variable->getLocation());
      }
  }

  std::vector<NamedDecl *> added;

private:
  Sema &sema;
  llvm::ArrayRef<Decl *> decls;
  Checker &checker;
  const Target &target;
  const bool generates, exports;
  const Severity severity;
  LinkNotes &notes;
  std::optional<Registrars> found;

  Registrars &all() {
    if (!found)
      found.emplace(sema.Context, decls);
    return *found;
  }

  SourceLocation problemOf(const NamedDecl *registrar) {
    LinkNotes none;
    return Checker(sema, target, generates, exports, none).problemOf(registrar);
  }

  void add(NamedDecl *registrar) {
    checker.addRegistrar(registrar);
    checker.run();
    added.push_back(registrar);
    if (const auto *variable = dyn_cast<VarDecl>(registrar))
      notes.addInitialised(variable);
  }

  void tell(const NamedDecl *registrar, SourceLocation problem) {
    if (severity != Severity::Ignored)
      notes.addUndone(registrar, all().effectsOf(registrar), problem);
  }

  /// Adds initialisers that write variables which this unit's device code uses.
  void
  addUsed(llvm::function_ref<void(const Registrars::Found &, SourceLocation)>
              undone) {
    if (!checker.usesVariables())
      return;
    auto used = [&](const VarDecl *variable) { return checker.uses(variable); };
    for (auto next = all().next(used); next.registrar; next = all().next(used))
      if (SourceLocation problem = problemOf(next.registrar); problem.isValid())
        undone(next, problem);
      else
        add(next.registrar);
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
  Checker checker(sema, target, generated != nullptr, exports, notes);
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
  RegistrarsOfUnit registrars(
      sema, decls, checker, target, generated != nullptr, exports,
      warnings.of(WarningGroup::Globals, Severity::Warning,
                  sema.getDiagnostics()),
      notes);
  registrars.addForKernels();
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
      registrars.addForOtherUnits();
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
  for (NamedDecl *registrar : registrars.added)
    if (auto *variable = dyn_cast<VarDecl>(registrar))
      emitVariable(variable);
    else
      emit(registrar);
  notes.resolve(codegen, context);
  if (generated)
    for (auto [function, stub] : *generated)
      if (FunctionDecl *definition = stub->getDefinition())
        emit(definition);
  return !kernels.empty() || !exported.empty() || !implicit.functions.empty() ||
         !variables.empty() || !registrars.added.empty() || notes.hasUndone() ||
         notes.hasGlobals();
}

} // namespace xcc
