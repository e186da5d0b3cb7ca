//===-- Pass.cpp - One translation unit through the host and device passes -===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pass.h"
#include "Dependencies.h"
#include "Embed.h"
#include "HostLowering.h"
#include "KernelFinder.h"
#include "Profiling.h"
#include "Reachability.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/Utils.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Support/thread.h"
#include <mutex>

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// Begins each pass's text in what -E prints.
constexpr llvm::StringLiteral PassMarker = "# 1 \"<xcc pass: ";

/// Clang's own choice for the threads it parses on.
constexpr unsigned StackBytes = 8 << 20;

//===----------------------------------------------------------------------===//
// What both passes share
//===----------------------------------------------------------------------===//

/// What the consumer below saw of a translation unit.
struct SeenUnit {
  std::vector<Decl *> decls;     ///< in the order they reach code generation
  std::vector<KernelCall> calls; ///< that name kernels
};

/// Collects declarations and calls on their way to code generation and, once
/// the last template is instantiated, hands them to `atEnd`.
class EndConsumer : public SemaConsumer {
public:
  using Callback = std::function<void(Sema &, const SeenUnit &)>;
  EndConsumer(Callback atEnd, std::function<bool()> enabled)
      : atEnd(std::move(atEnd)), enabled(std::move(enabled)) {}

  void InitializeSema(Sema &s) override { sema = &s; }
  void ForgetSema() override { sema = nullptr; }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    // Nothing before <xcc/xcc.h> can name a kernel, nor after the end.
    if (!sema || ended || !enabled())
      return true;
    for (Decl *decl : group) {
      seen.decls.push_back(decl);
      collectKernelCalls(sema->getASTContext(), decl, seen.calls);
    }
    return true;
  }
  void HandleTranslationUnit(ASTContext &) override {
    ended = true;
    if (sema)
      atEnd(*sema, seen);
  }

private:
  Callback atEnd;
  std::function<bool()> enabled;
  Sema *sema = nullptr;
  SeenUnit seen;
  bool ended = false;
};

/// A frontend action of Clang's with an EndConsumer before its own consumer.
template <class Base> class WithKernels : public Base {
public:
  template <class... A>
  explicit WithKernels(EndConsumer::Callback atEnd,
                       std::function<bool()> enabled, A &&...args)
      : Base(std::forward<A>(args)...), atEnd(std::move(atEnd)),
        enabled(std::move(enabled)) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci,
                                                 StringRef file) override {
    std::unique_ptr<ASTConsumer> own = Base::CreateASTConsumer(ci, file);
    if (!own)
      return nullptr;
    std::vector<std::unique_ptr<ASTConsumer>> list;
    list.push_back(std::make_unique<EndConsumer>(atEnd, enabled));
    list.push_back(std::move(own));
    return std::make_unique<MultiplexConsumer>(std::move(list));
  }

private:
  EndConsumer::Callback atEnd;
  std::function<bool()> enabled;
};

/// Distinguishes the internal kernels of different translation units: a hash
/// of the file and of everything that can change what it means.
std::string uniqueSuffix(const TranslationUnit &unit,
                         const CompilerInvocation &invocation) {
  std::string text;
  for (const FrontendInputFile &input :
       invocation.getFrontendOpts().Inputs)
    if (input.isFile()) {
      llvm::SmallString<128> path(input.getFile());
      llvm::sys::fs::make_absolute(path);
      text += path.str();
      text += '\0';
    }
  for (const auto &macro : invocation.getPreprocessorOpts().Macros)
    text += macro.first + (macro.second ? "U" : "D");
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
}

/// The invocation that the unit's -cc1 arguments spell; null after an error.
std::shared_ptr<CompilerInvocation> hostInvocation(const TranslationUnit &unit,
                                                   DiagnosticLog &log) {
  std::vector<const char *> args;
  for (const std::string &arg : unit.cc1Args)
    args.push_back(arg.c_str());
  DiagnosticOptions options;
  auto early = makeLoggingConsumer(log, options);
  DiagnosticsEngine diags(DiagnosticIDs::create(), options, early.get(),
                          /*ShouldOwnClient=*/false);
  auto invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*invocation, args, diags,
                                          unit.clangPath.c_str()))
    return nullptr;
  if (unit.standardInput)
    for (FrontendInputFile &input : invocation->getFrontendOpts().Inputs)
      if (input.isFile() && input.getFile() == "-")
        input = FrontendInputFile(unit.standardInput->getMemBufferRef(),
                                  input.getKind(), input.isSystem());
  return invocation;
}

