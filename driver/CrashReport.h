// What a report of a crash needs, in one folder
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_CRASHREPORT_H
#define XCC_DRIVER_CRASHREPORT_H

#include "Plan.h"
#include "llvm/ADT/SmallVector.h"

namespace xcc {

/// When a folder is made for a report.
enum class ReportCrash {
  OnCrash, ///< unless the command says otherwise
  Never,   ///< -fno-crash-diagnostics, -gen-reproducer=off
  OnError, ///< -gen-reproducer=error: also after an error
  Always,  ///< --report-crash, -gen-reproducer, -gen-reproducer=always
  Crashed, ///< the compiler that crashed has started this one to make it
};

/// Takes the options that decide it out of the command; the last one counts.
ReportCrash takeReportCrash(llvm::SmallVectorImpl<const char *> &args);

/// Makes a crash of this process, on any thread, print where it was, and start
/// another process that makes the folder if \p withFolder. \p args are the
/// command, without what takeReportCrash took. After LLVM's own handlers.
void reportCrashes(llvm::ArrayRef<const char *> args, bool withFolder);

/// Is this process only there for a report, with the command in another one?
inline bool runsForReport(ReportCrash when) {
  return when == ReportCrash::OnError || when == ReportCrash::Always ||
         when == ReportCrash::Crashed;
}

/// Runs the command in a process of its own, unless that has crashed already, and
/// passes its output on. Makes the folder if \p when asks for it: the preprocessed
/// source of every pass, the command, versions, devices, and the command's output.
/// Prints where the folder is and what to do with it. Returns the command's
/// status; 1 after a crash.
llvm::Expected<int> runAndReport(DriverEnv &env,
                                 llvm::ArrayRef<const char *> args,
                                 ReportCrash when);

} // namespace xcc
#endif // XCC_DRIVER_CRASHREPORT_H
