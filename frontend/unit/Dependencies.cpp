// One depfile for all passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependencies.h"
#include "AutomaticPCH.h"
#include "support/Files.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace xcc {

bool DeviceHeaders::sawDependency(StringRef file, bool, bool isSystem, bool,
                                  bool) {
  return !file.starts_with("<") && file != "-" && !AutomaticPCH::isOurs(file) &&
         (system || !isSystem);
}

void DependencyFile::maybeAddDependency(StringRef file, bool fromModule,
                                        bool isSystem, bool isModuleFile,
                                        bool isMissing) {
  if (!AutomaticPCH::isOurs(file))
    DependencyFileGenerator::maybeAddDependency(file, fromModule, isSystem,
                                                isModuleFile, isMissing);
}

std::shared_ptr<DependencyFile>
DependencyFile::takeOver(clang::CompilerInstance &ci) {
  clang::DependencyOutputOptions &options = ci.getDependencyOutputOpts();
  if (options.OutputFile.empty() || options.Targets.empty())
    return nullptr;
  auto file = std::make_shared<DependencyFile>(options);
  ci.addDependencyCollector(file);
  options.OutputFile.clear();
  return file;
}

void DependencyFile::begin(StringRef mainFile, const ReadyHeader &header) {
  addDependency(mainFile);
  for (const std::string &file : header.dependencies(needSystemDependencies()))
    addDependency(file);
}

bool DependencyFile::write(llvm::ArrayRef<std::string> more,
                           DiagnosticLog &log) {
  for (const std::string &name : more)
    addDependency(name);
  llvm::Error error =
      writeFile(path, [&](llvm::raw_ostream &os) { outputDependencyFile(os); });
  if (!error)
    return true;
  log.error("cannot write the dependency file '" + path +
            "': " + llvm::toString(std::move(error)));
  return false;
}

} // namespace xcc