/// Keeps a module as it leaves a front end (-save-temps).
void saveModule(const llvm::Module &module, const llvm::Twine &path) {
  std::error_code error;
  llvm::raw_fd_ostream os(path.str(), error);
  if (!error)
    llvm::WriteBitcodeToFile(module, os);
}

//===----------------------------------------------------------------------===//
// Device passes
//===----------------------------------------------------------------------===//

/// The host's invocation, changed into a device pass of `target`.
std::shared_ptr<CompilerInvocation>
deviceInvocation(const CompilerInvocation &host, const TranslationUnit &unit,
                 const Target &target) {
  auto invocation = std::make_shared<CompilerInvocation>(host);
  LangOptions &lang = invocation->getLangOpts();
  // Generates only what device entry points reach, and defers diagnostics of
  // host-only constructs until a function is known to be reachable.
  lang.SYCLIsDevice = true;
  lang.Sanitize.clear();
  lang.setStackProtector(LangOptions::SSPOff);
  lang.PICLevel = 2;
  lang.PIE = 0;
  lang.ThreadsafeStatics = false;

  PreprocessorOptions &pp = invocation->getPreprocessorOpts();
  pp.addMacroUndef("__SYCL_DEVICE_ONLY__");
  pp.addMacroDef("__XCC_DEVICE_PASS__=1");

  CodeGenOptions &codegen = invocation->getCodeGenOpts();
  codegen.DisableLLVMPasses = true;
  codegen.ClearASTBeforeBackend = false;
  codegen.SanitizeRecover.clear();
  codegen.SanitizeTrap.clear();
  codegen.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileNone);
  codegen.CoverageMapping = false;
  codegen.XRayInstrumentFunctions = false;
  codegen.InstrumentFunctions = false;
  codegen.StackClashProtector = false;
  codegen.RelocationModel = llvm::Reloc::PIC_;
  codegen.SaveTempsFilePrefix.clear();
  codegen.DwarfDebugFlags.clear();
  codegen.SplitDwarfFile.clear();
  codegen.TimePasses = false;
  // Kernels are optimised even where the host, by default, is not.
  if (!unit.explicitOptLevel && codegen.OptimizationLevel == 0) {
    codegen.OptimizationLevel = 3;
    codegen.setInlining(CodeGenOptions::NormalInlining);
    codegen.DisableO0ImplyOptNone = true;
  }

  FrontendOptions &frontend = invocation->getFrontendOpts();
  frontend.ProgramAction = frontend::EmitLLVMOnly;
  frontend.OutputFile.clear();
  frontend.StatsFile.clear();
  frontend.TimeTracePath.clear();
  invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  invocation->getDiagnosticOpts().DiagnosticSerializationFile.clear();
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  invocation->getHeaderSearchOpts().Verbose = false;

  invocation->getTargetOpts().HostTriple = host.getTargetOpts().Triple;
  frontend.AuxTriple = host.getTargetOpts().Triple;
  target.adjustInvocation(*invocation);
  return invocation;
}

/// One device pass, on its own thread.
class DevicePass {
public:
  DevicePass(const TranslationUnit &unit, const Target &target,
             const CompilerInvocation &host, std::string unique)
      : target(target), unit(unit), unique(std::move(unique)),
        systemDependencies(
            host.getDependencyOutputOpts().IncludeSystemHeaders),
        invocation(deviceInvocation(host, unit, target)) {}
  ~DevicePass() { wait(); }

  void start() {
    thread = std::make_unique<llvm::thread>(std::optional<unsigned>(StackBytes),
                                            [this] { run(); });
  }
  /// Blocks until the pass has ended; its results may be read afterwards.
  void wait() {
    std::lock_guard<std::mutex> lock(joining);
    if (thread)
      thread->join();
    thread.reset();
  }

  const Target &target;
  bool success = false;
  DeviceModule result;
  KernelTable layouts; ///< stays when the module is handed on
  DiagnosticLog log;
  std::vector<std::string> dependencies;

private:
  const TranslationUnit &unit;
  std::string unique;
  bool systemDependencies;
  std::shared_ptr<CompilerInvocation> invocation;
  std::unique_ptr<llvm::thread> thread;
  std::mutex joining;

