// The driver's environment: file system, streams, xcc's own files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverEnv.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace xcc {

Error DriverEnv::findInstallation(const char *argv0) {
  static int anchor;
  installation.executable = sys::fs::getMainExecutable(argv0, &anchor);
  installation.prefix =
      sys::path::parent_path(sys::path::parent_path(installation.executable))
          .str();
  installation.clang = XCC_LLVM_ROOT "/bin/clang++";
  if (!fs->exists(installation.clang)) {
    auto other = sys::findProgramByName("clang++-22");
    if (!other)
      return createStringError(
          "cannot find Clang 22, whose headers xcc uses; install clang-22");
    installation.clang = *other;
  }
  if (!fs->exists(installation.include() + "/xcc/xcc.h"))
    return createStringError("cannot find xcc's headers in '" +
                             installation.include() +
                             "'; is xcc installed completely?");
  return Error::success();
}

} // namespace xcc
