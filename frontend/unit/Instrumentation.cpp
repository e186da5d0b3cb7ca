// Sanitizers, coverage and profiles in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instrumentation.h"
#include "Names.h"
#include "kernels/check/Report.h"
#include "clang/Basic/Sanitizers.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// Checks that Clang generates. On GPUs, the device runtime has the functions
/// that they call.
constexpr SanitizerMask Checks =
    SanitizerKind::Undefined | SanitizerKind::Integer |
    SanitizerKind::ImplicitConversion | SanitizerKind::Nullability |
    SanitizerKind::FloatDivideByZero;
/// Checks that read type information of the host's library.
constexpr SanitizerMask OfTypes = SanitizerKind::Vptr | SanitizerKind::Function;
/// What the CPU device's code can have: the checks, and the two sanitizers of
/// memory that LLVM's passes implement. The allocator finds leaks.
constexpr SanitizerMask Possible =
    Checks | SanitizerKind::Address | SanitizerKind::Thread;
/// Sanitizers that do not change generated code.
constexpr SanitizerMask OfTheProgram =
    SanitizerKind::Leak | SanitizerKind::Scudo | SanitizerKind::FuzzerNoLink;
/// Named as a group in messages.
constexpr SanitizerMask Undefined = SanitizerKind::Undefined;

SanitizerMask maskOf(StringRef list) {
  SanitizerMask mask;
  llvm::SmallVector<StringRef> values;
  list.split(values, ',');
  for (StringRef value : values)
    mask |=
        expandSanitizerGroups(parseSanitizerValue(value, /*AllowGroups=*/true));
  return mask;
}

std::string optionOf(SanitizerMask mask) {
  llvm::SmallVector<StringRef> names;
  if ((mask & Undefined).countPopulation() > 4) {
    names.push_back("undefined");
    mask &= ~Undefined;
  }
  SanitizerSet rest;
  rest.Mask = mask;
  serializeSanitizerSet(rest, names);
  return "-fsanitize=" + llvm::join(names, ",");
}

} // namespace

Uninstrumented limitInstrumentation(CompilerInvocation &device,
                                    Instrumentable what,
                                    const std::vector<std::string> &hostOnly) {
  const bool possible = what == Instrumentable::All;
  LangOptions &lang = device.getLangOpts();
  CodeGenOptions &codegen = device.getCodeGenOpts();
  SanitizerMask asked = lang.Sanitize.Mask & ~OfTheProgram;
  bool arcs =
      codegen.CoverageNotesFile.size() || codegen.CoverageDataFile.size();
  bool counters = codegen.getProfileInstr() !=
                      llvm::driver::ProfileInstrKind::ProfileNone ||
                  codegen.CoverageMapping;
  bool conditions = codegen.MCDCCoverage;
  bool edges = codegen.SanitizeCoverageType ||
               codegen.SanitizeCoverageTracePC ||
               codegen.SanitizeCoverageTracePCGuard ||
               codegen.SanitizeCoverageInline8bitCounters;
  for (StringRef option : hostOnly)
    if (option.consume_front("-fsanitize="))
      asked &= ~maskOf(option);
    else if (option == "--coverage" || option == "-coverage" ||
             option == "-fprofile-arcs" || option == "-ftest-coverage")
      arcs = false;
    else if (option.starts_with("-fprofile-") ||
             option.starts_with("-fcs-profile-") ||
             option == "-fcoverage-mapping")
      counters = false;
    else if (option == "-fcoverage-mcdc")
      conditions = false;
    else if (option.starts_with("-fsanitize-coverage="))
      edges = false;

  Uninstrumented missing;
  llvm::SmallVector<std::string> list;
  if (what == Instrumentable::Checks)
    asked &= ~OfTypes; // parts of -fsanitize=undefined
  lang.Sanitize.Mask =
      asked & (possible                         ? Possible
               : what == Instrumentable::Checks ? Checks
                                                : SanitizerMask());
  if (SanitizerMask lost = asked & ~lang.Sanitize.Mask) {
    list.push_back(optionOf(lost));
    // To the host's code, memory that kernels write would be uninitialised.
    missing.hostAffected =
        possible &&
        bool(lost & (SanitizerKind::Memory | SanitizerKind::KernelMemory));
  }
  if (lang.Sanitize.empty()) {
    codegen.SanitizeRecover.clear();
    codegen.SanitizeTrap.clear();
    codegen.SanitizeMinimalRuntime = false;
  }
  if (arcs && possible) {
    // The host's code has files of the same names, so use others.
    auto own = [](std::string &file) {
      const StringRef extension = llvm::sys::path::extension(file);
      if (!extension.empty())
        file.insert(file.size() - extension.size(), ".cpu");
    };
    own(codegen.CoverageNotesFile);
    own(codegen.CoverageDataFile);
  } else {
    if (arcs)
      list.push_back("--coverage");
    codegen.CoverageNotesFile.clear();
    codegen.CoverageDataFile.clear();
  }
  const bool clangs = codegen.getProfileInstr() ==
                      llvm::driver::ProfileInstrKind::ProfileClangInstr;
  const bool counted = possible && counters && clangs;
  if (!counted) {
    if (counters)
      list.push_back(clangs ? "-fprofile-instr-generate"
                            : "-fprofile-generate");
    codegen.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileNone);
  }
  // Nothing writes the bits of such conditions.
  if (conditions && counted)
    list.push_back("-fcoverage-mcdc");
  codegen.MCDCCoverage = false;
  // The host's object has the same functions and their mapping.
  codegen.CoverageMapping = false;
  if (edges)
    list.push_back("-fsanitize-coverage");
  codegen.SanitizeCoverageType = 0;
  missing.options = llvm::join(list, " ");
  return missing;
}