  void run() {
    CompilerInstance ci(invocation);
    ci.createVirtualFileSystem();
    ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    std::unique_ptr<DiagnosticConsumer> consumer =
        makeLoggingConsumer(log, invocation->getDiagnosticOpts());
    ci.createDiagnostics(consumer.get(), /*ShouldOwnClient=*/false);
    auto headers = std::make_shared<DeviceHeaders>(systemDependencies);
    ci.addDependencyCollector(headers);

    result.target = &target;
    result.context = std::make_unique<llvm::LLVMContext>();
    result.context->setDiscardValueNames(
        invocation->getCodeGenOpts().DiscardValueNames);
    std::vector<FoundKernel> found;
    bool anything = false;
    CodeGenAction *codegen = nullptr;
    WithKernels<EmitLLVMOnlyAction> action(
        [&](Sema &sema, const SeenUnit &seen) {
          found = findKernels(sema, seen.calls, /*diagnose=*/false, unique);
          anything = emitReachable(sema, seen.decls, found, target);
          for (FoundKernel &kernel : found)
            kernel.info.irName = codegen->getCodeGenerator()
                                     ->GetMangledName(GlobalDecl(kernel.entry))
                                     .str();
        },
        [] { return true; }, result.context.get());
    codegen = &action;
    success = ci.ExecuteAction(action) && !log.hasErrors();
    if (success && anything)
      take(action, found);
    dependencies.assign(headers->getDependencies().begin(),
                        headers->getDependencies().end());
    layouts = result.kernels;
    if (success && result.module && !unit.saveTempsPrefix.empty())
      saveModule(*result.module,
                 unit.saveTempsPrefix + "-" + target.triple() + ".bc");
    if (success && result.module && unit.whenDeviceReady)
      unit.whenDeviceReady(result);
  }

  void take(EmitLLVMOnlyAction &action, std::vector<FoundKernel> &found) {
    result.module = action.takeModule();
    if (!result.module) {
      success = false;
      return;
    }
    for (FoundKernel &kernel : found) {
      llvm::Function *entry = result.module->getFunction(kernel.info.irName);
      if (!entry || entry->isDeclaration()) {
        log.error("internal error: no device code was made for kernel '" +
                  kernel.info.name + "'; please report this");
        success = false;
        continue;
      }
      entry->setName(kernel.info.symbol);
      entry->setLinkage(kernel.info.external ? llvm::GlobalValue::WeakODRLinkage
                                             : llvm::GlobalValue::ExternalLinkage);
      if (entry->hasComdat() && !kernel.info.external)
        entry->setComdat(nullptr);
      kernel.info.irName = kernel.info.symbol;
      target.markEntry(*result.module, kernel.info);
      result.kernels.push_back(kernel.info);
    }
  }
};

/// Starts the device passes when the host pass enters <xcc/xcc.h>.
class StartOnHeader : public PPCallbacks {
public:
  explicit StartOnHeader(std::function<void()> start)
      : start(std::move(start)) {}
  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool,
                          CharSourceRange, OptionalFileEntryRef, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (start && (name.ends_with("xcc/xcc.h") || name.ends_with("xcc/launch.h")))
      std::exchange(start, nullptr)();
  }

private:
  std::function<void()> start;
};

//===----------------------------------------------------------------------===//
// The host pass
//===----------------------------------------------------------------------===//

class HostPass {
public:
  HostPass(const TranslationUnit &unit, TranslationUnitResult &result)
      : unit(unit), result(result) {}

