// What has device code in one command
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_DEVICEINPUTS_H
#define XCC_DRIVER_DEVICEINPUTS_H

#include "Plan.h"
#include "link/DeviceLink.h"
#include "llvm/ADT/StringMap.h"

namespace xcc {

/// Collects what the command's passes make, and what the objects, archives and
/// shared libraries hold that its link names.
class DeviceInputs {
public:
  DeviceInputs(const DriverEnv &env, const Plan &plan, const Options &options)
      : env(env), plan(plan), options(options) {}

  /// Reads the files of the link. Some may be outputs of this very command: they
  /// are read in a second call, `compiled`.
  llvm::Error read(bool compiled);

  /// An error where a file's device code was removed.
  llvm::Error checkComplete() const;

  /// Initialisers run in the order in which the host's link has their files.
  void order();

  /// The linker's arguments for the libraries that images use variables of.
  std::vector<std::string>
  neededLibraries(llvm::ArrayRef<DeviceImage> images) const;

  /// Does the file hold device code, or does a pass of this command make some
  /// for it?
  bool hasCode(llvm::StringRef file) const;

  /// Has no file of the link any, so far?
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
  /// What names the shared library of this name in the link.
  llvm::StringMap<std::string> libraryArguments;

  bool isMadeHere(llvm::StringRef file) const;
  bool comesFromPasses(llvm::StringRef file, bool compiled) const;
  void readLibraries();
};

} // namespace xcc

#endif // XCC_DRIVER_DEVICEINPUTS_H
