// Children, and being told to end
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

/// Replaces what LLVM does at SIGINT, SIGTERM and SIGHUP. After its handlers
/// are installed. A signal that is ignored, as nohup does, stays so; a file
/// that grows too large is an error of the write, not the end of the process.
class SignalHandling {
public:
  /// Notes what is ignored: first of all in main.
  SignalHandling();
  void install();

private:
  bool ignored[3];
};

/// Holds SIGINT, SIGTERM and SIGHUP back from this thread.
class HoldSignals {
public:
  HoldSignals();
  ~HoldSignals();

private:
  unsigned long saved[16];
};

/// While this lives, a library makes files that signals do not know of yet: the
/// end of the process waits for it, and it is not interrupted itself.
class UnknownFiles {
public:
  UnknownFiles();
  ~UnknownFiles();

private:
  HoldSignals hold;
};

/// Around the moment between making something that a signal's handler has to
/// undo and telling it so: the handler waits for that. With signals held.
class UnderWay {
public:
  UnderWay();
  ~UnderWay();
  UnderWay(const UnderWay &) = delete;
};

/// As llvm::sys::ExecuteAndWait, for a program that shall not outlive us.
int executeAndWait(llvm::StringRef program,
                   llvm::ArrayRef<llvm::StringRef> args,
                   llvm::ArrayRef<std::optional<llvm::StringRef>> redirects,
                   std::string *message);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_PROCESSES_H
