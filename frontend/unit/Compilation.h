// One translation unit through the host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host pass is Clang's own compilation of the file, with two additions: a
// consumer that finds kernels after instantiation, and an IR pass before the
// optimiser that writes their descriptors. A device pass starts on a thread of
// its own when the host pass enters <xcc/xcc.h>. So a translation unit that
// never includes it has no cost.

#ifndef XCC_FRONTEND_UNIT_COMPILATION_H
#define XCC_FRONTEND_UNIT_COMPILATION_H

#include "DiagnosticLog.h"
#include "Kernel.h"
#include "kernels/check/Warnings.h"
#include "link/DeviceModule.h"
#include "llvm/Support/MemoryBuffer.h"
#include <future>
#include <string>
#include <vector>

namespace xcc {

class ResultCache;
struct RunTimeSource;

/// The options that apply to all passes of every translation unit.
struct UnitOptions {
  GivenOptions given;
  std::vector<std::string> xarchHost; ///< the arguments of -Xarch_host
  std::string cuid;    ///< -cuid=: distinguishes internal kernels of different
                       ///< units
  bool exports = true; ///< device code of other units may use this unit's
  bool exportsAll = false; ///< -foffload-export: even without <xcc/xcc.h>
  /// -foffload-main: the unit may belong to a program that runs on the device.
  bool program = false;
  bool jitRoots = false; ///< -foffload-jit-roots=all
  /// -foffload-host-calls: functions without device code are called on the
  /// host.
  bool hostCalls = false;
  bool reportMapping = false; ///< -foffload-report-mapping
  bool cuda = false;          ///< -foffload-cuda
  Warnings warnings;          ///< xcc's own warnings: -Wno-offload-...
};

struct TranslationUnit : UnitOptions {
  /// The host's -cc1 arguments, without "-cc1" itself.
  std::vector<std::string> cc1Args;
  /// argv[0] of the compiler, for Clang's resource look-ups and messages.
  std::string clangPath;
  /// One device pass for each, if the source needs any.
  std::vector<const Target *> targets;
  /// Put the device modules, as bitcode, into the host object (-c).
  bool embedDeviceModules = false;
  /// Recorded in the object for the device link.
  std::vector<std::string> archs;
  std::vector<std::string> linkOptions; ///< -O and target options, as written
  bool hostPass = true;                 ///< -foffload-device-only clears it
  bool devicePass = true;               ///< -foffload-host-only clears it
  /// The prefix of files with a pass's IR, for -save-temps; empty: none.
  std::string saveTempsPrefix;
  /// The content of the input "-", which every pass reads; or null.
  llvm::MemoryBuffer *standardInput = nullptr;
  /// Where precompiled headers are kept (AutomaticPCH.h); null: nowhere.
  ResultCache *headers = nullptr;
  /// Set for source that a program compiles at run time; null for files.
  RunTimeSource *source = nullptr;
  /// Files that the depfile names in addition to included headers.
  std::vector<std::string> extraDependencies;

  /// Whether the device modules go into the host's object.
  bool embeds() const { return embedDeviceModules && hostPass; }
};

struct TranslationUnitResult {
  bool success = false;
  KernelTable kernels; ///< as found by the host pass
  DiagnosticLog log;
  /// What each pass did about a precompiled <xcc/xcc.h>, for the user; empty:
  /// the unit takes none.
  std::string header;
};

/// A translation unit and its passes.
class Compilation {
public:
  explicit Compilation(const TranslationUnit &unit);
  ~Compilation();

  /// Futures of the device modules, one for each of unit.targets, in their
  /// order. Call once, before run(). Each is ready when its pass has ended,
  /// perhaps while the host pass still runs, and at the latest when run()
  /// returns. It holds no module if the source has nothing for that device, or
  /// the pass failed. The list is empty if run() embeds the modules.
  std::vector<std::future<DeviceModule>> devices();

  /// Runs the passes; several units may be run at once on different threads.
  /// Output files named by the arguments exist afterwards only on success.
  TranslationUnitResult run();

private:
  const TranslationUnit &unit;
  std::vector<std::promise<DeviceModule>> promises; ///< one for each target
};

/// Preprocesses with every pass into `out` (-E), each after a line marker that
/// names the pass, and writes one depfile for all passes. With -M, writes only
/// the dependencies.
bool preprocessAll(const TranslationUnit &unit, llvm::raw_ostream &out,
                   DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_COMPILATION_H
