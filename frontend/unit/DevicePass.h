// A translation unit for one device triple
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_DEVICEPASS_H
#define XCC_FRONTEND_UNIT_DEVICEPASS_H

#include "Compilation.h"
#include "Instrumentation.h"
#include "kernels/check/RecordLayouts.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/find/PassedByAddress.h"
#include "kernels/host/HostEntries.h"
#include "kernels/walk/LinkNotes.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/thread.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xcc {

/// One device pass, on its own thread.
class DevicePass {
public:
  /// The module goes to `promise` when the pass ends.
  DevicePass(const TranslationUnit &unit, const Target &target,
             const clang::CompilerInvocation &host, std::string unique,
             std::promise<DeviceModule> &promise);
  ~DevicePass() { wait(); }

  void start();
  /// Instead of start: on this thread, which has a stack of StackBytes; nothing
  /// goes to the promise.
  DeviceModule compileHere();
  /// Blocks until the pass has ended; its results may be read afterwards.
  void wait();

  const Target &target;
  bool success = false;
  KernelTable layouts;   ///< of the kernels that this pass saw
  RecordLayouts records; ///< of the classes that they share with the host
  DiagnosticLog log;
  std::vector<std::string> dependencies;

private:
  const TranslationUnit &unit;
  std::promise<DeviceModule> &promise;
  DeviceModule result;
  std::string unique;
  bool systemDependencies;
  Uninstrumented uninstrumented;
  std::shared_ptr<clang::CompilerInvocation> invocation;
  std::unique_ptr<llvm::thread> thread;
  std::mutex joining;

  void run();
  void compile();
  /// Compiles it all. `precompiled`: what the unit's headers are parsed from; or
  /// empty.
  void compileWith(const std::string &precompiled);
  /// As before a compile.
  void reset();
  /// Takes the module out of the action and makes entries of its kernels.
  void take(clang::CodeGenAction &action, std::vector<FoundKernel> &found,
            llvm::ArrayRef<HostEntry> hostFunctions, const LinkNotes &notes,
            const StructTypes &byAddress);
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEVICEPASS_H
