// One depfile for all passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build systems rebuild what a depfile names. A header that only the device
// pass includes, and the device runtime, must be in it too.

#ifndef XCC_FRONTEND_UNIT_DEPENDENCIES_H
#define XCC_FRONTEND_UNIT_DEPENDENCIES_H

#include "DiagnosticLog.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include <memory>
#include <string>

namespace xcc {

/// The files that a device pass reads; system headers only if asked for.
class DeviceHeaders : public clang::DependencyCollector {
public:
  explicit DeviceHeaders(bool system) : system(system) {}

private:
  bool system;
  bool needSystemDependencies() override { return system; }
  bool sawDependency(llvm::StringRef file, bool fromModule, bool isSystem,
                     bool isModuleFile, bool isMissing) override;
};

/// The host pass's depfile, held back until the other passes have ended.
class DependencyFile : public clang::DependencyFileGenerator {
public:
  /// Takes over the depfile that the instance's invocation asks for; null if
  /// it asks for none. Before the instance executes anything.
  static std::shared_ptr<DependencyFile> takeOver(clang::CompilerInstance &ci);

  /// Writes it, naming `more` as well. False after an error in the log.
  bool write(llvm::ArrayRef<std::string> more, DiagnosticLog &log);

  explicit DependencyFile(const clang::DependencyOutputOptions &options)
      : DependencyFileGenerator(options), path(options.OutputFile) {}

private:
  std::string path;
  void finishedMainFile(clang::DiagnosticsEngine &) override {}
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEPENDENCIES_H
