// The version line of xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Identity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xcc {

std::string versionLine(const Installation &installation) {
  std::string line = "xcc version " XCC_VERSION " (device runtime";
  std::string files;
  for (const Target *target : allTargets())
    for (StringRef name : target->runtimeFiles()) {
      auto file = MemoryBuffer::getFile(
          installation.deviceRuntimes() + "/" + name, /*IsText=*/false,
          /*RequiresNullTerminator=*/false);
      files += file ? utohexstr(xxh3_64bits((*file)->getBuffer()))
                    : ("no " + name).str();
    }
  line += " " + utohexstr(xxh3_64bits(files), /*LowerCase=*/true, /*Width=*/16);
  return line + ")";
}

} // namespace xcc
