// The compiler driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CrashReport.h"
#include "Execute.h"
#include "Help.h"
#include "Identity.h"
#include "Jobs.h"
#include "LinkChoice.h"
#include "Options.h"
#include "Plan.h"
#include "ProgramOptions.h"
#include "link/IRObject.h"
#include "support/Processes.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <unistd.h>

using namespace llvm;
using namespace xcc;

static int fail(Error error) {
  errs() << "xcc: error: " << toString(std::move(error)) << '\n';
  return 1;
}

/// What LLVM cannot go on after: an error like any other to the user. No
/// temporary file stays.
static void failFatally(void *, const char *reason, bool wantsTrace) {
  errs() << "xcc: error: " << reason << '\n';
  sys::RunInterruptHandlers();
  if (wantsTrace)
    abort();
  // Other threads may be at work on what exit() would destroy.
  outs().flush();
  _exit(1);
}

/// Has the code of a program's portable images generated for this machine, by
/// the tool that has the runtime's devices.
static int precompile(const char *self, ArrayRef<const char *> args) {
  std::string xcc =
      sys::fs::getMainExecutable(self, reinterpret_cast<void *>(&precompile));
  SmallString<128> tool(sys::path::parent_path(xcc));
  sys::path::append(tool, "xcc-info");
  // Its errors are said in our name.
  SmallVector<StringRef> words = {sys::path::filename(xcc)};
  for (const char *arg : args)
    words.push_back(arg);
  std::string message;
  int status = executeAndWait(tool, words, {}, &message);
  if (status < 0)
    return fail(createStringError("cannot run '" + tool + "': " + message));
  return status;
}

/// For xcc-info, which has no LLVM: the .llvm.offloading section that bitcode
/// on standard input will have.
static int printDeviceSections() {
  auto bitcode = MemoryBuffer::getSTDIN();
  if (!bitcode)
    return fail(errorCodeToError(bitcode.getError()));
  if (Error error = checkBitcode((*bitcode)->getMemBufferRef()))
    return fail(std::move(error));
  Expected<IRContents> contents = readIRObject((*bitcode)->getMemBufferRef());
  if (!contents)
    return fail(contents.takeError());
  // Others, such as the mark of what was compiled for the host alone, are none.
  for (StringRef section : contents->sections)
    if (identify_magic(section) == file_magic::offload_binary) {
      outs() << section;
      outs().write_zeros(offsetToAlignment(section.size(), Align(8)));
    }
  outs().flush();
  return 0;
}

/// Has the folder for a report of a crash made, by a process that does not do
/// what crashes.
static int report(const char *self, ArrayRef<const char *> args,
                  ReportCrash when) {
  Expected<Installation> installation = findInstallation(self);
  if (!installation)
    return fail(installation.takeError());
  if (when != ReportCrash::Crashed)
    return runAndReport(*installation, args, when);
  writeReport(*installation, args, "");
  // What Clang leaves to print at the end is of no interest here.
  _exit(0);
}

/// What is written as `-offload-arch=` in the command of the program that
/// started this one, such as a compiler cache, and did not come here.
static std::string lostArchs(const Options &options) {
  if (options.archsGiven)
    return "";
  auto command = MemoryBuffer::getFileAsStream(
      "/proc/" + std::to_string(getppid()) + "/cmdline");
  if (!command)
    return "";
  SmallVector<StringRef> words;
  (*command)->getBuffer().split(words, '\0');
  for (StringRef word : words)
    if (word.starts_with("-offload-arch="))
      return word.str();
  return "";
}

/// The compiler cache that started this program, or nothing.
static std::string cacheAbove() {
  SmallString<128> program;
  if (sys::fs::real_path("/proc/" + std::to_string(getppid()) + "/exe",
                         program))
    return "";
  StringRef name = sys::path::filename(program);
  return name == "ccache" || name == "sccache" ? name.str() : "";
}

/// Caches keep an object and what was printed, no other file. What they keep of
/// that is said from the cache too. False: the warning was made an error.
static bool checkCache(const Options &options) {
  if (options.kernelInfoFile.empty())
    return true;
  std::string cache = cacheAbove();
  return cache.empty() ||
         warn("-emit-kernel-info= under " + cache + ": it will not write '" +
                  options.kernelInfoFile +
                  "' when it has the object already; compile this without it",
              options);
}

