//===-- Embed.cpp - Device code as OffloadBinary
//---------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Embed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

/// FNV-1a, 64 bits: what the runtime checks an image against.
std::string imageHash(StringRef bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3;
  return utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

} // namespace

std::string abiString() { return utostr(XCC_ABI_VERSION); }

SmallString<0> packModule(const Target &target, Module &module,
                          const KernelTable &layouts) {
  SmallString<0> bitcode;
  raw_svector_ostream os(bitcode);
  WriteBitcodeToFile(module, os);
  std::string abi = abiString(), table = writeLayouts(layouts);

  OffloadBinary::OffloadingImage image;
  image.TheImageKind = IMG_Bitcode;
  image.TheOffloadKind = OFK_None;
  image.StringData["triple"] = target.triple();
  image.StringData["arch"] = "generic";
  image.StringData["xcc.abi"] = abi;
  image.StringData["xcc.layouts"] = table;
  image.Image = MemoryBuffer::getMemBuffer(bitcode, "", false);
  return OffloadBinary::write(image);
}

SmallString<0> packImage(const DeviceImage &device) {
  std::string abi = abiString();
  std::string hash = imageHash(device.data->getBuffer());

  OffloadBinary::OffloadingImage image;
  image.TheImageKind = device.kind;
  image.TheOffloadKind = OFK_None;
  image.StringData["triple"] = device.triple;
  image.StringData["arch"] = device.arch;
  image.StringData["xcc.abi"] = abi;
  image.StringData["xcc.hash"] = hash;
  if (!device.features.empty())
    image.StringData["xcc.features"] = device.features;
  image.StringData["xcc.kernels"] = device.kernelTable;
  image.Image =
      MemoryBuffer::getMemBuffer(device.data->getMemBufferRef(), false);
  return OffloadBinary::write(image);
}

void embedForLink(Module &module, StringRef blob) {
  embedBufferInModule(module, MemoryBufferRef(blob, "xcc"), ".llvm.offloading",
                      Align(8));
}

} // namespace xcc
