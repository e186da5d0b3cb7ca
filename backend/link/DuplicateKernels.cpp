// Internal kernels with the same symbol in several units
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DuplicateKernels.h"
#include "Names.h"
#include "formats/duplicate_name.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <tuple>

using namespace llvm;

namespace xcc {
namespace {

/// Whether these are two units, not one unit compiled for two targets.
bool areDuplicates(const DeviceModule &a, const DeviceModule &b) {
  return a.target == b.target || a.origin != b.origin;
}

std::unique_ptr<MemoryBuffer> write(const Module &module, StringRef name) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(module, os);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes), name);
}

void rename(Module &module, const StringMap<std::string> &names) {
  for (const auto &[from, to] : names)
    if (Function *kernel = module.getFunction(from))
      kernel->setName(to);
}

Error reject(const DeviceModule &a, const DeviceModule &b, const Twine &what) {
  return createStringError(
      "'" + a.origin + "' and '" + b.origin +
      "' were compiled of the same text under the same name, and " + what +
      "; compile one of them with -cuid=ID, any word that differs from the "
      "other file's");
}

} // namespace

DuplicateKernels::DuplicateKernels(std::vector<DeviceModule> &inputs) {
  StringMap<SmallVector<const DeviceModule *, 2>> users;
  StringSet<> shared;
  for (const DeviceModule &input : inputs)
    for (const Kernel &kernel : input.kernels) {
      if (kernel.external)
        continue;
      auto &others = users[kernel.symbol];
      for (const DeviceModule *other : others)
        if (areDuplicates(*other, input))
          shared.insert(kernel.symbol);
      others.push_back(&input);
    }
  if (shared.empty())
    return;
  std::map<std::tuple<std::string, uint64_t, const Target *>, unsigned> count;
  for (DeviceModule &input : inputs)
    for (Kernel &kernel : input.kernels) {
      if (kernel.external || !shared.contains(kernel.symbol))
        continue;
      unsigned number = count[{kernel.symbol, kernel.text, input.target}]++;
      std::string name = rt::duplicateName(kernel.symbol, kernel.text, number);
      renamed[&input][kernel.symbol] = name;
      kernel.symbol = name;
    }
}

Error DuplicateKernels::separate(DeviceModule &input) {
  auto names = renamed.find(&input);
  if (names == renamed.end())
    return Error::success();
  uint64_t text = 0;
  for (const Kernel &kernel : input.kernels)
    if (!kernel.external)
      text = kernel.text;
  LLVMContext context;
  std::unique_ptr<Module> own;
  Module *module = input.module.get();
  std::unique_ptr<MemoryBuffer> written;
  if (module) {
    written = write(*module, input.origin);
  } else {
    auto read = parseBitcodeFile(input.bitcode->getMemBufferRef(), context);
    if (!read)
      return createStringError("cannot read the device code of '" +
                               input.origin +
                               "': " + toString(read.takeError()) +
                               "; is the file damaged? Compile it again");
    own = std::move(*read);
    module = own.get();
  }
  uint64_t code =
      xxh3_64bits(written ? written->getBuffer() : input.bitcode->getBuffer());
  auto [same, fresh] =
      first.try_emplace({input.target, text}, std::pair(&input, code));
  if (!fresh && same->second.second != code)
    return reject(*same->second.first, input,
                  "their device code differs, so nothing says which file's "
                  "kernels a launch means");
  if (!fresh && module->getNamedMetadata(OwnHostEntries))
    return reject(*same->second.first, input,
                  "their kernels call functions of the host that are each "
                  "file's own");
  rename(*module, names->second);
  if (own)
    input.bitcode = write(*own, input.origin);
  return Error::success();
}

} // namespace xcc
