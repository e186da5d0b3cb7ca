// One depfile for all passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build systems rebuild when a file of the depfile changes. So it must also
// contain headers that only a device pass includes, and the device runtime.

#ifndef XCC_FRONTEND_UNIT_DEPENDENCIES_H
#define XCC_FRONTEND_UNIT_DEPENDENCIES_H

#include "DiagnosticLog.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include <memory>
#include <string>

namespace xcc {

class ReadyHeader;

/// Collects the files that a device pass reads; system headers only if
/// requested.
class DeviceHeaders : public clang::DependencyCollector {
public:
  explicit DeviceHeaders(bool system) : system(system) {}

private:
  bool system;
  bool needSystemDependencies() override { return system; }
  bool sawDependency(llvm::StringRef file, bool fromModule, bool isSystem,
                     bool isModuleFile, bool isMissing) override;
};

/// The host pass's depfile, written when all passes have ended.
class DependencyFile : public clang::DependencyFileGenerator {
public:
  /// Takes over the depfile that the instance's invocation requests; null if it
  /// requests none. Must be called before the instance executes anything.
  static std::shared_ptr<DependencyFile> takeOver(clang::CompilerInstance &ci);

  /// Writes the depfile with the additional files `more`. Returns false after
  /// an error in the log.
  bool write(llvm::ArrayRef<std::string> more, DiagnosticLog &log);

  explicit DependencyFile(const clang::DependencyOutputOptions &options)
      : DependencyFileGenerator(options), path(options.OutputFile) {}

  /// Names the main file, which comes first, and the files of a precompiled
  /// header.
  void begin(llvm::StringRef mainFile, const ReadyHeader &header);
  void maybeAddDependency(llvm::StringRef file, bool fromModule, bool isSystem,
                          bool isModuleFile, bool isMissing) override;

private:
  std::string path;
  void finishedMainFile(clang::DiagnosticsEngine &) override {}
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEPENDENCIES_H
