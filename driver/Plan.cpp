// The plan of one invocation, as data
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan.h"
#include "Jobs.h"
#include "LinkInputs.h"
#include "LinkerArguments.h"
#include "ProgramLink.h"
#include "SaveTemps.h"
#include "support/Processes.h"
#include "unit/Hints.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
namespace cd = clang::driver;

namespace xcc {

namespace {

/// Whether the job makes a precompiled C++ header, which has a part for each
/// device.
bool makesPCH(ArrayRef<std::string> cc1) {
  return is_contained(cc1, "-emit-pch") && is_contained(cc1, "c++-header");
}

/// Whether the source's language can hold kernels, or code that kernels of
/// other files may call.
bool hasDeviceCode(ArrayRef<std::string> cc1, bool exportsAll) {
  for (size_t i = 0; i + 1 < cc1.size(); ++i)
    if (cc1[i] == "-x") {
      StringRef language = cc1[i + 1];
      return language == "c++" || language == "c++-cpp-output" ||
             (exportsAll && (language == "c" || language == "cpp-output"));
    }
  return false;
}

/// Whether the job only prints information about Clang, whose program does so.
bool onlyPrints(ArrayRef<std::string> cc1) {
  return is_contained(cc1, "-print-supported-cpus") ||
         is_contained(cc1, "-print-supported-extensions") ||
         is_contained(cc1, "-print-enabled-extensions");
}

std::vector<std::string> strings(const opt::ArgStringList &args) {
  return std::vector<std::string>(args.begin(), args.end());
}

/// Options that the object records for the device link, besides its archs.
std::vector<std::string> linkOptionsOf(const Options &options) {
  std::vector<std::string> list = options.codegen.targetOptions;
  if (options.unit.given.optLevel)
    list.push_back("-O" + std::to_string(options.codegen.optLevel));
  if (options.codegen.debugInfo)
    list.push_back("-g");
  return list;
}

/// Whether the toolchain may end a link with this word.
bool isOwnLibrary(StringRef word) {
  return isStartFile(word) ||
         is_contained({"-lstdc++", "-lc++", "-lc++abi", "-lunwind", "-lm",
                       "-lgcc", "-lgcc_s", "-lgcc_eh", "-lc", "-lpthread",
                       "-lrt", "-ldl", "-lresolv", "-latomic", "--as-needed",
                       "--no-as-needed", "-Bstatic", "-Bdynamic"},
                      word);
}

/// The index at which the toolchain's libraries begin, where xcc inserts its
/// own. The user's arguments come before, except those that look like the
/// toolchain's.
size_t insertionPoint(ArrayRef<std::string> args, bool ownCxxLibrary) {
  size_t own = args.size(); // only the toolchain's words from here on
  unsigned groups = 0;      // groups that end after this word and begin before
                            // it
  for (size_t i = args.size(); i-- > 0;) {
    if (args[i] == "--end-group")
      ++groups;
    else if (args[i] == "--start-group" && groups)
      --groups;
    else if (!isOwnLibrary(args[i]))
      break;
    if (!groups)
      own = i;
  }
  // Runtime libraries, such as those of sanitizers, may follow the C++ library.
  for (size_t i = own; ownCxxLibrary && i-- > 0;)
    if (args[i] == "-lstdc++" || args[i] == "-lc++")
      return i;
  return own;
}

/// Suppresses "no input files" after "no such file".
class DriverPrinter : public clang::TextDiagnosticPrinter {
public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    if (info.getID() == clang::diag::err_drv_no_input_files && getNumErrors())
      return;
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
  }
};

/// The step for a job of Clang's own front end.
CompileStep compileStep(const cd::Command &job, ArrayRef<std::string> jobArgs,
                        ArrayRef<const Target *> targets,
                        const Installation &installation,
                        const Options &options) {
  CompileStep step;
  step.unit.cc1Args.assign(jobArgs.begin() + 1, jobArgs.end());
  step.unit.clangPath = installation.clang;
  static_cast<UnitOptions &>(step.unit) = options.unit;
  for (const DeviceArch &arch : options.archs)
    step.unit.archs.push_back(arch.arch);
  step.unit.linkOptions = linkOptionsOf(options);
  step.devices = hasDeviceCode(step.unit.cc1Args, options.unit.exportsAll);
  step.preprocess = is_contained(step.unit.cc1Args, "-E") ||
                    is_contained(step.unit.cc1Args, "-Eonly");
  for (const Target *target : targets)
    for (StringRef file : target->runtimeFiles())
      step.unit.extraDependencies.push_back(
          (installation.deviceRuntimes() + "/" + file).str());
  if (step.devices || makesPCH(step.unit.cc1Args))
    step.unit.targets = targets.vec();
  step.unit.hostPass = !options.deviceOnly || !step.devices;
  step.unit.devicePass = !options.hostOnly;
  if (!job.getInputInfos().empty() && job.getInputInfos().front().isFilename())
    step.input = job.getInputInfos().front().getFilename();
  if (!job.getOutputFilenames().empty())
    step.output = job.getOutputFilenames().front();
  return step;
}

LinkStep linkStep(const cd::Command &job,
                  const std::vector<std::string> &jobArgs,
                  const cd::Compilation &compilation) {
  LinkStep link;
  link.command = {job.getExecutable(), jobArgs};
  if (is_contained(jobArgs, "-lc++"))
    link.cxxLibrary = "-lc++";
  namespace co = clang::options;
  const opt::ArgList &given = compilation.getArgs();
  link.bare = given.hasArg(co::OPT_nostdlib, co::OPT_nodefaultlibs);
  link.insertAt = insertionPoint(
      jobArgs, compilation.getDriver().CCCIsCXX() && !link.bare &&
                   !given.hasArg(co::OPT_nostdlibxx, co::OPT_r));
  link.triple = compilation.getDefaultToolChain().getTripleString();
  std::vector<LinkerArgument> read = readLinkerArguments(jobArgs);
  link.shared = hasOption(read, LinkerOption::Shared);
  link.relocatable = hasOption(read, LinkerOption::Relocatable);
  if (!job.getOutputFilenames().empty())
    link.output = job.getOutputFilenames().front();
  return link;
}

} // namespace

