// One translation unit through the host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pass.h"
#include "BitElements.h"
#include "Dependencies.h"
#include "DevicePCH.h"
#include "DevicePass.h"
#include "Hints.h"
#include "HostLowering.h"
#include "Invocations.h"
#include "KernelAction.h"
#include "Profiling.h"
#include "cuda/InlinePtx.h"
#include "cuda/Keywords.h"
#include "cuda/RewrittenFiles.h"
#include "cuda/ToolkitHeaders.h"
#include "kernels/Downcasts.h"
#include "kernels/ExportMarks.h"
#include "kernels/GeneratedCalls.h"
#include "kernels/GlobalUse.h"
#include "kernels/HostCode.h"
#include "kernels/HostElements.h"
#include "kernels/InFlight.h"
#include "kernels/KernelFinder.h"
#include "kernels/MappingReport.h"
#include "kernels/Report.h"
#include "kernels/WrittenPlaces.h"
#include "link/Embed.h"
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
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// Whether the device modules go into the host's object.
bool embeds(const TranslationUnit &unit) {
  return unit.embedDeviceModules && unit.hostPass;
}

class HostPass {
public:
  HostPass(const TranslationUnit &unit,
           std::vector<std::promise<DeviceModule>> &promises,
           TranslationUnitResult &result)
      : unit(unit), promises(promises), result(result) {}

  void run() {
    if (!makeInvocation())
      return;
    places.emplace(*invocation);
    CompilerInstance ci(invocation, moduleFormats());
    ci.createVirtualFileSystem(sourceFiles(unit.cuda));
    ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    consumer = makeLoggingConsumer(result.log, invocation->getDiagnosticOpts());
    ci.createDiagnostics(consumer.get(), /*ShouldOwnClient=*/false);
    dependencies = DependencyFile::takeOver(ci);
    addKeywords(ci);
    if (!unit.cuda)
      watchToolkit(ci);
    invocation->getCodeGenOpts().PassBuilderCallbacks.push_back(
        [this](llvm::PassBuilder &builder) {
          builder.registerPipelineStartEPCallback(
              [this](llvm::ModulePassManager &manager,
                     llvm::OptimizationLevel) {
                manager.addPass(Lowering{this});
              });
        });

    bool hostOK = unit.hostPass ? execute(ci) : deviceOnly();
    std::vector<std::string> headers;
    bool devicesOK = true;
    for (auto &device : devices) {
      device->wait();
      // After a host error, a device pass has nothing new to say.
      if (hostOK)
        result.log.merge(device->log);
      devicesOK &= device->success;
      headers.insert(headers.end(), device->dependencies.begin(),
                     device->dependencies.end());
    }
    result.success =
        hostOK && devicesOK && compareLayouts() && !result.log.hasErrors();
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
      removeOutput(serialized); // of another time
    result.log.serialize(serialized);
  }

  /// How many of the targets' passes were started.
  size_t begun() const { return devices.size(); }

private:
  const TranslationUnit &unit;
  std::vector<std::promise<DeviceModule>> &promises;
  TranslationUnitResult &result;
  std::shared_ptr<CompilerInvocation> invocation;
  std::optional<WrittenPlaces> places;
  std::unique_ptr<DiagnosticConsumer> consumer;
  /// Of preprocessed input that has one for each pass.
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> passTexts;
  std::vector<std::unique_ptr<DevicePass>> devices;
  std::vector<std::future<DeviceModule>> modules; ///< to embed
  std::shared_ptr<DependencyFile> dependencies;
  std::string unique, output;
  CodeGenAction *action = nullptr; ///< while it generates code
  bool sawHeader = false;          ///< <xcc/xcc.h>
  std::string headerModule;        ///< that has it
  bool reserved = false;           ///< device code goes behind the object
  std::vector<HostEntry> hostFunctions;
  RecordLayouts records; ///< of classes that kernels may share

  bool makeInvocation() {
    invocation = hostInvocation(unit, result.log);
    if (!invocation)
      return false;
    output = invocation->getFrontendOpts().OutputFile;
    unique = uniqueSuffix(unit, *invocation);
    return takePassTexts();
  }