/// Tools that take one letter behind a dash for an option, as -o is, read
/// -offload-arch=LIST as the output 'ffload-arch=LIST' and pass on what they
/// read, or drop it. False: the warning was made an error.
static bool checkSpelling(const Options &options) {
  if (std::string lost = lostArchs(options);
      !lost.empty() &&
      !warn("'" + lost +
                "' did not reach xcc: what runs it took it for -o and the name "
                "of a file; it understands --offload-arch=",
            options))
    return false;
  for (StringRef arg : options.clangArgs) {
    arg.consume_front("-o");
    if (arg.starts_with("ffload-arch=") &&
        !warn("'" + arg +
                  "' is taken for the name of a file; tools that read "
                  "-offload-arch= as -o understand --offload-arch=",
              options))
      return false;
  }
  return true;
}

/// Kernels know one library of vector functions. False: the warning was made an
/// error.
static bool checkVectorLibrary(const Options &options) {
  const StringRef library = options.unit.given.vectorLibrary;
  return library.empty() || library == "libmvec" || library == "none" ||
         warn("'-fveclib=" + library +
                  "' is for the host's code; kernels of the CPU device know "
                  "libmvec alone",
              options);
}

int main(int argc, char **argv) {
  SignalHandling signals;
  InitLLVM init(argc, argv);
  signals.install();
  install_fatal_error_handler(failFatally);
  setBugReportMsg("xcc: internal error. Please report it to the xcc project "
                  "with this trace and what xcc says to attach.\n");
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();

  // @file may hold any argument, ours too.
  SmallVector<const char *, 64> args(argv, argv + argc);
  BumpPtrAllocator allocator;
  if (Error error = clang::driver::expandResponseFiles(
          args, /*ClangCLMode=*/false, allocator))
    return fail(std::move(error));

  // Before the command of another compiler, as build systems put launchers.
  if (args.size() > 2 && StringRef(args[1]) == "--instead-of")
    args.erase(args.begin() + 1, args.begin() + 3);

  if (args.size() > 1 && StringRef(args[1]) == "--precompile")
    return precompile(argv[0], ArrayRef(args).drop_front());

  if (args.size() == 2 && StringRef(args[1]) == "--print-device-sections")
    return printDeviceSections();

  const ReportCrash when = takeReportCrash(args);
  if (when == ReportCrash::OnCrash || when == ReportCrash::Never)
    reportCrashes(args, when == ReportCrash::OnCrash);
  else
    return report(argv[0], args, when);

  // Separate our options from Clang's.
  Expected<Options> options = parseOptions(args);
  if (!options)
    return fail(options.takeError());
  if (options->printArchs) {
    for (const Target *target : allTargets())
      for (const std::string &arch : target->archs())
        outs() << arch << '\n';
    outs() << EveryPortable << '\n';
    for (const Target *target : allTargets())
      outs() << portableArch(*target) << '\n';
    return 0;
  }
  if (!checkSpelling(*options) || !checkCache(*options) ||
      !checkVectorLibrary(*options) || !checkProgramOptions(*options))
    return 1;
  if (options->help) {
    printHelp(outs());
    return 0;
  }
  if (options->complete)
    printCompletions(*options->complete, outs());
  outs().flush();

  // Find the files that belong to this compiler.
  Expected<Installation> installation = findInstallation(argv[0]);
  if (!installation)
    return fail(installation.takeError());

  // Decide everything before doing anything.
  Planner planner(*installation, *options);
  Plan plan;
  {
    // Clang makes its temporary files with the plan.
    HoldSignals hold;
    plan = planner.plan();
    for (const std::string &file : plan.temporaries)
      sys::RemoveFileOnSignal(file);
  }
  if (options->version)
    outs() << versionLine(*installation) << '\n';
  if (options->dryRun && !plan.exitCode) {
    previewArchs(plan, *options);
    printPlan(plan, *installation, *options, errs());
    plan.exitCode = 0;
  }
  if (plan.exitCode) {
    for (const std::string &file : plan.temporaries)
      sys::fs::remove(file);
    return *plan.exitCode;
  }
  int status = execute(plan, *installation, *options);
  // Clang forgets a temporary file that it could not write to the end.
  if (status)
    sys::RunInterruptHandlers();
  return status;
}
