// The pass over a translation unit for the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostPass.h"
#include "AutomaticPCH.h"
#include "BitElements.h"
#include "DevicePCH.h"
#include "Hints.h"
#include "HostLowering.h"
#include "HostRejections.h"
#include "Invocations.h"
#include "KernelAction.h"
#include "LayoutComparison.h"
#include "Profiling.h"
#include "cuda/InlinePtx.h"
#include "cuda/Keywords.h"
#include "cuda/RewrittenFiles.h"
#include "cuda/ToolkitHeaders.h"
#include "kernels/check/Downcasts.h"
#include "kernels/check/ExportMarks.h"
#include "kernels/check/GlobalUse.h"
#include "kernels/check/HostCode.h"
#include "kernels/check/HostElements.h"
#include "kernels/check/InFlight.h"
#include "kernels/check/MappingReport.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/host/GeneratedCalls.h"
#include "link/Carries.h"
#include "support/Files.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/Sema/Sema.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {

/// The pass that runs lower() at the start of the host module's optimisation.
struct HostPass::Lowering : llvm::PassInfoMixin<Lowering> {
  HostPass *pass;
  explicit Lowering(HostPass *pass) : pass(pass) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    pass->lower(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// The object while it is written. The host's code is generated while the
/// device passes still run; their code is added at the end.
class HostPass::ObjectStream : public llvm::raw_svector_ostream {
public:
  ObjectStream(HostPass &pass, std::unique_ptr<llvm::raw_pwrite_stream> real)
      : raw_svector_ostream(object), pass(pass), real(std::move(real)) {}
  ~ObjectStream() override {
    if (!object.empty() && !pass.modules.empty())
      if (llvm::Error error = fillReserved(object, pass.deviceCode()))
        pass.result.log.error(
            "device code cannot be written into the object: " +
            llvm::toString(std::move(error)));
    *real << str();
  }

private:
  HostPass &pass;
  std::unique_ptr<llvm::raw_pwrite_stream> real;
  llvm::SmallVector<char, 0> object;
};

namespace {

/// Generates call operators that only kernels use. Otherwise the host's object
/// has no coverage mapping for them, and their counts could not be shown.
void mapCallOperators(CodeGenerator &generator,
                      llvm::ArrayRef<FoundKernel> kernels) {
  for (const FoundKernel &kernel : kernels)
    if (!kernel.function)
      for (FunctionDecl *call :
           callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
        if (call->isDefined() && !call->isDependentContext())
          generator.GetAddrOfGlobal(GlobalDecl(call),
                                    /*isForDefinition=*/false);
}

} // namespace

void HostPass::run() {
  if (!makeInvocation())
    return;
  if (texts.empty())
    automatic = AutomaticPCH::forUnit(unit, *invocation);
  const bool hostOK = compile();
  std::vector<std::string> headers;
  const bool devicesOK = waitForDevices(hostOK, headers);
  result.success =
      hostOK && devicesOK && sameLayoutsOnDevices() && !result.log.hasErrors();
  finish(headers);
}

bool HostPass::compile() {
  // The unit includes the header, so the device passes need not wait for that.
  if (automatic || !unit.hostPass)
    startDevices();
  if (automatic && unit.hostPass && compileWithAutomatic())
    return true;
  places.emplace(*invocation);
  CompilerInstance ci(invocation, moduleFormats());
  setUp(ci);
  return !unit.hostPass || execute(ci);
}

bool HostPass::compileWithAutomatic() {
  std::string what;
  ready = automatic->find(*invocation, /*target=*/nullptr, what);
  if (ready) {
    auto written = std::make_shared<CompilerInvocation>(*invocation);
    places.emplace(*invocation);
    ReadyHeader::use(*invocation);
    {
      CompilerInstance ci(invocation, moduleFormats());
      setUp(ci);
      if (dependencies)
        dependencies->begin(invocation->getFrontendOpts().Inputs[0].getFile(),
                            *ready);
      if (!execute(ci) || !result.log.entries.empty()) {
        what += ", then parsed";
        ready.reset();
      }
    }
    if (!ready) {
      reset();
      invocation = std::move(written);
      invocation->getHeaderSearchOpts().Verbose = false; // printed already
    }
  }
  result.header = "host " + what;
  return ready != nullptr;
}

void HostPass::reset() {
  DiagnosticLog fresh;
  fresh.sarif = result.log.sarif;
  result.log = std::move(fresh);
  result.kernels = KernelTable();
  records = RecordLayouts();
  hostFunctions.clear();
  pointedTo.clear();
  dependencies.reset();
  headerModule.clear();
  includesHeader = reserved = false;
}

bool HostPass::makeInvocation() {
  invocation = hostInvocation(unit, result.log);
  if (!invocation)
    return false;
  output = invocation->getFrontendOpts().OutputFile;
  unique = uniqueSuffix(unit, *invocation);
  if (!texts.read(unit, *invocation, result.log))
    return false;
  if (texts.empty())
    return true;
  unique = texts.unique();
  if (unit.hostPass)
    texts.use(*invocation, "host");
  return true;
}

void HostPass::setUp(CompilerInstance &ci) {
  consumer = makeLoggingConsumer(result.log, invocation->getDiagnosticOpts());
  prepareForHost(ci, unit, *consumer, ready ? ready->fileSystem() : nullptr);
  dependencies = DependencyFile::takeOver(ci);
  invocation->getCodeGenOpts().PassBuilderCallbacks.push_back(
      [this](llvm::PassBuilder &builder) {
        builder.registerPipelineStartEPCallback(
            [this](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
              manager.addPass(Lowering{this});
            });
      });
}

void HostPass::startDevices() {
  if (!unit.devicePass || !devices.empty())
    return;
  if (!hostIsKnown(llvm::Triple(invocation->getTargetOpts().Triple),
                   includesHeader ? "<xcc/xcc.h>" : "-foffload-export",
                   result.log))
    return;
  for (const Target *target : unit.targets) {
    std::promise<DeviceModule> &promise = promises[devices.size()];
    if (unit.embeds())
      modules.push_back(promise.get_future());
    CompilerInvocation own(*invocation);
    if (!texts.empty())
      texts.use(own, target->triple());
    devices.push_back(std::make_unique<DevicePass>(unit, *target, own, unique,
                                                   promise, automatic.get()));
    devices.back()->log.sarif = result.log.sarif;
    devices.back()->start();
  }
}

/// Waits, and collects the headers that the device passes read. Returns whether
/// all passes succeeded.
bool HostPass::waitForDevices(bool hostOK, std::vector<std::string> &headers) {
  bool succeeded = true;
  for (auto &device : devices) {
    device->wait();
    // After a host error, a device pass has no new messages.
    if (hostOK)
      result.log.merge(device->log);
    succeeded &= device->success;
    if (!device->header.empty())
      result.header += (result.header.empty() ? "" : "; ") +
                       device->target.triple().str() + " " + device->header;
    headers.insert(headers.end(), device->dependencies.begin(),
                   device->dependencies.end());
  }
  return succeeded;
}

bool HostPass::sameLayoutsOnDevices() {
  return !unit.hostPass || llvm::all_of(devices, [&](const auto &device) {
    return sameLayouts({result.kernels, records},
                       {device->layouts, device->records}, result.log);
  });
}

/// Writes the depfile and serialized diagnostics; removes outputs after an
/// error.
void HostPass::finish(std::vector<std::string> &headers) {
  if (result.success && dependencies) {
    if (!devices.empty())
      headers.insert(headers.end(), unit.extraDependencies.begin(),
                     unit.extraDependencies.end());
    result.success = dependencies->write(headers, result.log);
  }
  if (!result.success && output != "-")
    removeOutput(output);
  const std::string &serialized =
      invocation->getDiagnosticOpts().DiagnosticSerializationFile;
  if (!unit.hostPass && !serialized.empty())
    removeOutput(serialized); // a file from an earlier run
  result.log.serialize(serialized);
}

EndConsumer::Callback HostPass::atEnd(CompilerInstance &ci) {
  return [this, &ci](Sema &sema, const SeenUnit &seen) {
    endOfUnit(ci, sema, seen);
  };
}

void HostPass::endOfUnit(CompilerInstance &ci, Sema &sema,
                         const SeenUnit &seen) {
  if (!collectKernels())
    return;
  // All of <xcc/xcc.h> may come from a module that was compiled for the host.
  if (!includesHeader && !headerModule.empty() && unit.devicePass &&
      !seen.calls.empty() && rejectImported(sema, seen, headerModule))
    return;
  if (!hasHeader())
    return;
  places->use(sema.getASTContext());
  const bool gpus = llvm::any_of(unit.targets, [](const Target *target) {
    return !target->sharesHostMemory();
  });
  std::vector<FoundKernel> kernels = findKernels(
      sema, seen.calls, seen.pointers, jitRootsOf(seen, unit),
      gpus ? LaunchDiagnostics::ErrorsAndMapping : LaunchDiagnostics::Errors,
      unit.warnings, unique);
  setUnitText(ci, kernels);
  checkUnit(sema, seen, kernels, gpus);
  if (!kernels.empty())
    records = allLayouts(sema.getASTContext(), kernels, seen.decls);
  if (unit.hostCalls && !unit.targets.empty())
    generateHostCalls(sema, seen, kernels);
  hostFunctions = hostEntries(sema, unique);
  if (action) {
    nameInIR(kernels);
    if (invocation->getCodeGenOpts().DisableLLVMPasses) {
      rejectWithoutPasses(sema, kernels);
      if (kernels.empty() && !hostFunctions.empty())
        result.log.error("functions that kernels call on the host are "
                         "registered by a pass over LLVM's IR, and "
                         "-disable-llvm-passes leaves all of them out");
    }
  }
  for (FoundKernel &kernel : kernels)
    result.kernels.push_back(std::move(kernel.info));
}

/// Reports errors in the unit's kernels, and effects on the host's data.
void HostPass::checkUnit(Sema &sema, const SeenUnit &seen,
                         std::vector<FoundKernel> &kernels, bool gpus) {
  findDowncasts(sema, kernels, unit.warnings, gpus);
  if (unit.reportMapping)
    reportMapping(sema, kernels, unit.embedDeviceModules);
  if (gpus) {
    checkMapped(sema, seen.mapped, unit.warnings);
    checkHostElements(sema, seen.decls, kernels, unit.warnings);
  }
  checkHostCode(sema, kernels, unit.warnings);
  // An optional kernel is left out if it would use such variables, so it
  // changes none.
  std::vector<FoundKernel> needed;
  llvm::copy_if(kernels, std::back_inserter(needed),
                [](const FoundKernel &k) { return !k.info.optional; });
  checkGlobals(sema, seen.decls, needed, unit.warnings, unit.exports);
  checkExportMarks(sema, seen.decls);
  if (!kernels.empty())
    checkInFlight(sema, seen.decls, unit.warnings);
}

/// -foffload-host-calls: generates the host entries. Targets that share the host's
/// memory can call more functions than the others.
void HostPass::generateHostCalls(Sema &sema, const SeenUnit &seen,
                                 std::vector<FoundKernel> &kernels) {
  std::vector<const Target *> targets;
  for (const bool shared : {false, true}) {
    auto found = llvm::find_if(unit.targets, [&](const Target *target) {
      return target->sharesHostMemory() == shared;
    });
    if (found != unit.targets.end())
      targets.push_back(*found);
  }
  generateHostEntries(sema, seen.decls, kernels, targets);
}

/// Sets the symbols of kernels and host calls in the IR.
void HostPass::nameInIR(std::vector<FoundKernel> &kernels) {
  CodeGenerator &generator = *action->getCodeGenerator();
  if (invocation->getCodeGenOpts().CoverageMapping)
    mapCallOperators(generator, kernels);
  auto nameOf = [&](FunctionDecl *function) {
    return generator.GetMangledName(GlobalDecl(function)).str();
  };
  for (FoundKernel &kernel : kernels) {
    kernel.info.irName = nameOf(kernel.entry);
    if (kernel.function)
      kernel.info.irFunction = nameOf(kernel.function);
    if (kernel.pointedTo)
      pointedTo.insert(kernel.info.irFunction);
  }
  for (HostEntry &entry : hostFunctions)
    entry.irName = nameOf(entry.decl);
}

/// Sets kernel.text, which distinguishes internal kernels of units with the
/// same name and text that include different headers.
void HostPass::setUnitText(CompilerInstance &ci,
                           std::vector<FoundKernel> &kernels) {
  if (llvm::all_of(kernels, [](const FoundKernel &kernel) {
        return kernel.info.external;
      }))
    return;
  const uint64_t text =
      unitText(ci.getSourceManager(), *invocation, ready.get());
  for (FoundKernel &kernel : kernels)
    if (!kernel.info.external)
      kernel.info.text = text;
}

bool HostPass::execute(CompilerInstance &ci) {
  using namespace clang::frontend;
  Profiling profiling(ci);
  ci.LoadRequestedPlugins();
  if (ci.getDiagnostics().hasErrorOccurred())
    return false;
  applyLLVMArgs();
  switch (invocation->getFrontendOpts().ProgramAction) {
  case EmitObj:
    return executeCodegen<EmitObjAction>(ci);
  case EmitAssembly:
    return executeCodegen<EmitAssemblyAction>(ci);
  case EmitBC:
    return executeCodegen<EmitBCAction>(ci);
  case EmitLLVM:
    return executeCodegen<EmitLLVMAction>(ci);
  case EmitLLVMOnly:
    return executeCodegen<EmitLLVMOnlyAction>(ci);
  case EmitCodeGenOnly:
    return executeCodegen<EmitCodeGenOnlyAction>(ci);
  case ParseSyntaxOnly: {
    WithKernels<SyntaxOnlyAction> check(atEnd(ci),
                                        [this] { return collectKernels(); });
    return executeAction(ci, check);
  }
  case GeneratePCH: {
    DevicePCHs headers(unit, *invocation);
    if (!ExecuteCompilerInvocation(&ci))
      return false;
    headers.write();
    return true;
  }
  default:
    // Preprocessing, modules and the like need nothing from xcc.
    return ExecuteCompilerInvocation(&ci);
  }
}

template <class Action> bool HostPass::executeCodegen(CompilerInstance &ci) {
  llvm::LLVMContext context;
  WithKernels<Action> codegenAction(
      atEnd(ci), [this] { return collectKernels(); }, &context);
  if (std::is_same_v<Action, EmitObjAction> && unit.embeds()) {
    reserved = true;
    codegenAction.wrap = [this](auto real) {
      return std::make_unique<ObjectStream>(*this, std::move(real));
    };
  }
  action = &codegenAction;
  bool ok = executeAction(ci, codegenAction);
  action = nullptr;
  return ok;
}

bool HostPass::executeAction(CompilerInstance &ci,
                             FrontendAction &frontendAction) {
  ci.addDependencyCollector(std::make_shared<HeaderTrigger>(
      [this, &ci] { enterHeader(ci); },
      [this](StringRef module) { headerModule = module.str(); },
      /*asFile=*/!ready));
  includesHeader |= !texts.empty();
  if (unit.exportsAll || !texts.empty())
    startDevices();
  return ci.ExecuteAction(frontendAction);
}

/// Called when the source includes <xcc/xcc.h>.
void HostPass::enterHeader(CompilerInstance &ci) {
  includesHeader = true;
  if (StringRef language = foreignLanguage(invocation->getLangOpts());
      !language.empty())
    rejectLanguage(language, ci);
  else
    startDevices();
}

void HostPass::applyLLVMArgs() {
  const std::vector<std::string> &given =
      invocation->getFrontendOpts().LLVMArgs;
  if (given.empty())
    return;
  std::vector<const char *> args = {"xcc (LLVM option parsing)"};
  for (const std::string &arg : given)
    args.push_back(arg.c_str());
  llvm::cl::ResetAllOptionOccurrences();
  llvm::cl::ParseCommandLineOptions(args.size(), args.data());
}

void HostPass::lower(llvm::Module &module) {
  fixBitElements(module);
  rejectInlinePtx(module);
  lowerCarries(module);
  rejectHidden(
      lowerHostKernels(module, result.kernels, pointedTo, unit.devicePass),
      result.log);
  registerHostEntries(module, hostFunctions);
  if (!unit.saveTempsPrefix.empty())
    saveModule(module, unit.saveTempsPrefix + ".bc", result.log);
  if (!unit.embedDeviceModules)
    return;
  const bool foreign =
      invocation->getCodeGenOpts().DisableIntegratedAS &&
      invocation->getFrontendOpts().ProgramAction == frontend::EmitAssembly;
  if (!unit.devicePass && !result.kernels.empty())
    embedForLink(module, packHostOnly(result.kernels), HostOnlySection,
                 foreign);
  if (reserved && !modules.empty()) {
    reserveForLink(module);
    return;
  }
  for (const llvm::SmallString<0> &blob : deviceCode())
    embedForLink(module, blob, OffloadSection, foreign);
}

/// The packed device modules, each with the host's kernel table.
std::vector<llvm::SmallString<0>> HostPass::deviceCode() {
  std::vector<llvm::SmallString<0>> blobs;
  if (embedded.empty())
    for (std::future<DeviceModule> &future : modules)
      embedded.push_back(future.get());
  for (const DeviceModule &device : embedded)
    if (device.module)
      blobs.push_back(packModule(*device.target, device.packed, result.kernels,
                                 compiledFor(*device.target)));
  return blobs;
}

CompiledFor HostPass::compiledFor(const Target &target) const {
  CompiledFor how;
  how.archs = unit.archs;
  how.options = keptOptions(target, unit.linkOptions);
  for (const std::string &option : unit.linkOptions)
    if (StringRef(option).starts_with("-O") || option == "-g")
      how.options.push_back(option);
  return how;
}

} // namespace xcc
