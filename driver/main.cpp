// The compiler driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandChecks.h"
#include "CrashReport.h"
#include "Execute.h"
#include "Help.h"
#include "Identity.h"
#include "Jobs.h"
#include "LinkChoice.h"
#include "Options.h"
#include "Plan.h"
#include "Subcommands.h"
#include "support/Processes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include <unistd.h>

using namespace llvm;
using namespace xcc;

/// Prints LLVM's fatal errors like other errors, and removes temporary files.
static void failFatally(void *, const char *reason, bool printsTrace) {
  errs() << "xcc: error: " << reason << '\n';
  sys::RunInterruptHandlers();
  if (printsTrace)
    abort();
  // Other threads may use objects that exit() would destroy.
  outs().flush();
  _exit(1);
}

static void initializeTargets() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();
}

/// Runs the steps of one command. Returns the exit status, or an error.
static Expected<int> run(DriverEnv &env, SmallVectorImpl<const char *> &args) {
  // Build systems put a launcher in front of another compiler's command.
  if (args.size() > 2 && StringRef(args[1]) == "--instead-of")
    args.erase(args.begin() + 1, args.begin() + 3);
  if (isSubcommand(args))
    return runSubcommand(env, args);
  const ReportCrash when = takeReportCrash(args);
  if (runsForReport(when))
    return runAndReport(env, args, when);
  reportCrashes(args, when == ReportCrash::OnCrash);

  // Separate xcc's options from Clang's.
  Expected<Options> options = parseOptions(args);
  if (!options)
    return options.takeError();
  if (options->printArchs) {
    printArchs(env.out);
    return 0;
  }
  if (Error error = checkCommand(env, *options))
    return std::move(error);
  if (options->help) {
    printHelp(env.out);
    return 0;
  }
  if (options->complete)
    printCompletions(*options->complete, env.out);
  env.out.flush();

  // Find the files that belong to xcc.
  if (Error error = env.findInstallation(args.front()))
    return std::move(error);

  // Decide everything before doing anything.
  Planner planner(env, *options);
  Expected<Plan> plan = planner.plan();
  if (options->version)
    env.out << versionLine(env.installation) << '\n';
  if (!plan)
    return plan.takeError();
  scope_exit cleanUp([&] { removeTemporaries(*plan); });
  if (plan->answered)
    return 0;
  if (options->dryRun) {
    previewArchs(*plan, *options);
    printPlan(env, *plan, *options);
    return 0;
  }
  if (Error error = execute(env, *plan, *options))
    return std::move(error);
  return 0;
}

int main(int argc, char **argv) {
  SignalHandling signals;
  InitLLVM init(argc, argv);
  signals.install();
  install_fatal_error_handler(failFatally);
  setBugReportMsg("xcc: internal error. Please report it to the xcc project "
                  "with this trace and what xcc says to attach.\n");
  initializeTargets();
  DriverEnv env = {vfs::getRealFileSystem(), outs(), errs(), {}};

  // Response files (@file) may contain any argument, xcc's too.
  SmallVector<const char *, 64> args(argv, argv + argc);
  BumpPtrAllocator allocator;
  Error error = clang::driver::expandResponseFiles(args, /*ClangCLMode=*/false,
                                                   allocator);
  Expected<int> status =
      error ? Expected<int>(std::move(error)) : run(env, args);
  if (status)
    return *status;
  report(env, status.takeError());
  // Clang does not remove a temporary file that it could not write completely.
  sys::RunInterruptHandlers();
  return 1;
}
