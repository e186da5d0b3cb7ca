// What every job needs: messages, files, programs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_JOBS_H
#define XCC_DRIVER_JOBS_H

#include "Plan.h"
#include "llvm/ADT/Twine.h"

namespace xcc {

/// An error whose message is printed already, such as Clang's diagnostics.
llvm::Error reported();

/// Prints the messages of an error that are not printed yet: "xcc: error: " is
/// before each line that starts a message of its own.
void report(const DriverEnv &env, llvm::Error error);

/// Prints "xcc: warning: "; with -Werror it is an error.
llvm::Error warn(const DriverEnv &env, const llvm::Twine &text,
                 const Options &options);

/// Writes all of a file or nothing; "-" is standard output.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef bytes);

/// Whether a file can be made at `path`: found out before any work is done for
/// it.
llvm::Error checkOutput(llvm::StringRef path);

/// Runs a program with our standard streams; echoes it if `verbose`.
llvm::Error runProgram(const DriverEnv &env, const CommandStep &command,
                       bool verbose);

} // namespace xcc

#endif // XCC_DRIVER_JOBS_H
