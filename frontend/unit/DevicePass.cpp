// The pass over a translation unit for one device triple
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePass.h"
#include "Annotations.h"
#include "BitElements.h"
#include "Dependencies.h"
#include "DevicePCH.h"
#include "Invocations.h"
#include "KernelAction.h"
#include "Names.h"
#include "RunTimeSource.h"
#include "kernels/check/Report.h"
#include "kernels/find/WrittenPlaces.h"
#include "kernels/walk/Reachability.h"
#include "kernels/walk/SharedVariables.h"
#include "link/Embed.h"
#include "support/CompileLimit.h"
#include "support/InternalError.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <malloc.h>

using namespace clang;

namespace xcc {

DevicePass::DevicePass(const TranslationUnit &unit, const Target &target,
                       const CompilerInvocation &host, std::string unique,
                       std::promise<DeviceModule> &promise,
                       const AutomaticPCH *automatic)
    : target(target), automatic(automatic), unit(unit), promise(promise),
      unique(std::move(unique)),
      systemDependencies(host.getDependencyOutputOpts().IncludeSystemHeaders),
      invocation(deviceInvocation(host, unit, target, &uninstrumented)) {}

void DevicePass::start() {
  thread = std::make_unique<llvm::thread>(std::optional<unsigned>(StackBytes),
                                          [this] { run(); });
}

DeviceModule DevicePass::compileHere() {
  compile();
  return success ? std::move(result) : DeviceModule();
}

void DevicePass::wait() {
  std::lock_guard<std::mutex> lock(joining);
  if (thread)
    thread->join();
  thread.reset();
}

/// Reports imported modules, which were compiled for the host. The CPU device
/// can use them, unless they contain <xcc/xcc.h>.
static bool checkModules(CompilerInstance &ci, Sema &sema, const Target &target,
                         llvm::ArrayRef<FoundKernel> found) {
  ASTReader *reader = ci.getASTReader().get();
  if (!reader || found.empty())
    return true;
  for (serialization::ModuleFile &module : reader->getModuleManager()) {
    if (module.Kind != serialization::MK_ExplicitModule &&
        module.Kind != serialization::MK_PrebuiltModule)
      continue;
    bool hostsHeader = false;
    reader->visitInputFileInfos(
        module, /*IncludeSystem=*/true,
        [&](const serialization::InputFileInfo &file, bool) {
          hostsHeader |= declaresLaunch(file.UnresolvedImportedFilename);
        });
    if (!hostsHeader && target.sharesHostMemory())
      continue;
    if (hostsHeader)
      report(sema, DiagnosticsEngine::Error, found.front().launch,
             "a kernel cannot be compiled for a device where the module %0 is "
             "imported: it has the host's <xcc/xcc.h>")
          << module.ModuleName;
    else
      report(sema, DiagnosticsEngine::Error, found.front().launch,
             "a kernel cannot be compiled for a GPU where the module %0 is "
             "imported, which was made for the host")
          << module.ModuleName;
    report(sema, DiagnosticsEngine::Note, found.front().launch,
           "launched here; launch kernels in a file that does not import it, "
           "or include a header instead");
    return false;
  }
  return true;
}

/// With -foffload-main, main runs on the device, where nothing can be launched.
static bool rejectLaunches(Sema &sema, llvm::ArrayRef<FoundKernel> found) {
  for (const FoundKernel &kernel : found)
    report(sema, DiagnosticsEngine::Error, kernel.launch,
           "a program whose main runs on the device (-foffload-main) cannot "
           "launch kernels");
  return !found.empty();
}

/// From this number of kernels on, the link generates code on several threads.
static constexpr size_t ManyKernels = 64;

void DevicePass::run() {
  compile();
  // The syntax tree's memory would stay in this thread's heap arena, which the
  // threads that generate code do not use. malloc_trim takes some milliseconds.
  if (layouts.size() >= ManyKernels)
    malloc_trim(0);
  if (!success)
    result = DeviceModule();
  else if (result.module && unit.embedDeviceModules && unit.hostPass)
    result.packed = packBitcode(*result.module);
  promise.set_value(std::move(result));
}

void DevicePass::compile() {
  if (unit.source)
    return compileWith(unit.source->preamble);
  if (automatic && compileWithAutomatic())
    return;
  if (auto own = DevicePCH::find(*invocation, target)) {
    auto written = std::make_shared<CompilerInvocation>(*invocation);
    compileWith(own->path());
    // After messages, compile again from the text.
    if (success && log.entries.empty() &&
        (!result.module || own->suits(*result.module)))
      return;
    reset();
    invocation = std::move(written);
  }
  if (replacePCH(*invocation, log))
    compileWith("");
}

bool DevicePass::compileWithAutomatic() {
  auto ready = automatic->find(*invocation, &target, header);
  if (!ready)
    return false;
  auto written = std::make_shared<CompilerInvocation>(*invocation);
  ReadyHeader::use(*invocation);
  compileWith(invocation->getPreprocessorOpts().ImplicitPCHInclude,
              ready->fileSystem());
  if (success && log.entries.empty() &&
      (!result.module || ready->suits(*result.module))) {
    llvm::append_range(dependencies, ready->dependencies(systemDependencies));
    return true;
  }
  header += ", then parsed";
  reset();
  invocation = std::move(written);
  return false;
}

void DevicePass::reset() {
  DiagnosticLog fresh;
  fresh.sarif = log.sarif;
  log = std::move(fresh);
  success = false;
  result.module.reset(); // before its context
  result = DeviceModule();
  layouts = KernelTable();
  records = RecordLayouts();
  dependencies.clear();
}

void DevicePass::compileWith(
    const std::string &precompiled,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  invocation->getPreprocessorOpts().ImplicitPCHInclude = precompiled;
  CompilerInstance ci(invocation, moduleFormats());
  std::unique_ptr<DiagnosticConsumer> consumer =
      makeLoggingConsumer(log, invocation->getDiagnosticOpts());
  auto headers = std::make_shared<DeviceHeaders>(systemDependencies);
  ci.addDependencyCollector(headers);
  prepareForDevice(ci, unit, target, *consumer, std::move(files));

  result.target = &target;
  result.context = std::make_unique<llvm::LLVMContext>();
  CompileLimit::watch(*result.context);
  result.context->setDiscardValueNames(
      invocation->getCodeGenOpts().DiscardValueNames);
  std::vector<FoundKernel> found;
  std::vector<HostEntry> hostFunctions;
  GeneratedCalls generated;
  LinkNotes notes;
  std::vector<std::pair<std::string, std::string>> generatedNames;
  bool anything = false;
  CodeGenAction *codegen = nullptr;
  StructTypes byAddress;
  WrittenPlaces places(*invocation);
  WithKernels<EmitLLVMOnlyAction> action(
      [&](Sema &sema, const SeenUnit &seen) {
        places.use(sema.getASTContext());
        found = unit.source ? findSourceKernels(sema, seen, unit.warnings,
                                                unique, *unit.source)
                            : findKernels(sema, seen.calls, seen.pointers,
                                          jitRootsOf(seen, unit),
                                          LaunchDiagnostics::None,
                                          unit.warnings, unique);
        if (unit.program && rejectLaunches(sema, found))
          return;
        if (compiledAsHost(unit, target)) {
          anything = true; // code is generated as it is parsed
          return;
        }
        if (!checkModules(ci, sema, target, found) ||
            !reportUninstrumented(sema, uninstrumented, target, unit.warnings,
                                  found))
          return;
        anything = emitReachable(
            sema, seen.decls, found, target,
            unit.hostCalls ? &generated : nullptr, unit.exports, unit.program,
            notes, *codegen->getCodeGenerator(), unit.warnings, records);
        if (anything && ci.getTarget().getTriple().isGPU())
          byAddress = passedByAddress(sema.getASTContext(),
                                      *codegen->getCodeGenerator());
        for (auto [function, stub] : generated)
          generatedNames.push_back({codegen->getCodeGenerator()
                                        ->GetMangledName(GlobalDecl(stub))
                                        .str(),
                                    codegen->getCodeGenerator()
                                        ->GetMangledName(GlobalDecl(function))
                                        .str()});
        hostFunctions = hostEntries(sema, unique);
        for (HostEntry &entry : hostFunctions)
          entry.irName = codegen->getCodeGenerator()
                             ->GetMangledName(GlobalDecl(entry.decl))
                             .str();
        for (FoundKernel &kernel : found)
          kernel.info.irName = codegen->getCodeGenerator()
                                   ->GetMangledName(GlobalDecl(kernel.body))
                                   .str();
      },
      [] { return true; }, result.context.get());
  codegen = &action;
  success = ci.ExecuteAction(action) && !log.hasErrors();
  if (success && anything)
    take(action, found, hostFunctions, notes, byAddress);
  if (result.module)
    for (const auto &[stub, function] : generatedNames)
      if (llvm::Function *made = result.module->getFunction(stub)) {
        made->setName(GeneratedPrefix + function);
        made->setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
        made->setComdat(nullptr);
        // Keep it until the link knows whether another unit defines the
        // function.
        llvm::appendToUsed(*result.module, {made});
      }
  dependencies.assign(headers->getDependencies().begin(),
                      headers->getDependencies().end());
  layouts = result.kernels;
  if (success && result.module && !unit.saveTempsPrefix.empty())
    saveModule(*result.module,
               unit.saveTempsPrefix + "-" + target.triple() + ".bc", log);
}

/// Removes nounwind from functions that were compiled without exceptions.
/// Exceptions of other units pass through them, as on the host, where all
/// frames have tables. Callers that catch such an exception need the call to be
/// able to throw.
static void letExceptionsPass(llvm::Module &module,
                              const CompilerInvocation &invocation) {
  if (invocation.getLangOpts().Exceptions)
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.removeFnAttr(llvm::Attribute::NoUnwind);
}

/// Removes what Clang's SYCL device mode adds and plain C++ does not need.
static void cleanUp(llvm::Module &module, bool asHost) {
  // xcc's annotations are no longer needed. With arguments they are invalid IR
  // if constants have an address space of their own.
  if (llvm::GlobalVariable *list =
          module.getNamedGlobal("llvm.global.annotations"))
    list->eraseFromParent();
  dropSpentAnnotations(module);
  if (asHost)
    return;
  // Keep only what kernels reach.
  for (llvm::StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
}

/// Shortens code of a unit that only exports. It stays in the object until a
/// kernel reaches it, which seldom happens, and variables in memory are a third
/// of it. The passes keep the control flow that kernels rely on, such as
/// reconvergence points. A unit with kernels is not shortened.
static void shorten(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasOptNone())
      passes.run(function, functions);
}

void DevicePass::take(CodeGenAction &action, std::vector<FoundKernel> &found,
                      llvm::ArrayRef<HostEntry> hostFunctions,
                      const LinkNotes &notes, const StructTypes &byAddress) {
  result.module = action.takeModule();
  if (!result.module) {
    success = false;
    return;
  }
  result.module->setSourceFileName(
      writtenPath(*invocation, result.module->getSourceFileName()));
  fixBitElements(*result.module);
  passByAddress(*result.module, byAddress);
  notes.write(*result.module);
  numberHostEntries(*result.module, hostFunctions);
  cleanUp(*result.module, compiledAsHost(unit, target));
  lowerDynamicShared(*result.module);
  markRecovery(*result.module, *invocation);
  markCoverage(*result.module, *invocation);
  letExceptionsPass(*result.module, *invocation);
  target.finishPass(*result.module, unit.given);
  for (FoundKernel &kernel : found) {
    llvm::Function *entry = result.module->getFunction(kernel.info.irName);
    if (!entry || entry->isDeclaration()) {
      log.error(internalError("no device code was made for kernel '" +
                              kernel.info.name + "'"));
      success = false;
      continue;
    }
    entry->setName(kernel.info.symbol);
    entry->setLinkage(kernel.info.external
                          ? llvm::GlobalValue::WeakODRLinkage
                          : llvm::GlobalValue::ExternalLinkage);
    if (entry->hasComdat() && !kernel.info.external)
      entry->setComdat(nullptr);
    kernel.info.irName = kernel.info.symbol;
    target.markEntry(*result.module, kernel.info);
    result.kernels.push_back(kernel.info);
  }
  if (success && found.empty() && unit.embedDeviceModules &&
      !compiledAsHost(unit, target))
    shorten(*result.module);
}

} // namespace xcc
