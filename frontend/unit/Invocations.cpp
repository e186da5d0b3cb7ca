// The compiler invocation of each pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Invocations.h"
#include "AutomaticPCH.h"
#include "CompileLimitHooks.h"
#include "IntrinsicsHeaders.h"
#include "RunTimeSource.h"
#include "cuda/Keywords.h"
#include "cuda/RewrittenFiles.h"
#include "cuda/ToolkitHeaders.h"
#include "kernels/find/WrittenPlaces.h"
#include "support/Files.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/CodeGen/ObjectFilePCHContainerWriter.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {

bool declaresLaunch(StringRef header) {
  return header.ends_with("xcc/xcc.h") || header.ends_with("xcc/launch.h") ||
         header.ends_with("xcc/visit_members.h");
}

namespace {

/// Starts the device passes when the host pass enters <xcc/xcc.h>.
class StartOnHeader : public PPCallbacks {
public:
  explicit StartOnHeader(std::function<void()> start)
      : start(std::move(start)) {}
  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool,
                          CharSourceRange, OptionalFileEntryRef, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (start && declaresLaunch(name))
      std::exchange(start, nullptr)();
  }

private:
  std::function<void()> start;
};

/// Applies a target's settings to the invocation of its device pass.
void apply(const DevicePassSettings &settings, const GivenOptions &given,
           CompilerInvocation &invocation) {
  LangOptions &lang = invocation.getLangOpts();
  CodeGenOptions &codegen = invocation.getCodeGenOpts();
  PreprocessorOptions &pp = invocation.getPreprocessorOpts();
  codegen.RelocationModel = settings.relocation;
  if (settings.ownMachine) {
    TargetOptions &machine = invocation.getTargetOpts();
    machine.Triple = settings.triple;
    machine.CPU.clear();
    machine.TuneCPU.clear();
    machine.ABI.clear();
    machine.FPMath.clear();
    machine.Features.clear();
    machine.FeaturesAsWritten.clear();
    machine.FeatureMap.clear();

    // Math functions do not set errno.
    lang.MathErrno = false;
    lang.PICLevel = lang.PIE = 0;
    lang.Exceptions = lang.CXXExceptions;

    codegen.UnwindTables = 0;
    codegen.setFramePointer(CodeGenOptions::FramePointerKind::None);
    codegen.StackRealignment = false;
    codegen.NoPLT = codegen.DirectAccessExternalData = false;
    codegen.StackProtectorGuard.clear();
    codegen.CodeModel.clear();
    codegen.PreferVectorWidth.clear();
    codegen.CFProtectionBranch = codegen.CFProtectionReturn = false;
    codegen.MergeFunctions = false;
    // For a final class, Clang compares the addresses of vtables instead of
    // calling __dynamic_cast. If variables have an address space of their own,
    // it compares values of two types.
    codegen.AssumeUniqueVTables = false;
  }
  if (settings.convergent)
    lang.ConvergentFunctions = true;
  if (settings.contracts && !given.fpContract)
    lang.setDefaultFPContractMode(LangOptions::FPM_FastHonorPragmas);
  if (settings.linesAlone && codegen.OptimizationLevel &&
      codegen.getDebugInfo() > llvm::codegenoptions::DebugDirectivesOnly)
    codegen.setDebugInfo(llvm::codegenoptions::DebugDirectivesOnly);
  if (settings.codeObjectVersion)
    invocation.getTargetOpts().CodeObjectVersion =
        llvm::CodeObjectVersionKind(*settings.codeObjectVersion);
  for (StringRef macro : settings.defined)
    pp.addMacroDef(macro);
  for (StringRef macro : settings.undefined)
    pp.addMacroUndef(macro);
}

