// Collects the device code of one command
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_DEVICEINPUTS_H
#define XCC_DRIVER_DEVICEINPUTS_H

#include "Plan.h"
#include "link/DeviceLink.h"
#include "llvm/ADT/StringMap.h"

namespace xcc {

/// Collects the device code that the command's passes make, and that of the
/// objects, archives and shared libraries of its link.
class DeviceInputs {
public:
  DeviceInputs(const DriverEnv &env, const Plan &plan, const Options &options)
      : env(env), plan(plan), options(options) {}

  /// Reads the files of the link. Some may be outputs of this command: a second
  /// call, with `compiled`, reads them.
  llvm::Error read(bool compiled);

  /// Returns an error if a file's device code was removed.
  llvm::Error checkComplete() const;

  /// Sorts the modules by the order of their files in the host's link, in which
  /// their initialisers run.
  void order();

  /// The linker's arguments for the libraries whose variables images use.
  std::vector<std::string>
  neededLibraries(llvm::ArrayRef<DeviceImage> images) const;

  /// Whether the file holds device code, or a pass of this command makes some
  /// for it.
  bool hasCode(llvm::StringRef file) const;

  /// Whether no file of the link has device code so far.
  bool empty() const { return modules.empty() && lacking.empty(); }

  std::vector<DeviceModule> modules;
  KernelTable kernels;

private:
  const DriverEnv &env;
  const Plan &plan;
  const Options &options;
  std::vector<std::string> filesRead;
  std::vector<std::string> deviceFiles; ///< files that hold device code
  std::vector<std::string> lacking;     ///< objects whose device code is gone
  /// For each shared library's name, the argument that names it in the link.
  llvm::StringMap<std::string> libraryArguments;

  bool isMadeHere(llvm::StringRef file) const;
  bool comesFromPasses(llvm::StringRef file, bool compiled) const;
  void readLibraries();
};

} // namespace xcc

#endif // XCC_DRIVER_DEVICEINPUTS_H
