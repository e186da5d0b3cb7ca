// One translation unit through the host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host pass is Clang's own compilation of the file, with two additions: a
// consumer that finds kernels after instantiation, and an IR pass before the
// optimiser that writes their descriptors. A device pass starts on a thread of
// its own the moment the host pass enters <xcc/xcc.h>: a translation unit that
// never includes it never pays for one.

#ifndef XCC_FRONTEND_UNIT_PASS_H
#define XCC_FRONTEND_UNIT_PASS_H

#include "DiagnosticLog.h"
#include "Kernel.h"
#include "kernels/Warnings.h"
#include "targets/Target.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xcc {

/// What a device pass made of one translation unit, not yet optimised.
/// The context outlives the module.
struct DeviceModule {
  const Target *target = nullptr;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module; ///< null when nothing is for a device
  KernelTable kernels;
};

struct TranslationUnit {
  /// The host's -cc1 arguments, without "-cc1" itself.
  std::vector<std::string> cc1Args;
  /// argv[0] of the compiler, for Clang's resource look-ups and messages.
  std::string clangPath;
  /// One device pass for each, if the source asks for any.
  std::vector<const Target *> targets;
  /// Put the device modules, as bitcode, into the host object (-c).
  bool embedDeviceModules = false;
  /// What an object says of itself besides.
  std::vector<std::string> archs;
  std::vector<std::string> linkOptions; ///< -O and target options, as written
  bool hostPass = true;                 ///< -foffload-device-only clears it
  bool devicePass = true;               ///< -foffload-host-only clears it
  GivenOptions given;
  bool hostCalls = false; ///< -foffload-host-calls
  Warnings warnings;      ///< of xcc's own
  /// Where a pass's IR goes with -save-temps: a prefix, or empty.
  std::string saveTempsPrefix;
  /// What the input "-" stands for, since every pass reads it; or null.
  const llvm::MemoryBuffer *standardInput = nullptr;
  /// Called on a device pass's thread when its module is ready, while the host
  /// pass may still run. What it takes out of the module is not returned.
  std::function<void(DeviceModule &)> whenDeviceReady;
  /// Headers and other files that the depfile names besides what was included.
  std::vector<std::string> extraDependencies;
};

struct TranslationUnitResult {
  bool success = false;
  KernelTable kernels; ///< as the host pass sees them
  std::vector<DeviceModule> devices;
  DiagnosticLog log;
};

/// Runs the passes; several may run at once on different threads. Output files
/// named by the arguments exist afterwards only on success.
TranslationUnitResult compile(const TranslationUnit &unit);

/// Preprocesses with every pass into `out`, each after a line marker that names
/// the pass (-E), and writes the depfile of all; or that alone (-M).
bool preprocessAll(const TranslationUnit &unit, llvm::raw_ostream &out,
                   DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PASS_H