/// Also starts when <xcc/xcc.h> is among the files of a precompiled header, or
/// of a module that -fmodules made of headers.
class StartOnPrecompiled : public ASTReaderListener {
public:
  StartOnPrecompiled(std::function<void()> start,
                     HeaderTrigger::InModule inModule)
      : start(std::move(start)), inModule(std::move(inModule)) {}
  bool needsInputFileVisitation() override { return true; }
  bool needsSystemInputFileVisitation() override { return true; }
  void ReadModuleName(StringRef name) override { module = name.str(); }
  void visitModuleFile(StringRef, serialization::ModuleKind kind) override {
    header = kind == serialization::MK_PCH ||
             kind == serialization::MK_ImplicitModule;
  }
  bool visitInputFile(StringRef file, bool, bool, bool) override {
    if (!declaresLaunch(file))
      return true;
    if (header && start)
      std::exchange(start, nullptr)();
    else if (!header && inModule)
      inModule(module);
    return true;
  }

private:
  std::function<void()> start;
  HeaderTrigger::InModule inModule;
  std::string module;
  bool header = false; ///< not a C++20 module
};

} // namespace

void HeaderTrigger::attachToPreprocessor(Preprocessor &pp) {
  pp.addPPCallbacks(std::make_unique<StartOnHeader>(start));
}

void HeaderTrigger::attachToASTReader(ASTReader &reader) {
  if (asFile)
    reader.addListener(std::make_unique<StartOnPrecompiled>(start, inModule));
}

bool replacePCH(CompilerInvocation &invocation, DiagnosticLog &log) {
  PreprocessorOptions &pp = invocation.getPreprocessorOpts();
  if (pp.ImplicitPCHInclude.empty())
    return true;
  DiagnosticOptions options;
  auto consumer = makeLoggingConsumer(log, options);
  DiagnosticsEngine diags(DiagnosticIDs::create(), options, consumer.get(),
                          /*ShouldOwnClient=*/false);
  FileManager files(invocation.getFileSystemOpts());
  auto formats = moduleFormats();
  const PCHContainerReader *reader =
      formats->getReaderOrNull(invocation.getHeaderSearchOpts().ModuleFormat);
  std::string header =
      reader ? ASTReader::getOriginalSourceFile(pp.ImplicitPCHInclude, files,
                                                *reader, diags)
             : "";
  if (header.empty()) {
    log.error("cannot tell which header '" + pp.ImplicitPCHInclude +
              "' was made of, which kernels are compiled with");
    return false;
  }
  pp.ImplicitPCHInclude.clear();
  pp.PrecompiledPreambleBytes = {0, false};
  pp.Includes.insert(pp.Includes.begin(), header);
  return true;
}

void readFrom(CompilerInvocation &invocation, FrontendInputFile &input,
              llvm::MemoryBuffer &text) {
  PreprocessorOptions &pp = invocation.getPreprocessorOpts();
  pp.RetainRemappedFileBuffers = true;
  pp.addRemappedFile(text.getBufferIdentifier(), &text);
  input = FrontendInputFile(text.getBufferIdentifier(), input.getKind(),
                            input.isSystem());
}

/// Whether a file is compiled as CUDA source (-foffload-cuda).
static bool isCuda(const CompilerInvocation &invocation) {
  return llvm::is_contained(invocation.getPreprocessorOpts().Includes,
                            "xcc/cuda.h");
}

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
  // nvcc includes <cuda_runtime.h> in such files.
  if (unit.cuda && llvm::any_of(invocation->getFrontendOpts().Inputs,
                                [](const FrontendInputFile &input) {
                                  return input.isFile() &&
                                         input.getFile().ends_with(".cu");
                                })) {
    auto &includes = invocation->getPreprocessorOpts().Includes;
    includes.insert(includes.begin(), "xcc/cuda.h");
  }
  if (unit.cuda && isCuda(*invocation)) {
    // In front, so that the user's definitions win.
    auto &macros = invocation->getPreprocessorOpts().Macros;
    for (const char *macro :
         {"__CUDACC__=1", "__NVCC__=1", "__CUDACC_VER_MAJOR__=13",
          "__CUDACC_VER_MINOR__=0"})
      macros.insert(macros.begin(), {macro, /*undefined=*/false});
  }
  if (unit.standardInput)
    for (FrontendInputFile &input : invocation->getFrontendOpts().Inputs)
      if (input.isFile() && input.getFile() == "-")
        readFrom(*invocation, input, *unit.standardInput);
  return invocation;
}

