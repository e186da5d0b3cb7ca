// Collects what a report of a crash needs in one folder
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_CRASHREPORT_H
#define XCC_DRIVER_CRASHREPORT_H

#include "Plan.h"
#include "llvm/ADT/SmallVector.h"

namespace xcc {

/// When to make a folder for a report.
enum class ReportCrash {
  OnCrash, ///< the default
  Never,   ///< -fno-crash-diagnostics, -gen-reproducer=off
  OnError, ///< -gen-reproducer=error: also after an error
  Always,  ///< --report-crash, -gen-reproducer, -gen-reproducer=always
  Crashed, ///< started by the compiler that crashed, to make the folder
};

/// Removes the options that decide this from the command. The last one counts.
ReportCrash takeReportCrash(llvm::SmallVectorImpl<const char *> &args);

/// Installs handlers: if this process crashes, on any thread, it prints where,
/// and if \p withFolder it starts another process that makes the folder. \p
/// args is the command after takeReportCrash. Call it after LLVM installs its
/// own handlers.
void reportCrashes(llvm::ArrayRef<const char *> args, bool withFolder);

/// Whether this process only makes a report, and runs the command in another
/// one.
inline bool runsForReport(ReportCrash when) {
  return when == ReportCrash::OnError || when == ReportCrash::Always ||
         when == ReportCrash::Crashed;
}

/// Runs the command in a process of its own, unless it has crashed already, and
/// forwards its output. If \p when requires it, makes the folder: the
/// preprocessed source of every pass, the command, versions, devices, and the
/// command's output. Prints where the folder is and what to do with it. Returns
/// the command's status; 1 after a crash.
llvm::Expected<int> runAndReport(DriverEnv &env,
                                 llvm::ArrayRef<const char *> args,
                                 ReportCrash when);

} // namespace xcc
#endif // XCC_DRIVER_CRASHREPORT_H
