// -ftime-report and -ftime-trace of a host pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Profiling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/raw_ostream.h"

namespace xcc {

Profiling::Profiling(clang::CompilerInstance &ci)
    : ci(ci), report(ci.getCodeGenOpts().TimePasses) {
  const clang::FrontendOptions &options = ci.getFrontendOpts();
  if (!options.TimeTracePath.empty())
    llvm::timeTraceProfilerInitialize(options.TimeTraceGranularity, "xcc",
                                      options.TimeTraceVerbose);
  if (report) {
    ci.createFrontendTimer();
    ci.getFrontendTimer().startTimer();
  }
}

Profiling::~Profiling() {
  if (report) {
    ci.getFrontendTimer().stopTimer();
    if (!ci.getCodeGenOpts().TimePassesStatsFile)
      llvm::TimerGroup::printAll(llvm::errs());
    llvm::TimerGroup::clearAll();
  }
  if (!llvm::timeTraceProfilerEnabled())
    return;
  // As in Clang, a profile that cannot be written is no error.
  std::error_code error;
  llvm::raw_fd_ostream os(ci.getFrontendOpts().TimeTracePath, error);
  if (!error)
    llvm::timeTraceProfilerWrite(os);
  llvm::timeTraceProfilerCleanup();
}

} // namespace xcc