bool compiledAsHost(const TranslationUnit &unit, const Target &target) {
  return unit.program && target.runsHostPrograms();
}

/// OpenMP is for the host's threads. A GPU's pass ignores its directives, but
/// keeps its macro, by which headers choose code.
static void leaveOutOpenMP(CompilerInvocation &invocation) {
  LangOptions &lang = invocation.getLangOpts();
  if (!lang.OpenMP && !lang.OpenMPSimd)
    return;
  if (lang.OpenMP && !lang.OpenMPSimd) {
    const char *macro = lang.OpenMP == 31   ? "_OPENMP=201107"
                        : lang.OpenMP == 40 ? "_OPENMP=201307"
                        : lang.OpenMP == 45 ? "_OPENMP=201511"
                        : lang.OpenMP == 50 ? "_OPENMP=201811"
                        : lang.OpenMP == 52 ? "_OPENMP=202111"
                        : lang.OpenMP == 60 ? "_OPENMP=202411"
                                            : "_OPENMP=202011";
    invocation.getPreprocessorOpts().addMacroDef(macro);
  }
  lang.OpenMP = 0;
  lang.OpenMPSimd = false;
  lang.OpenMPUseTLS = false;
  invocation.getDiagnosticOpts().Warnings.push_back("no-source-uses-openmp");
}

/// Device code has its own link. Only the host's passes for link-time
/// optimisation understand what is added to virtual tables for it.
static void leaveOutLTO(CodeGenOptions &codegen) {
  codegen.PrepareForLTO = codegen.PrepareForThinLTO = false;
  codegen.LTOUnit = codegen.EnableSplitLTOUnit = false;
  codegen.UnifiedLTO = codegen.FatLTO = false;
  codegen.WholeProgramVTables = codegen.VirtualFunctionElimination = false;
  codegen.SanitizeCfiCrossDso = false;
  codegen.ThinLTOIndexFile.clear();
  codegen.ThinLinkBitcodeFile.clear();
}