Planner::Planner(const DriverEnv &env, const Options &options)
    : env(env), options(options) {
  // Apply -fcolor-diagnostics and similar options to the driver's own messages.
  const std::vector<const char *> argv = pointersTo(options.clangArgs);
  unsigned missingIndex, missingCount;
  opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      ArrayRef(argv).drop_front(), missingIndex, missingCount);
  clang::ParseDiagnosticArgs(diagnosticOptions, parsed);
  auto *printer = new DriverPrinter(env.err, diagnosticOptions);
  printer->setPrefix("xcc");
  diagnostics = std::make_unique<clang::DiagnosticsEngine>(
      clang::DiagnosticIDs::create(), diagnosticOptions, printer);
  clang::ProcessWarningOptions(*diagnostics, diagnosticOptions, *env.fs,
                               /*ReportDiags=*/false);
}

Planner::~Planner() = default;

void Planner::buildCompilation() {
  driver = std::make_unique<cd::Driver>(
      env.installation.clang, sys::getDefaultTargetTriple(), *diagnostics,
      "xcc single-source compiler", env.fs);
  driver->setTargetAndMode(
      cd::ToolChain::getTargetAndModeFromProgramName("clang++"));

  std::vector<const char *> args = pointersTo(options.clangArgs);
  // Do not warn that links and preprocessed input do not use these arguments.
  systemInclude = "-isystem" + env.installation.include();
  for (const char *arg :
       {"--end-no-unused-arguments", "-D__XCC__=1", "-fdeclspec",
        systemInclude.c_str(), "--start-no-unused-arguments"})
    args.insert(args.begin() + 1, arg);
  // Its headers must come before those of the standard library.
  standardAlgorithms = systemInclude + "/xcc/stdpar/overlay";
  if (options.standardAlgorithms)
    for (const char *arg :
         {"--end-no-unused-arguments", standardAlgorithms.c_str(),
          "--start-no-unused-arguments"})
      args.insert(args.begin() + 1, arg);
  // Contains headers with the names of those in CUDA's toolkit.
  toolkit = systemInclude + "/xcc/cuda/toolkit";
  if (options.unit.cuda)
    for (const char *arg : {"--end-no-unused-arguments", toolkit.c_str(),
                            "--start-no-unused-arguments"})
      args.insert(args.begin() + 1, arg);
  // A program's sources have the languages of their file names, and the device
  // decides which libraries are linked.
  if (options.unit.program)
    args.insert(args.begin() + 1, "--driver-mode=gcc");
  // -foffload-device-only still compiles the file.
  if (options.dryRun)
    llvm::erase_if(args, [](StringRef arg) { return arg == "-###"; });
  compilation.reset(driver->BuildCompilation(args));
}