  /// What -E printed has a text for each pass, which distributed builds compile:
  /// each pass gets its own. False after a message.
  bool takePassTexts() {
    llvm::SmallVectorImpl<FrontendInputFile> &inputs =
        invocation->getFrontendOpts().Inputs;
    if (inputs.size() != 1 || !inputs.front().getKind().isPreprocessed())
      return true;
    std::string name = inputs.front().getFile().str();
    StringRef text;
    std::unique_ptr<llvm::MemoryBuffer> file;
    if (unit.standardInput &&
        name == unit.standardInput->getBufferIdentifier()) {
      text = unit.standardInput->getBuffer();
    } else {
      auto read = llvm::MemoryBuffer::getFile(name);
      if (!read)
        return true; // Clang says why
      file = std::move(*read);
      text = file->getBuffer();
    }
    if (!text.starts_with(PassMarker))
      return true;
    // Nothing tells it from another of that name but its text.
    unique = llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
    const std::string next = "\n" + PassMarker.str();
    while (!text.empty()) {
      auto [part, rest] = text.split(next);
      part.consume_front(PassMarker);
      auto [pass, content] = part.split(">\"\n");
      passTexts[pass] = llvm::MemoryBuffer::getMemBufferCopy(content, name);
      text = rest;
    }
    std::vector<StringRef> wanted;
    if (unit.hostPass)
      wanted.push_back("host");
    if (unit.devicePass)
      for (const Target *target : unit.targets)
        wanted.push_back(target->triple());
    for (StringRef pass : wanted)
      if (!passTexts.contains(pass)) {
        result.log.error("'" + name + "' has no preprocessed text for " + pass +
                         ": preprocess and compile it with the same "
                         "--offload-arch=");
        return false;
      }
    if (unit.hostPass)
      useText(*invocation, "host");
    return true;
  }

  /// Has an invocation compile the text of a pass.
  void useText(CompilerInvocation &of, StringRef pass) const {
    readFrom(of, of.getFrontendOpts().Inputs.front(),
             *passTexts.find(pass)->second);
  }

  void startDevices() {
    if (!unit.devicePass || !devices.empty())
      return;
    if (!hostIsKnown())
      return;
    for (const Target *target : unit.targets) {
      std::promise<DeviceModule> &promise = promises[devices.size()];
      if (embeds(unit))
        modules.push_back(promise.get_future());
      CompilerInvocation own(*invocation);
      if (!passTexts.empty())
        useText(own, target->triple());
      devices.push_back(
          std::make_unique<DevicePass>(unit, *target, own, unique, promise));
      devices.back()->log.sarif = result.log.sarif;
      devices.back()->start();
    }
  }

  bool deviceOnly() {
    startDevices();
    return true;
  }

  bool execute(CompilerInstance &ci) {
    using namespace clang::frontend;
    Profiling profiling(ci);
    ci.LoadRequestedPlugins();
    if (ci.getDiagnostics().hasErrorOccurred())
      return false;
    auto atEnd = [this, &ci](Sema &sema, const SeenUnit &seen) {
      if (!lookForKernels() || refuseOfModule(sema, seen) || !hasHeader())
        return;
      places->use(sema.getASTContext());
      bool gpus = llvm::any_of(unit.targets, [](const Target *target) {
        return !target->sharesHostMemory();
      });
      auto diagnostics = gpus ? LaunchDiagnostics::ErrorsAndMapping
                              : LaunchDiagnostics::Errors;
      std::vector<FoundKernel> kernels =
          findKernels(sema, seen.calls, jitRootsOf(seen, unit), diagnostics,
                      unit.warnings, unique);
      tellText(ci, kernels);
      findDowncasts(sema, kernels, unit.warnings, gpus);
      if (unit.reportMapping)
        reportMapping(sema, kernels, unit.embedDeviceModules);
      if (gpus) {
        checkMapped(sema, seen.mapped, unit.warnings);
        checkHostElements(sema, seen.decls, kernels, unit.warnings);
      }
      checkHostCode(sema, kernels, unit.warnings);
      // A kernel that is left out where it would use such changes none.
      std::vector<FoundKernel> needed;
      llvm::copy_if(kernels, std::back_inserter(needed),
                    [](const FoundKernel &k) { return !k.info.optional; });
      checkGlobals(sema, seen.decls, needed, unit.warnings, unit.exports);
      checkExportMarks(sema, seen.decls);
      if (!kernels.empty())
        checkInFlight(sema, seen.decls, unit.warnings);
      if (!kernels.empty())
        records = allLayouts(sema.getASTContext(), kernels, seen.decls);
      if (unit.hostCalls && !unit.targets.empty()) {
        auto separate = llvm::find_if(unit.targets, [](const Target *target) {
          return !target->sharesHostMemory();
        });
        generateHostEntries(sema, seen.decls, kernels,
                            separate == unit.targets.end()
                                ? *unit.targets.front()
                                : **separate);
      }
      if (action && invocation->getCodeGenOpts().CoverageMapping)
        mapCallOperators(*action->getCodeGenerator(), kernels);
      for (FoundKernel &kernel : kernels) {
        if (action) {
          CodeGenerator *generator = action->getCodeGenerator();
          kernel.info.irName =
              generator->GetMangledName(GlobalDecl(kernel.entry)).str();
          if (kernel.function)
            kernel.info.irFunction =
                generator->GetMangledName(GlobalDecl(kernel.function)).str();
        }
        result.kernels.push_back(std::move(kernel.info));
      }
      hostFunctions = hostEntries(sema, unique);
      refuseWithoutPasses(sema, kernels);
      if (action)
        for (HostEntry &entry : hostFunctions)
          entry.irName = action->getCodeGenerator()
                             ->GetMangledName(GlobalDecl(entry.decl))
                             .str();
    };
    applyLLVMArgs();
    switch (invocation->getFrontendOpts().ProgramAction) {
    case EmitObj:
      return executeCodegen<EmitObjAction>(ci, atEnd);
    case EmitAssembly:
      return executeCodegen<EmitAssemblyAction>(ci, atEnd);
    case EmitBC:
      return executeCodegen<EmitBCAction>(ci, atEnd);
    case EmitLLVM:
      return executeCodegen<EmitLLVMAction>(ci, atEnd);
    case EmitLLVMOnly:
      return executeCodegen<EmitLLVMOnlyAction>(ci, atEnd);
    case EmitCodeGenOnly:
      return executeCodegen<EmitCodeGenOnlyAction>(ci, atEnd);
    case ParseSyntaxOnly: {
      WithKernels<SyntaxOnlyAction> check(atEnd,
                                          [this] { return lookForKernels(); });
      return executeAction(ci, check);
    }
    case GeneratePCH: {
      DevicePCHs devices(unit, *invocation);
      if (!ExecuteCompilerInvocation(&ci))
        return false;
      devices.write();
      return true;
    }
    default:
      // Preprocessing, modules and the like are Clang's own business.
      return ExecuteCompilerInvocation(&ci);
    }
  }