std::shared_ptr<CompilerInvocation>
deviceInvocation(const CompilerInvocation &host, const TranslationUnit &unit,
                 const Target &target, Uninstrumented *missing) {
  auto invocation = std::make_shared<CompilerInvocation>(host);
  LangOptions &lang = invocation->getLangOpts();
  // In SYCL device mode, Clang generates only what device entries reach. It
  // defers errors about host-only constructs until a function is reachable.
  const bool asHost = compiledAsHost(unit, target);
  lang.SYCLIsDevice = !asHost;
  lang.setStackProtector(LangOptions::SSPOff);
  // Math functions do not set errno, so that they can be vectorised.
  if (!asHost && !unit.given.mathErrno)
    lang.MathErrno = false;
  lang.PICLevel = 2;
  lang.PIE = 0;
  // Types follow the host: a wide integer that no kernel uses must not be an
  // error.
  if (!lang.MaxBitIntWidth)
    lang.MaxBitIntWidth = llvm::IntegerType::MAX_INT_BITS;
  if (!asHost)
    lang.ThreadsafeStatics = true;

  PreprocessorOptions &pp = invocation->getPreprocessorOpts();
  pp.addMacroUndef("__SYCL_DEVICE_ONLY__");
  pp.addMacroDef("__XCC_DEVICE_PASS__=1");
  const bool cuda =
      !asHost && unit.cuda && isCuda(host) &&
      llvm::none_of(pp.Macros, [](const auto &macro) {
        return StringRef(macro.first).split('=').first == "__CUDA_ARCH__";
      });
  if (llvm::Triple(target.triple()).isGPU())
    leaveOutOpenMP(*invocation);
  // Read headers as text instead of as modules of -fmodules.
  HeaderSearchOptions &search = invocation->getHeaderSearchOpts();
  if (lang.ImplicitModules && search.ImplicitModuleMaps) {
    lang.ImplicitModules = false;
    search.ImplicitModuleMaps = false;
    invocation->getFrontendOpts().ModuleMapFiles.clear();
  }
  // Modules are the host's; DevicePass.cpp decides which can be used.
  if (!invocation->getFrontendOpts().ModuleFiles.empty() ||
      !search.PrebuiltModuleFiles.empty() ||
      !search.PrebuiltModulePaths.empty())
    pp.DisablePCHOrModuleValidation = DisableValidationForModuleKind::All;

  CodeGenOptions &codegen = invocation->getCodeGenOpts();
  codegen.DisableLLVMPasses = true;
  // CUDA programs pass values on that only one lane has set, for a shuffle to
  // read that lane's. An argument that is not set is undefined otherwise.
  if (!asHost && unit.cuda && isCuda(host))
    codegen.EnableNoundefAttrs = false;
  // Frees memory that code generation needs.
  codegen.ClearASTBeforeBackend = true;
  Uninstrumented lost = limitInstrumentation(*invocation,
                                             asHost ? Instrumentable::Nothing
                                             : target.devicePass().instrumented
                                                 ? Instrumentable::All
                                                 : Instrumentable::Checks,
                                             unit.xarchHost);
  if (missing)
    *missing = std::move(lost);
  codegen.XRayInstrumentFunctions = false;
  codegen.StackClashProtector = false;
  if (!asHost) { // calls of host functions at entries and exits
    codegen.InstrumentFunctions = false;
    codegen.InstrumentFunctionsAfterInlining = false;
    codegen.InstrumentFunctionEntryBare = false;
    codegen.InstrumentForProfiling = codegen.CallFEntry = false;
    codegen.MNopMCount = codegen.RecordMCount = false;
    codegen.PatchableFunctionEntryCount = 0;
    codegen.PatchableFunctionEntryOffset = 0;
  }
  leaveOutLTO(codegen);
  codegen.SaveTempsFilePrefix.clear();
  codegen.DwarfDebugFlags.clear();
  codegen.SplitDwarfFile.clear();
  codegen.TimePasses = false;
  // Kernels are optimised even where the host, by default, is not.
  if (!asHost && !unit.given.optLevel && codegen.OptimizationLevel == 0) {
    codegen.OptimizationLevel = 3;
    codegen.setInlining(CodeGenOptions::NormalInlining);
    codegen.DisableO0ImplyOptNone = true;
    codegen.UnrollLoops = codegen.VectorizeLoop = codegen.VectorizeSLP = true;
  }

  FrontendOptions &frontend = invocation->getFrontendOpts();
  frontend.ProgramAction = frontend::EmitLLVMOnly;
  frontend.OutputFile.clear();
  frontend.StatsFile.clear();
  frontend.TimeTracePath.clear();
  // The host pass writes a module's interface.
  frontend.ModuleOutputPath.clear();
  frontend.GenReducedBMI = false;
  invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  invocation->getDiagnosticOpts().DiagnosticSerializationFile.clear();
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  // Functions and variables that only the host uses are not unused.
  if (!asHost)
    for (const char *group : {"no-unused", "no-unneeded-internal-declaration",
                              "no-undefined-internal",
                              // for macros that replace what GPUs lack
                              "no-c++98-compat-pedantic", "no-variadic-macros"})
      invocation->getDiagnosticOpts().Warnings.push_back(group);
  invocation->getHeaderSearchOpts().Verbose = false;

  invocation->getTargetOpts().HostTriple = host.getTargetOpts().Triple;
  frontend.AuxTriple = host.getTargetOpts().Triple;
  // Macros depend on -march= and -m options, and types depend on macros.
  frontend.AuxTargetCPU = host.getTargetOpts().CPU;
  frontend.AuxTargetFeatures = host.getTargetOpts().FeaturesAsWritten;
  apply(target.devicePass(), unit.given, *invocation);
  // Defined only in the text of kernels, as in CUDA: the compute capability
  // that xcc's devices report (tuning.h).
  if (cuda)
    pp.addMacroDef("__CUDA_ARCH__=800");
  return invocation;
}

