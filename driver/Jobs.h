// What every job needs: messages, files, programs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_JOBS_H
#define XCC_DRIVER_JOBS_H

#include "Plan.h"
#include "llvm/ADT/Twine.h"

namespace xcc {

/// Prints "xcc: error: " before each line that starts a message of its own.
void printError(const llvm::Twine &text);

/// Prints "xcc: warning: ", or an error with -Werror. False when it was one.
bool warn(const llvm::Twine &text, const Options &options);

/// Writes all of a file or nothing; "-" is standard output. False after a
/// message.
bool writeOutput(llvm::StringRef path, llvm::StringRef bytes);

/// Whether a file can be made at `path`: found out before any work is done for
/// it. False after a message.
bool checkOutput(llvm::StringRef path);

/// Runs a program with our standard streams; echoes it if `verbose`. False
/// after a message.
bool runProgram(const CommandStep &command, bool verbose);

} // namespace xcc

#endif // XCC_DRIVER_JOBS_H