Error Planner::linkForOthers(Plan &plan) const {
  std::string why;
  if (!plan.compiles.empty() || !plan.commands.empty())
    why = "takes what -c makes, archives and libraries: compile '" +
          (plan.compiles.empty() ? "assembly" : plan.compiles.front().input) +
          "' before";
  else if (!plan.link || plan.link->relocatable)
    why = "makes the object for a whole link: it excludes -c, -S, -E, -r and "
          "the like";
  else if (!compilation->getArgs().hasArg(clang::options::OPT_o))
    why = "needs -o with the object's name";
  else
    why = findInvalidInput(*plan.link);
  if (!why.empty())
    return createStringError("--device-link " + why);
  plan.link->objectOnly = true;
  return Error::success();
}

Error Planner::checkLanguage(const cd::Command &job, ArrayRef<std::string> args,
                             bool first) const {
  auto input = find(args, "-x");
  if (args.end() - input < 2)
    return Error::success();
  std::string file = "this";
  if (!job.getInputInfos().empty() && job.getInputInfos().front().isFilename())
    file = "'" + std::string(job.getInputInfos().front().getFilename()) + "'";
  // A device pass cannot read what the host pass made of a source.
  if (options.unit.exportsAll && is_contained({"pcm", "ast"}, input[1]))
    return warn(env,
                "-foffload-export exports nothing of " + file +
                    ", which was made for the host: compile the source "
                    "instead, with -fmodule-output=FILE.pcm where others "
                    "import it",
                options);
  if (!options.archsGiven || !first)
    return Error::success();
  const StringRef language = foreignLanguage(input[1]);
  if (language.empty())
    return Error::success();
  return warn(env,
              "--offload-arch= is for kernels of xcc, and " + file + " is " +
                  language +
                  ", which Clang compiles as ever, for archs of its "
                  "own options; " +
                  InsteadOfLanguage,
              options);
}

/// Adds a step for each of Clang's jobs. The link's files are added later.
Error Planner::addJobs(Plan &plan) const {
  std::vector<const Target *> targets;
  for (const DeviceArch &arch : options.archs)
    if (!is_contained(targets, arch.target))
      targets.push_back(arch.target);
  for (const cd::Command &job : compilation->getJobs()) {
    std::vector<std::string> jobArgs = strings(job.getArguments());
    if (!jobArgs.empty() && jobArgs.front() == "-cc1" && !onlyPrints(jobArgs)) {
      if (Error error = checkLanguage(job, jobArgs, plan.compiles.empty()))
        return error;
      plan.compiles.push_back(
          compileStep(job, jobArgs, targets, env.installation, options));
    } else if (job.getCreator().isLinkJob()) {
      if (options.deviceOnly)
        return createStringError("-foffload-device-only makes no program; add "
                                 "-c, -S, -E or -fsyntax-only");
      plan.link = linkStep(job, jobArgs, *compilation);
    } else {
      plan.commands.push_back({job.getExecutable(), jobArgs});
    }
  }
  return Error::success();
}