std::string uniqueSuffix(const TranslationUnit &unit,
                         const CompilerInvocation &invocation) {
  std::string text = unit.cuid;
  for (const FrontendInputFile &input : invocation.getFrontendOpts().Inputs) {
    if (unit.standardInput &&
        input.getFile() == unit.standardInput->getBufferIdentifier()) {
      text += unit.standardInput->getBuffer();
      continue;
    }
    text += '\0' + writtenPath(invocation, input.getFile()) + '\0';
    auto read = unit.source
                    ? unit.source->files->getBufferForFile(input.getFile())
                    : llvm::MemoryBuffer::getFile(input.getFile());
    if (read)
      text += (*read)->getBuffer();
  }
  for (const auto &macro : invocation.getPreprocessorOpts().Macros)
    text += macro.first + (macro.second ? "U" : "D");
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
}

uint64_t textsOf(const SourceManager &sources,
                 llvm::function_ref<bool(FileEntryRef)> counts) {
  // Files come in no particular order, so use a sum.
  uint64_t sum = 0;
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end();
       ++file)
    if (auto buffer = file->second->getBufferIfLoaded())
      if (counts(file->first))
        sum += llvm::xxh3_64bits(buffer->getBuffer());
  return sum;
}

uint64_t unitText(const SourceManager &sources,
                  const CompilerInvocation &invocation,
                  const ReadyHeader *header) {
  uint64_t sum = textsOf(sources, [&](FileEntryRef file) {
    return !header || !header->has(file.getName());
  });
  if (header)
    sum += header->texts();
  const CodeGenOptions &codegen = invocation.getCodeGenOpts();
  if (codegen.hasReducedDebugInfo())
    sum +=
        llvm::xxh3_64bits(writtenPath(invocation, codegen.DebugCompilationDir));
  return sum;
}

void prepareForDevice(CompilerInstance &ci, const TranslationUnit &unit,
                      const Target &target, DiagnosticConsumer &consumer,
                      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  if (unit.source)
    ci.setVirtualFileSystem(unit.source->files);
  else
    ci.createVirtualFileSystem(files ? std::move(files)
                                     : sourceFiles(unit.cuda));
  ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  ci.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
  watchLimits(ci);
  addKeywords(ci);
  if (unit.cuda)
    takePragmas(ci);
  else
    watchToolkit(ci);
  if (target.runsHostAssembly())
    return;
  ci.addDependencyCollector(std::make_shared<IntrinsicsHeaders>(ci));
#if !LLVM_ENABLE_ABI_BREAKING_CHECKS
  // A host register is an error only if a kernel reaches it, which
  // Reachability.cpp checks. Clang with assertions rejects this change of
  // severity.
  ci.getDiagnostics().setSeverity(diag::err_asm_unknown_register_name,
                                  diag::Severity::Ignored, SourceLocation());
#endif
}

void prepareForHost(CompilerInstance &ci, const TranslationUnit &unit,
                    DiagnosticConsumer &consumer,
                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  ci.createVirtualFileSystem(files ? std::move(files) : sourceFiles(unit.cuda));
  ci.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  ci.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
  addKeywords(ci);
  if (unit.cuda)
    takePragmas(ci);
  else
    watchToolkit(ci);
}

std::shared_ptr<PCHContainerOperations> moduleFormats() {
  auto formats = std::make_shared<PCHContainerOperations>();
  formats->registerWriter(std::make_unique<ObjectFilePCHContainerWriter>());
  formats->registerReader(std::make_unique<ObjectFilePCHContainerReader>());
  return formats;
}

void saveModule(const llvm::Module &module, const llvm::Twine &path,
                DiagnosticLog &log) {
  std::string name = path.str();
  if (llvm::Error error = writeFile(name, [&](llvm::raw_ostream &os) {
        llvm::WriteBitcodeToFile(module, os);
      }))
    log.error("cannot write '" + name +
              "': " + llvm::toString(std::move(error)));
}

} // namespace xcc
