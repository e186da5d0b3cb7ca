// Finds code that a device cannot run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceChecker.h"
#include "Names.h"
#include "SharedVariables.h"
#include "cuda/InlinePtx.h"
#include "kernels/check/HostAssembly.h"
#include "kernels/check/HostInstructions.h"
#include "kernels/find/HeaderTemplates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
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

} // namespace

void DeviceChecker::walkOptional(llvm::ArrayRef<FoundKernel> kernels) {
  optional = true;
  asFaults([&] {
    for (const FoundKernel &kernel : kernels)
      if (kernel.info.optional)
        addEntry(kernel.body, kernel.launch, kernel.info.name);
    run();
  });
  optional = eachUse = false;
}

void DeviceChecker::walk(ImplicitExports &implicit) {
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

SourceLocation DeviceChecker::problemOf(const NamedDecl *initialiser) {
  probes = true;
  addStartupInitialiser(initialiser);
  run();
  return problem;
}

void DeviceChecker::asFaults(llvm::function_ref<void()> walk) {
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

void DeviceChecker::take(DiagnosticsEngine::Level level, std::string text) {
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

bool DeviceChecker::isOmitted() {
  if (fault.empty())
    return false;
  notes.addFault(cast<ValueDecl>(current), std::exchange(fault, {}));
  firstFault = false;
  return true;
}

void DeviceChecker::held(const VarDecl *variable) {
  if (!variableFault.empty())
    notes.addFault(variable, std::exchange(variableFault, {}));
  firstFault = false;
}

void DeviceChecker::names(const ValueDecl *named, SourceLocation at) {
  if (const NamedDecl *by = holder ? holder : current)
    notes.addUse(cast<ValueDecl>(by), named, at);
  if (const auto *variable = dyn_cast<VarDecl>(named)) {
    notes.addInitialised(variable);
    noteStaticUse(variable, at);
    if (isState(variable))
      notes.addState(holder ? nullptr : dyn_cast_or_null<FunctionDecl>(current),
                     variable, at);
  }
  const auto *function = dyn_cast<FunctionDecl>(named);
  if (function && !function->isDefined() && !isRuntime(function) &&
      !(target.sharesHostMemory() && inStandardLibrary(function)))
    notes.addUndefined(function);
}

bool DeviceChecker::isState(const VarDecl *variable) const {
  if (!variable->hasGlobalStorage() || variable->isConstexpr() ||
      variable->getTLSKind() != VarDecl::TLS_None || isBlockShared(variable) ||
      inSystemHeader(variable))
    return false;
  QualType type = variable->getType().getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return !type.isConstant(context) &&
         !(record &&
           record->getQualifiedNameAsString() == "xcc::shared_global");
}

void DeviceChecker::noteStaticUse(const VarDecl *variable, SourceLocation at) {
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

void DeviceChecker::reportStatics() {
  for (auto [variable, use] : statics) {
    const auto *owner =
        cast<FunctionDecl>(variable->getParentFunctionOrMethod());
    if (reaches(owner))
      continue;
    llvm::SaveAndRestore by(current, use.caller);
    report(DiagnosticsEngine::Error, use.at,
           "device code uses the static variable %0 of a function that runs "
           "on the host: the device's copy is never initialised")
        << variable;
    report(DiagnosticsEngine::Note, variable->getLocation(),
           "declared here; capture its value, as in [%0 = %0], or the host's "
           "object itself, as in [&%0 = %0]")
        << variable->getName();
    chain();
  }
  statics.clear();
}

bool DeviceChecker::isRuntime(const FunctionDecl *function) {
  return function->getIdentifier() && function->getName().starts_with("__xcc_");
}

void DeviceChecker::rejected(Rejection rejection, SourceLocation at) {
  switch (rejection) {
  case Rejection::None:
  case Rejection::HostEntry:
    return;
  case Rejection::Launch:
    return rejectLaunch(at);
  case Rejection::HostFunction:
    return error(at, "device code may only call a function that runs on the "
                     "host: it has no address there");
  case Rejection::Jump:
    // A thread of the CPU device can jump like any host thread.
    if (target.runsHostAssembly())
      return;
    return error(at, "setjmp and longjmp cannot run on a device");
  case Rejection::HostRuntime:
    return rejectRuntime(at);
  }
}

void DeviceChecker::rejectLaunch(SourceLocation at) {
  error(at, "a kernel cannot launch a kernel: only the host launches");
  report(DiagnosticsEngine::Note, at,
         "call the function from this kernel, or let this kernel write what "
         "is left to do and the host launch the next one");
}

void DeviceChecker::rejectRuntime(SourceLocation at) {
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

void DeviceChecker::undefined(const FunctionDecl *function, SourceLocation at) {
  std::optional<std::string> why;
  if (generates && !walksImplicit) {
    why = whyNotHostCall(function);
    if (why && why->empty()) {
      generated.insert({const_cast<FunctionDecl *>(function), at});
      return;
    }
    if (why)
      notes.addUndefined(function, *why);
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

void DeviceChecker::shared(const VarDecl *variable) {
  if (isDynamicShared(variable))
    return; // stands for no variable
  if (hasSharedInitialiser(variable)) {
    error(variable->getLocation(),
          "a variable that a block shares cannot have an initialiser: let one "
          "thread write it, and the others wait for it");
    return;
  }
  for (VarDecl *decl : variable->redecls())
    if (!decl->hasAttr<SectionAttr>())
      decl->addAttr(SectionAttr::CreateImplicit(context, ".xcc.shared"));
}

void DeviceChecker::localShared(const VarDecl *variable) {
  error(variable->getLocation(),
        "a block_shared variable must be static: one per block, not one "
        "per thread");
}

void DeviceChecker::partlyShared(const VarDecl *variable) {
  if (reported.insert(variable->getCanonicalDecl()).second)
    error(
        variable->getLocation(),
        "only a part of this variable is block_shared: make that part a static "
        "variable of its own, or the whole variable an xcc::block_shared");
}

void DeviceChecker::call(CallExpr *expr) {
  if (target.runsHostAssembly() || translateHostInstruction(sema, expr))
    return;
  report(DiagnosticsEngine::Error, expr->getExprLoc(),
         "device code uses %0, an instruction of the host that this device "
         "does not have")
      << expr->getDirectCallee();
  report(DiagnosticsEngine::Note, expr->getExprLoc(),
         "there are functions for SSE to AVX2, FMA, F16C, BMI, AES and SHA; "
         "keep "
         "other instructions out with #ifndef __XCC_DEVICE_PASS__ or "
         "-mno-<name>");
  chain();
}

void DeviceChecker::assembly(GCCAsmStmt *stmt) {
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

void DeviceChecker::coroutine(SourceLocation at) {
  if (target.runsCoroutines())
    return;
  report(DiagnosticsEngine::Error, at, "a coroutine cannot run on this device");
  report(DiagnosticsEngine::Note, at,
         "write a class that keeps the state, with a function that continues "
         "from it");
  chain();
}

void DeviceChecker::variable(const VarDecl *reference, SourceLocation at) {
  if (reference->getTLSKind() != VarDecl::TLS_None &&
      !target.hasThreadLocals()) {
    report(DiagnosticsEngine::Error, at,
           "device code uses the thread_local variable %0")
        << reference;
    report(DiagnosticsEngine::Note, reference->getLocation(),
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
      notes.addUndefined(reference);
    return;
  }
}

void DeviceChecker::chain() {
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

bool DeviceChecker::isGlue(const NamedDecl *code) {
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

} // namespace xcc