Error Planner::fill(Plan &plan) {
  plan.archs = options.archs;
  buildCompilation();
  if (!compilation || compilation->containsError() ||
      diagnostics->hasErrorOccurred())
    return reported();
  if (compilation->getJobs().empty()) {
    // --version, -dumpmachine and similar options.
    plan.answered = true;
    return options.deviceLink ? linkForOthers(plan) : Error::success();
  }
  for (const char *file : compilation->getTempFiles())
    plan.temporaries.push_back(file);
  if (Error error = addJobs(plan))
    return error;
  if (plan.link)
    findLinkerFolders(*plan.link);
  // Without a final link here, device code stays in the object.
  for (CompileStep &step : plan.compiles)
    step.unit.embedDeviceModules = !plan.link || plan.link->relocatable;
  if (options.deviceLink)
    if (Error error = linkForOthers(plan))
      return error;
  if (options.unit.program && plan.link) {
    if (!plan.link->shared && !plan.link->relocatable) {
      if (Error error = linkAsProgram(env, plan, options))
        return error;
    } else if (options.imageOnly) {
      return createStringError("-foffload-image-only makes an image of a "
                               "program, not a library");
    }
  }
  plan.libraryPaths =
      compilation->getArgs().getAllArgValues(clang::options::OPT_L);
  for (const std::string &path :
       compilation->getDefaultToolChain().getFilePaths())
    plan.libraryPaths.push_back(path);
  if (options.saveTemps)
    keepTemporaries(plan, options);
  return Error::success();
}

Expected<Plan> Planner::plan() {
  // Clang makes its temporary files with the plan.
  HoldSignals hold;
  Plan plan;
  Error error = fill(plan);
  for (const std::string &file : plan.temporaries)
    sys::RemoveFileOnSignal(file);
  if (!error)
    return plan;
  removeTemporaries(plan);
  return std::move(error);
}

void removeTemporaries(const Plan &plan) {
  for (const std::string &file : plan.temporaries) {
    sys::fs::remove(file);
    sys::DontRemoveFileOnSignal(file);
  }
}

namespace {

void printQuoted(raw_ostream &os, StringRef arg) {
  os << " \"";
  for (char c : arg) {
    if (c == '"' || c == '\\' || c == '$')
      os << '\\';
    os << c;
  }
  os << '"';
}

} // namespace

void printPlan(const DriverEnv &env, const Plan &plan, const Options &options) {
  raw_ostream &os = env.err;
  // Clang invents names for temporary files anew each time.
  StringMap<std::string> stable;
  for (const std::string &file : plan.temporaries) {
    StringRef stem = sys::path::stem(file).rsplit('-').first;
    stable[file] = ("/tmp/" + stem + sys::path::extension(file)).str();
  }
  auto print = [&](StringRef arg) {
    auto found = stable.find(arg);
    printQuoted(os, found == stable.end() ? arg : StringRef(found->second));
  };
  for (const CompileStep &step : plan.compiles) {
    if (step.unit.hostPass) {
      print("xcc-host");
      print("-cc1");
      for (StringRef arg : step.unit.cc1Args)
        print(arg);
      os << '\n';
    }
    if (step.unit.devicePass)
      for (const Target *target : step.unit.targets) {
        print("xcc-device");
        print("-triple");
        print(target->triple());
        print(step.input);
        os << '\n';
      }
  }
  for (const CommandStep &command : plan.commands) {
    print(command.program);
    for (StringRef arg : command.args)
      print(arg);
    os << '\n';
  }
  if (!plan.link)
    return;
  const LinkStep &link = *plan.link;
  std::vector<std::string> device; // the files that the device link reads
  if (!options.hostOnly && !link.relocatable) {
    for (const CompileStep &step : plan.compiles)
      if (step.devices)
        device.push_back(step.input);
    for (const std::string &file : findLinkInputs(link))
      if (!stable.contains(file))
        device.push_back(file);
  }
  std::vector<std::string> ours;
  if (!device.empty() && !plan.archs.empty()) {
    for (const DeviceArch &arch : plan.archs) {
      print("xcc-device-link");
      print("-arch");
      print(arch.arch);
      for (const std::string &file : device)
        print(file);
      os << '\n';
    }
    ours.push_back("/tmp/xcc-images.o");
  }
  if (link.objectOnly)
    return;
  if (link.program)
    append_range(ours, loaderFiles(env.installation));
  else if (!link.relocatable && !link.bare)
    ours.push_back(env.installation.runtime(options.sharedRuntime));
  print(link.command.program);
  for (size_t i = 0; i <= link.command.args.size(); ++i) {
    if (i == link.insertAt)
      for (const std::string &arg : ours)
        print(arg);
    if (i < link.command.args.size())
      print(link.command.args[i]);
  }
  os << '\n';
}

} // namespace xcc
