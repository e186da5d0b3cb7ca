//===-- Target.h - What the compiler asks of a device target
//---------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device target is one file in this folder. It answers the questions below
// and registers itself in Target.cpp's list; nothing else in the compiler knows
// a vendor. Start with cpu.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_TARGETS_TARGET_H
#define XCC_FRONTEND_TARGETS_TARGET_H

#include "../Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace clang {
class CompilerInvocation;
}
namespace llvm {
class Module;
}

namespace xcc {

/// What to make of a linked device module.
enum class DeviceOutput { Image, Assembly, LLVMAssembly, Bitcode };

struct DeviceCodegenOptions {
  unsigned optLevel = 3; ///< 0 to 3
  DeviceOutput output = DeviceOutput::Image;
  /// Where libraries that device code may need lie (-L of the host link).
  std::vector<std::string> libraryPaths;
  std::string saveTempsPrefix;
};

/// A finished image and what its OffloadBinary says of it.
struct DeviceImage {
  std::string triple, arch;
  std::unique_ptr<llvm::MemoryBuffer> data;
  std::string kernelTable; ///< the "xcc.kernels" string
  std::string features;    ///< the "xcc.features" string, may be empty
};

class Target {
public:
  virtual ~Target() = default;

  /// The triple its device passes are compiled for.
  virtual llvm::StringRef triple() const = 0;
  /// The canonical name of an arch as written in -offload-arch=, or nullopt if
  /// it is not one of this target's.
  virtual std::optional<std::string> parseArch(llvm::StringRef arch) const = 0;
  /// Every name parseArch takes, for -print-offload-archs and messages.
  virtual std::vector<std::string> archs() const = 0;
  /// Whether kernels may follow references into the host's memory.
  virtual bool sharesHostMemory() const { return false; }
  /// Whether device code may hold the host's inline assembly.
  virtual bool runsHostAssembly() const { return false; }
  /// Adjusts a copy of the host's invocation into this target's device pass.
  virtual void adjustInvocation(clang::CompilerInvocation &) const = 0;
  /// Adds what this target's kernels need to a device pass's module.
  virtual void markEntry(llvm::Module &module, const Kernel &kernel) const = 0;
  /// Optimises a linked module and generates code for one arch. The module is
  /// the callee's to change. Thread-safe for modules of distinct contexts.
  virtual llvm::Expected<DeviceImage>
  generate(llvm::Module &module, llvm::StringRef arch,
           const KernelTable &kernels,
           const DeviceCodegenOptions &options) const = 0;
  /// The file name of this target's device runtime, below lib/xcc/.
  virtual llvm::StringRef deviceRuntime() const = 0;
};

/// All targets, the default one first.
llvm::ArrayRef<const Target *> allTargets();
/// The target that knows `arch`, with the canonical name, or null.
const Target *findTarget(llvm::StringRef arch, std::string &canonical);
/// The target of an embedded module's triple, or null.
const Target *findTargetByTriple(llvm::StringRef triple);

const Target &cpuTarget();

} // namespace xcc

#endif // XCC_FRONTEND_TARGETS_TARGET_H
