// The driver's environment: file system, streams, xcc's own files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main creates one and passes it down. No other code prints to a standard
// stream of the process, or finds xcc's own files by itself.

#ifndef XCC_DRIVER_DRIVERENV_H
#define XCC_DRIVER_DRIVERENV_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace xcc {

/// The paths of xcc's own files, derived from its executable.
struct Installation {
  std::string executable;
  std::string prefix; ///< contains bin/, include/, lib/
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
  llvm::raw_ostream &out; ///< requested output
  llvm::raw_ostream &err; ///< messages
  Installation installation;

  /// Sets `installation`. Returns an error if a part of it is missing.
  llvm::Error findInstallation(const char *argv0);
};

} // namespace xcc

#endif // XCC_DRIVER_DRIVERENV_H