  /// Kernels of the unit's own are told from those of one of the same name and
  /// text that includes other headers.
  void tellText(CompilerInstance &ci, std::vector<FoundKernel> &kernels) {
    if (llvm::all_of(kernels, [](const FoundKernel &kernel) {
          return kernel.info.external;
        }))
      return;
    const uint64_t text = unitText(ci.getSourceManager(), *invocation);
    for (FoundKernel &kernel : kernels)
      if (!kernel.info.external)
        kernel.info.text = text;
  }

  /// What nobody calls on the host has no mapping in the host's object, by which
  /// counts are shown: function objects that are launched alone are made for it.
  static void mapCallOperators(CodeGenerator &generator,
                               llvm::ArrayRef<FoundKernel> kernels) {
    for (const FoundKernel &kernel : kernels)
      if (!kernel.function)
        for (FunctionDecl *call :
             callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
          if (call->isDefined() && !call->isDependentContext())
            generator.GetAddrOfGlobal(GlobalDecl(call),
                                      /*isForDefinition=*/false);
  }

  /// Where there is no device pass, preprocessed text is as good as source.
  bool hasHeader() const { return sawHeader || !unit.devicePass; }
  bool lookForKernels() const { return hasHeader() || !headerModule.empty(); }

  /// Where all there is of <xcc/xcc.h> is the host's, no pass for a device could
  /// read it.
  bool refuseOfModule(Sema &sema, const SeenUnit &seen) {
    if (sawHeader || headerModule.empty() || !unit.devicePass ||
        seen.calls.empty())
      return false;
    const SourceManager &sources = sema.getSourceManager();
    auto isUsers = [&](const KernelCall &call) {
      return !sources.isInSystemHeader(call.call->getExprLoc());
    };
    auto found = llvm::find_if(seen.calls, [&](const KernelCall &call) {
      return isUsers(call) &&
             !sources.isLoadedSourceLocation(call.call->getExprLoc());
    });
    // What a named module defines is its own unit's, what a header unit does
    // this one's.
    const Module *module =
        sema.getPreprocessor().getHeaderSearchInfo().getModuleMap().findModule(
            headerModule);
    if (found == seen.calls.end() && (!module || module->isHeaderUnit()))
      found = llvm::find_if(seen.calls, isUsers);
    if (found == seen.calls.end())
      return false;
    const SourceLocation at = found->call->getExprLoc();
    report(sema, DiagnosticsEngine::Error, at,
           "a kernel cannot be compiled for a device where <xcc/xcc.h> comes "
           "out of the module %0, which was made for the host")
        << headerModule;
    report(sema, DiagnosticsEngine::Note, at,
           "named here; include <xcc/xcc.h>, or a header that does, instead of "
           "importing it");
    return true;
  }

  /// Descriptors are written by a pass.
  void refuseWithoutPasses(Sema &sema, llvm::ArrayRef<FoundKernel> kernels) {
    if (!action || !invocation->getCodeGenOpts().DisableLLVMPasses)
      return;
    for (const FoundKernel &kernel : kernels) {
      report(sema, DiagnosticsEngine::Error, kernel.launch,
             "a kernel's descriptor is written by a pass over LLVM's IR, and "
             "-disable-llvm-passes leaves all of them out");
      report(sema, DiagnosticsEngine::Note, kernel.launch,
             "-O0 optimises nothing; -save-temps keeps the IR as it is before "
             "optimisation");
      return;
    }
    if (!hostFunctions.empty())
      result.log.error("functions that kernels call on the host are registered "
                       "by a pass over LLVM's IR, and -disable-llvm-passes "
                       "leaves all of them out");
  }

  /// Preprocessed text, precompiled modules and ASTs hold what the
  /// host pass saw of <xcc/xcc.h>; a device pass over it would be the wrong
  /// program.
  void refuseHidden(llvm::ArrayRef<std::string> kernels) {
    for (const std::string &kernel : kernels)
      result.log.error(
          "kernel " + kernel +
          " cannot be compiled for a device: what launches it comes out of "
          "preprocessed text, or of a precompiled module or AST, which "
          "one pass made and no other can use" +
          (kernel != kernels.back()
               ? ""
               : "\nnote: compile the source file itself; a module "
                 "that others import can declare what launches "
                 "kernels, and a source file of its own define it"));
  }

  /// -mllvm options are LLVM's globals: set before any pass runs.
  void applyLLVMArgs() {
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

  template <class Action>
  bool executeCodegen(CompilerInstance &ci, EndConsumer::Callback atEnd) {
    llvm::LLVMContext context;
    WithKernels<Action> codegenAction(
        atEnd, [this] { return lookForKernels(); }, &context);
    if (std::is_same_v<Action, EmitObjAction> && embeds(unit)) {
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

  /// Adds the header trigger to an action and runs it.
  bool executeAction(CompilerInstance &ci, FrontendAction &frontendAction) {
    ci.addDependencyCollector(std::make_shared<HeaderTrigger>(
        [this, &ci] {
          sawHeader = true;
          if (StringRef language = foreignLanguage(invocation->getLangOpts());
              !language.empty())
            refuseIn(language, ci);
          else
            startDevices();
        },
        [this](StringRef module) { headerModule = module.str(); }));
    sawHeader |= !passTexts.empty();
    if (unit.exportsAll || !passTexts.empty())
      startDevices();
    return ci.ExecuteAction(frontendAction);
  }

  /// A file that Clang takes for another language by its name, at what it
  /// includes of ours. Nothing more is said of it.
  void refuseIn(StringRef language, CompilerInstance &ci) {
    SourceManager &sm = ci.getSourceManager();
    clang::SourceLocation place;
    if (auto *lexer = static_cast<clang::Lexer *>(
            ci.getPreprocessor().getCurrentFileLexer()))
      place = lexer->getSourceLocation();
    while (place.isValid() && !sm.isInMainFile(place))
      place = sm.getIncludeLoc(sm.getFileID(place));
    clang::DiagnosticsEngine &diags = ci.getDiagnostics();
    diags.Report(place, diags.getCustomDiagID(
                            clang::DiagnosticsEngine::Fatal,
                            "kernels of xcc in a file that is compiled as %0; "
                            "%1"))
        << language << InsteadOfLanguage;
  }

  /// Descriptors and the runtime are laid out for one kind of host.
  bool hostIsKnown() {
    llvm::Triple host(invocation->getTargetOpts().Triple);
    if (host.getArch() == llvm::Triple::x86_64 && host.isOSLinux() &&
        !host.isX32())
      return true;
    result.log.error((sawHeader ? "<xcc/xcc.h>" : "-foffload-export") +
                     llvm::Twine(" is for programs that run on x86-64 Linux, "
                                 "and this one is compiled for ") +
                     host.str());
    return false;
  }

  /// Writes descriptors, and for -c the device modules, into the host module
  /// at the start of its optimisation.
  struct Lowering : llvm::PassInfoMixin<Lowering> {
    HostPass *pass;
    explicit Lowering(HostPass *pass) : pass(pass) {}
    llvm::PreservedAnalyses run(llvm::Module &module,
                                llvm::ModuleAnalysisManager &) {
      pass->lower(module);
      return llvm::PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
  };

  void lower(llvm::Module &module) {
    fixBitElements(module);
    refuseInlinePtx(module);
    refuseHidden(lowerHostKernels(module, result.kernels, unit.devicePass));
    registerHostEntries(module, hostFunctions);
    if (!unit.saveTempsPrefix.empty())
      saveModule(module, unit.saveTempsPrefix + ".bc", result.log);
    if (!unit.embedDeviceModules)
      return;
    bool foreign =
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

  /// The devices saw the same source at the same time.
  std::vector<llvm::SmallString<0>> deviceCode() {
    std::vector<llvm::SmallString<0>> blobs;
    for (std::future<DeviceModule> &future : modules)
      if (DeviceModule device = future.get(); device.module)
        blobs.push_back(packModule(*device.target, device.packed,
                                   result.kernels,
                                   compiledFor(*device.target)));
    return blobs;
  }

  /// An object in the making. The host's code is generated while the devices'
  /// passes go on; what they made is added at its end.
  class ObjectStream : public llvm::raw_svector_ostream {
  public:
    ObjectStream(HostPass &pass, std::unique_ptr<llvm::raw_pwrite_stream> real)
        : raw_svector_ostream(object), pass(pass), real(std::move(real)) {}
    ~ObjectStream() override {
      if (!object.empty() && !pass.modules.empty())
        if (llvm::Error error = fillReserved(object, pass.deviceCode()))
          pass.result.log.error("the object cannot be given device code: " +
                                llvm::toString(std::move(error)));
      *real << str();
    }

  private:
    HostPass &pass;
    std::unique_ptr<llvm::raw_pwrite_stream> real;
    llvm::SmallVector<char, 0> object;
  };

  CompiledFor compiledFor(const Target &target) const {
    CompiledFor how;
    how.archs = unit.archs;
    how.options = keptOptions(target, unit.linkOptions);
    for (const std::string &option : unit.linkOptions)
      if (StringRef(option).starts_with("-O") || option == "-g")
        how.options.push_back(option);
    return how;
  }

  /// Both passes must agree on every kernel; if they do not, a header gave
  /// them different code.
  bool compareLayouts() {
    if (!unit.hostPass)
      return true;
    for (auto &device : devices) {
      llvm::StringMap<const Kernel *> bySymbol;
      for (const Kernel &kernel : device->layouts)
        bySymbol[kernel.symbol] = &kernel;
      for (const Kernel &host : result.kernels) {
        const Kernel *other = bySymbol.lookup(host.symbol);
        std::string difference = other ? layoutDifference(host, *other)
                                       : "the device pass does not see it";
        if (difference.empty())
          continue;
        result.log.error("kernel '" + host.name + "' (" + host.file + ":" +
                         llvm::Twine(host.line) +
                         ") differs between host and device: " + difference +
                         "; is its type defined differently under some macro?");
        return false;
      }
      if (!compareRecords(device->records))
        return false;
    }
    return true;
  }

  /// So must they on every class of which a kernel may be given the host's
  /// objects.
  bool compareRecords(const RecordLayouts &ofDevice) {
    bool same = true;
    for (const auto &[key, device] : ofDevice) {
      auto host = records.find(key);
      if (host == records.end())
        continue;
      std::string difference = layoutDifference(host->second, device);
      if (difference.empty())
        continue;
      result.log.error(
          device.file, device.line, device.column,
          "'" + device.name +
              "' has another layout on a device than on the host, and kernels "
              "are "
              "given the host's objects: " +
              difference +
              "; does it hold a long double or a va_list, or is it defined "
              "differently under some macro?");
      same = false;
    }
    return same;
  }
};

} // namespace

Compilation::Compilation(const TranslationUnit &unit)
    : unit(unit), promises(unit.targets.size()) {}
Compilation::~Compilation() = default;

std::vector<std::future<DeviceModule>> Compilation::devices() {
  std::vector<std::future<DeviceModule>> list;
  if (!embeds(unit))
    for (std::promise<DeviceModule> &promise : promises)
      list.push_back(promise.get_future());
  return list;
}

TranslationUnitResult Compilation::run() {
  TranslationUnitResult result;
  size_t begun = 0;
  llvm::thread thread(std::optional<unsigned>(StackBytes), [&] {
    HostPass host(unit, promises, result);
    host.run();
    begun = host.begun();
  });
  thread.join();
  // Of passes that had no reason to begin.
  for (std::promise<DeviceModule> &promise : llvm::drop_begin(promises, begun))
    promise.set_value({});
  return result;
}

} // namespace xcc