void markCoverage(llvm::Module &module, const CompilerInvocation &device) {
  const CodeGenOptions &codegen = device.getCodeGenOpts();
  if (codegen.CoverageNotesFile.empty() && codegen.CoverageDataFile.empty())
    return;
  llvm::LLVMContext &context = module.getContext();
  auto text = [&](StringRef of) { return llvm::MDString::get(context, of); };
  module.getOrInsertNamedMetadata(attribute::Coverage)
      ->addOperand(llvm::MDNode::get(
          context,
          {text({codegen.CoverageVersion, sizeof(codegen.CoverageVersion)}),
           text(codegen.ProfileFilterFiles),
           text(codegen.ProfileExcludeFiles)}));
}

void markRecovery(llvm::Module &module, const CompilerInvocation &device) {
  if (device.getLangOpts().Sanitize.has(SanitizerKind::Address) &&
      device.getCodeGenOpts().SanitizeRecover.has(SanitizerKind::Address))
    module.setModuleFlag(llvm::Module::Max, "xcc.asan-recover", 1);
}

bool reportUninstrumented(Sema &sema, const Uninstrumented &missing,
                          const Target &target, const Warnings &warnings,
                          llvm::ArrayRef<FoundKernel> kernels) {
  if (missing.options.empty() || kernels.empty())
    return true;
  Severity severity = Severity::Error;
  if (!missing.hostAffected)
    severity = warnings.of(WarningGroup::Instrumentation, Severity::Warning,
                           sema.getDiagnostics());
  if (severity == Severity::Ignored)
    return true;
  const SourceLocation at = kernels.front().launch;
  if (missing.hostAffected) {
    report(sema, DiagnosticsEngine::Error, at,
           "kernels of the CPU device cannot be compiled with '%0': what they "
           "write would count as uninitialized in the host's code")
        << missing.options;
    report(sema, DiagnosticsEngine::Note, at,
           "launched here; '-fsanitize=address,undefined' and "
           "'-fsanitize=thread' check kernels of the CPU device, valgrind "
           "finds uses of uninitialized memory in them");
    return false;
  }
  const auto level = levelOf(severity);
  const std::string first =
      missing.options.substr(0, missing.options.find(' '));
  if (!target.devicePass().instrumented) {
    report(sema, level, at,
           "kernels are compiled for GPUs without '%0', which code of GPUs "
           "does not support [-Woffload-instrumentation]")
        << missing.options;
    report(
        sema, DiagnosticsEngine::Note, at,
        "launched here; '-Xarch_host %0' asks for it in the host's code "
        "alone; with '--offload-arch=host' kernels are compiled for the CPU "
        "device, where -fsanitize=address and thread reach them; a simulated "
        "GPU (XCC_DEVICE=sim:sm_90) checks every access, with "
        "-foffload-red-zones also of single variables")
        << first;
  } else {
    report(sema, level, at,
           "kernels are compiled for the CPU device without '%0', which they "
           "do not support [-Woffload-instrumentation]")
        << missing.options;
    report(sema, DiagnosticsEngine::Note, at,
           "launched here; '-Xarch_host %0' asks for it in the host's code "
           "alone")
        << first;
  }
  return severity != Severity::Error;
}

} // namespace xcc