  void run() {
    if (!makeInvocation())
      return;
    CompilerInstance ci(invocation);
    ci.createVirtualFileSystem();
    ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    consumer = makeLoggingConsumer(result.log, invocation->getDiagnosticOpts());
    ci.createDiagnostics(consumer.get(), /*ShouldOwnClient=*/false);
    dependencies = DependencyFile::takeOver(ci);
    invocation->getCodeGenOpts().PassBuilderCallbacks.push_back(
        [this](llvm::PassBuilder &builder) {
          builder.registerPipelineStartEPCallback(
              [this](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
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
    result.success = hostOK && devicesOK && compareLayouts() &&
                     !result.log.hasErrors();
    if (result.success && dependencies) {
      if (!devices.empty())
        headers.insert(headers.end(), unit.extraDependencies.begin(),
                       unit.extraDependencies.end());
      result.success = dependencies->write(headers, result.log);
    }
    if (!result.success && !output.empty() && output != "-")
      llvm::sys::fs::remove(output);
    for (auto &device : devices)
      if (device->result.module)
        result.devices.push_back(std::move(device->result));
  }

private:
  const TranslationUnit &unit;
  TranslationUnitResult &result;
  std::shared_ptr<CompilerInvocation> invocation;
  std::unique_ptr<DiagnosticConsumer> consumer;
  std::vector<std::unique_ptr<DevicePass>> devices;
  std::shared_ptr<DependencyFile> dependencies;
  std::string unique, output;

  bool makeInvocation() {
    invocation = hostInvocation(unit, result.log);
    if (!invocation)
      return false;
    output = invocation->getFrontendOpts().OutputFile;
    unique = uniqueSuffix(unit, *invocation);
    return refuseSeveralPasses();
  }

  /// What -E printed of several passes is for tools to read; compiled, it would
  /// define everything twice.
  bool refuseSeveralPasses() {
    for (const FrontendInputFile &input : invocation->getFrontendOpts().Inputs) {
      if (!input.isFile() || !input.getKind().isPreprocessed())
        continue;
      auto text = llvm::MemoryBuffer::getFileSlice(input.getFile(),
                                                   PassMarker.size(), 0);
      if (!text || (*text)->getBuffer() != PassMarker)
        continue;
      result.log.error("'" + input.getFile() +
                       "' holds the preprocessed text of several passes, which "
                       "cannot be compiled; compile the source file itself");
      return false;
    }
    return true;
  }

  void startDevices() {
    if (!unit.devicePass || !devices.empty())
      return;
    for (const Target *target : unit.targets) {
      devices.push_back(std::make_unique<DevicePass>(unit, *target, *invocation,
                                                     unique));
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
    auto atEnd = [this](Sema &sema, const SeenUnit &seen) {
      if (!sawHeader) {
        refuseHiddenKernels(sema);
        return;
      }
      for (FoundKernel &kernel :
           findKernels(sema, seen.calls, /*diagnose=*/true, unique)) {
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
      WithKernels<SyntaxOnlyAction> check(atEnd, [this] { return sawHeader; });
      return executeAction(ci, check);
    }
    default:
      // Preprocessing, modules and the like are Clang's own business.
      return ExecuteCompilerInvocation(&ci);
    }
  }

  CodeGenAction *action = nullptr;
  bool sawHeader = false;

  /// Preprocessed text and precompiled headers hold what the host pass saw of
  /// <xcc/xcc.h>; a device pass over it would be the wrong program.
  void refuseHiddenKernels(Sema &sema) {
    if (!unit.devicePass || unit.targets.empty() || !usesLaunch(sema))
      return;
    DiagnosticsEngine &diags = sema.getDiagnostics();
    diags.Report(diags.getCustomDiagID(
        DiagnosticsEngine::Error,
        "kernels in preprocessed input or behind a precompiled header cannot "
        "be compiled for a device: one pass's text is not another's"));
    diags.Report(diags.getCustomDiagID(
        DiagnosticsEngine::Note,
        "compile the source file itself, and include <xcc/xcc.h> in it rather "
        "than in the precompiled header"));
  }

  /// -mllvm options are LLVM's globals: set before any pass runs.
  void applyLLVMArgs() {
    const std::vector<std::string> &given = invocation->getFrontendOpts().LLVMArgs;
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
        atEnd, [this] { return sawHeader; }, &context);
    action = &codegenAction;
    bool ok = executeAction(ci, codegenAction);
    action = nullptr;
    return ok;
  }

  /// Adds the header trigger to an action and runs it.
  bool executeAction(CompilerInstance &ci, FrontendAction &frontendAction) {
    struct Trigger : DependencyCollector {
      std::function<void()> start;
      void attachToPreprocessor(Preprocessor &pp) override {
        pp.addPPCallbacks(std::make_unique<StartOnHeader>(start));
      }
    };
    auto trigger = std::make_shared<Trigger>();
    trigger->start = [this] {
      sawHeader = true;
      startDevices();
    };
    ci.addDependencyCollector(trigger);
    return ci.ExecuteAction(frontendAction);
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
    lowerHostKernels(module, result.kernels);
    if (!unit.saveTempsPrefix.empty())
      saveModule(module, unit.saveTempsPrefix + ".bc");
    if (!unit.embedDeviceModules)
      return;
    for (auto &device : devices) {
      device->wait();
      if (device->success && device->result.module)
        embedForLink(module, packModule(device->target, *device->result.module,
                                        result.kernels));
    }
  }

  /// Both passes must agree on every kernel; if they do not, a header gave
  /// them different code.
  bool compareLayouts() {
    if (!unit.hostPass)
      return true;
    for (auto &device : devices) {
      for (const Kernel &host : result.kernels) {
        const Kernel *other = nullptr;
        for (const Kernel &kernel : device->layouts)
          if (kernel.symbol == host.symbol)
            other = &kernel;
        std::string difference =
            other ? layoutDifference(host, *other)
                  : "the device pass does not see it";
        if (difference.empty())
          continue;
        result.log.error("kernel '" + host.name + "' (" + host.file + ":" +
                         llvm::Twine(host.line) +
                         ") differs between host and device: " + difference +
                         "; is its type defined differently under some macro?");
        return false;
      }
    }
    return true;
  }
};

/// Preprocesses with one pass: its text to `out`, or none if `out` is null.
bool preprocess(std::shared_ptr<CompilerInvocation> invocation,
                llvm::raw_ostream *out, DiagnosticLog &log,
                std::shared_ptr<DependencyCollector> headers,
                std::function<void()> atHeader) {
  CompilerInstance ci(invocation);
  ci.createVirtualFileSystem();
  ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  auto consumer = makeLoggingConsumer(log, invocation->getDiagnosticOpts());
  ci.createDiagnostics(consumer.get(), /*ShouldOwnClient=*/false);
  invocation->getFrontendOpts().OutputFile.clear();
  invocation->getFrontendOpts().ProgramAction = frontend::PrintPreprocessedInput;
  if (headers)
    ci.addDependencyCollector(headers);

  struct Trigger : DependencyCollector {
    std::function<void()> start;
    void attachToPreprocessor(Preprocessor &pp) override {
      pp.addPPCallbacks(std::make_unique<StartOnHeader>(start));
    }
  };
  auto trigger = std::make_shared<Trigger>();
  trigger->start = std::move(atHeader);
  ci.addDependencyCollector(trigger);

  class Action : public PreprocessorFrontendAction {
  public:
    explicit Action(llvm::raw_ostream *out) : out(out) {}
    void ExecuteAction() override {
      CompilerInstance &ci = getCompilerInstance();
      llvm::raw_null_ostream none;
      DoPrintPreprocessedInput(ci.getPreprocessor(), out ? out : &none,
                               ci.getPreprocessorOutputOpts());
    }
    bool hasPCHSupport() const override { return true; }

  private:
    llvm::raw_ostream *out;
  };
  Action action(out);
  return ci.ExecuteAction(action) && !log.hasErrors();
}

} // namespace

bool preprocessAll(const TranslationUnit &unit, llvm::raw_ostream &out,
                   DiagnosticLog &log) {
  std::shared_ptr<CompilerInvocation> host = hostInvocation(unit, log);
  if (!host)
    return false;
  // -M wants the names of the headers only.
  bool wantsText =
      host->getFrontendOpts().ProgramAction != frontend::RunPreprocessorOnly;
  const DependencyOutputOptions asked = host->getDependencyOutputOpts();
  std::shared_ptr<DependencyFile> dependencies;
  if (!asked.OutputFile.empty() && !asked.Targets.empty())
    dependencies = std::make_shared<DependencyFile>(asked);
  host->getDependencyOutputOpts().OutputFile.clear();

  std::string text;
  llvm::raw_string_ostream os(text);
  bool sawHeader = false;
  if (!preprocess(host, wantsText ? &os : nullptr, log, dependencies,
                  [&] { sawHeader = true; }))
    return false;
  // A file that asks for no device pass preprocesses as with Clang.
  bool devices = sawHeader && unit.devicePass && !unit.targets.empty();
  if (unit.hostPass) {
    if (devices && wantsText)
      out << PassMarker << "host>\"\n";
    out << text;
  }
  std::vector<std::string> more;
  if (devices)
    for (const Target *target : unit.targets) {
      if (wantsText)
        out << PassMarker << target->triple() << ">\"\n";
      DiagnosticLog deviceLog;
      auto headers = std::make_shared<DeviceHeaders>(asked.IncludeSystemHeaders);
      bool ok = preprocess(deviceInvocation(*host, unit, *target),
                           wantsText ? &out : nullptr, deviceLog, headers,
                           nullptr);
      log.merge(deviceLog);
      if (!ok)
        return false;
      more.insert(more.end(), headers->getDependencies().begin(),
                  headers->getDependencies().end());
    }
  if (devices) {
    // Caches read the names of files from line markers: what a device pass
    // depends on besides its headers is seen to change.
    if (wantsText)
      for (const std::string &file : unit.extraDependencies)
        out << "# 1 \"" << file << "\"\n";
    more.insert(more.end(), unit.extraDependencies.begin(),
                unit.extraDependencies.end());
  }
  return !dependencies || dependencies->write(more, log);
}

TranslationUnitResult compile(const TranslationUnit &unit) {
  TranslationUnitResult result;
  llvm::thread thread(std::optional<unsigned>(StackBytes),
                      [&] { HostPass(unit, result).run(); });
  thread.join();
  return result;
}

} // namespace xcc
