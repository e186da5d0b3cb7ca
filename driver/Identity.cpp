//===-- Identity.cpp - Which xcc this is
//-----------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Identity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace xcc {

std::string versionLine(const Installation &installation) {
  std::string line = "xcc version " XCC_VERSION " (device runtime";
  for (const Target *target : allTargets()) {
    std::string path =
        installation.deviceRuntimes() + "/" + target->deviceRuntime().str();
    auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    line += " ";
    line += file ? utohexstr(xxh3_64bits((*file)->getBuffer()),
                             /*LowerCase=*/true, /*Width=*/16)
                 : std::string("missing");
  }
  return line + ")";
}

} // namespace xcc
