// Child processes, and signals that end the process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile that is interrupted leaves no incomplete file: the signal first ends
// the programs that run for us, then removes the files that LLVM knows
// (sys::RemoveFileOnSignal), then ends this process.

#ifndef XCC_BACKEND_SUPPORT_PROCESSES_H
#define XCC_BACKEND_SUPPORT_PROCESSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace xcc {

/// Replaces LLVM's handling of SIGINT, SIGTERM and SIGHUP. A signal that is
/// ignored, as under nohup, stays ignored. A file that grows too large is an
/// error of the write and does not end the process. Install it after LLVM's
/// handlers.
class SignalHandling {
public:
  /// Records which signals are ignored. Has to come first in main.
  SignalHandling();
  void install();

private:
  bool ignored[3];
};

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread.
class HoldSignals {
public:
  HoldSignals();
  ~HoldSignals();

private:
  unsigned long saved[16];
};

/// While this object lives, a library makes files that the signal handler does
/// not know. The end of the process waits for it, and its own thread is not
/// interrupted.
class UnknownFiles {
public:
  UnknownFiles();
  ~UnknownFiles();

private:
  HoldSignals hold;
};

/// Marks the time between making something that the signal handler has to undo
/// and registering it there: the handler waits. Signals have to be held.
class Registration {
public:
  Registration();
  ~Registration();
  Registration(const Registration &) = delete;
};

/// Like llvm::sys::ExecuteAndWait, for a program that must not outlive this
/// process.
int executeAndWait(llvm::StringRef program,
                   llvm::ArrayRef<llvm::StringRef> args,
                   llvm::ArrayRef<std::optional<llvm::StringRef>> redirects,
                   std::string *message);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_PROCESSES_H
