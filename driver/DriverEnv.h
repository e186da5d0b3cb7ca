// What the driver has of the world around it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main makes one of these and hands it down. Nothing below prints to a standard
// stream of the process or finds xcc's own files by itself.

#ifndef XCC_DRIVER_DRIVERENV_H
#define XCC_DRIVER_DRIVERENV_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace xcc {

/// The places of xcc's own files, found from its executable.
struct Installation {
  std::string executable;
  std::string prefix; ///< holds bin/, include/, lib/
  std::string clang;  ///< clang++ 22, whose resource directory is used
  std::string include() const { return prefix + "/include"; }
  std::string library() const { return prefix + "/lib"; }
  std::string deviceRuntimes() const { return prefix + "/lib/xcc"; }
  std::string runtime(bool shared) const {
    return library() + (shared ? "/libxcc.so" : "/libxcc.a");
  }
};

struct DriverEnv {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fs;
  llvm::raw_ostream &out; ///< what was asked for
  llvm::raw_ostream &err; ///< messages
  Installation installation;

  /// Sets `installation`. An error if something of it is missing.
  llvm::Error findInstallation(const char *argv0);
};

} // namespace xcc

#endif // XCC_DRIVER_DRIVERENV_H
