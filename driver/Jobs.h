// Messages, files and programs for all jobs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_JOBS_H
#define XCC_DRIVER_JOBS_H

#include "Plan.h"
#include "llvm/ADT/Twine.h"

namespace xcc {

/// An error whose message has been printed, such as Clang's diagnostics.
llvm::Error reported();

/// Prints an error that has not been printed. Puts "xcc: error: " before each
/// line that starts a new message.
void report(const DriverEnv &env, llvm::Error error);

/// Prints "xcc: warning: " and the text. With -Werror, returns an error.
llvm::Error warn(const DriverEnv &env, const llvm::Twine &text,
                 const Options &options);

/// Writes the whole file or nothing; "-" is standard output.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef bytes);

/// Checks that a file can be written at `path`, before any work is done for it.
llvm::Error checkOutput(llvm::StringRef path);

/// Runs a program with this process's standard streams. Prints it if `verbose`.
llvm::Error runProgram(const DriverEnv &env, const CommandStep &command,
                       bool verbose);

} // namespace xcc

#endif // XCC_DRIVER_JOBS_H
