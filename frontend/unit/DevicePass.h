// The pass over a translation unit for one device triple
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_DEVICEPASS_H
#define XCC_FRONTEND_UNIT_DEVICEPASS_H

#include "AutomaticPCH.h"
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
  /// The module is stored in `promise` when the pass ends.
  DevicePass(const TranslationUnit &unit, const Target &target,
             const clang::CompilerInvocation &host, std::string unique,
             std::promise<DeviceModule> &promise,
             const AutomaticPCH *automatic = nullptr);
  ~DevicePass() { wait(); }

  void start();
  /// Compiles on this thread, which must have a stack of StackBytes, and
  /// returns the module instead of using the promise. Call it instead of
  /// start().
  DeviceModule compileHere();
  /// Blocks until the pass has ended; its results may be read afterwards.
  void wait();

  const Target &target;
  bool success = false;
  KernelTable layouts;   ///< of the kernels that this pass saw
  RecordLayouts records; ///< of the classes that the kernels share with the
                         ///< host
  DiagnosticLog log;
  std::vector<std::string> dependencies;
  /// What the pass did about a precompiled <xcc/xcc.h>.
  std::string header;

private:
  const AutomaticPCH *automatic; ///< may be null
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
  /// Compiles everything. `precompiled` is the precompiled header for the
  /// unit's headers, or empty, in `files`.
  void
  compileWith(const std::string &precompiled,
              llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr);
  /// Compiles with a header of AutomaticPCH.h. Returns false if the text must
  /// be compiled.
  bool compileWithAutomatic();
  /// Resets all results before another compile.
  void reset();
  /// Takes the module from the action and turns its kernels into entries.
  void take(clang::CodeGenAction &action, std::vector<FoundKernel> &found,
            llvm::ArrayRef<HostEntry> hostFunctions, const LinkNotes &notes,
            const StructTypes &byAddress);
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEVICEPASS_H
