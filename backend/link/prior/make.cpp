// Writes what packed bitcode begins with having seen: see make.py
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/DeviceInputs.h"
#include "link/DeviceModule.h"
#include "link/Embed.h"
#include "link/PackedBitcode.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int count, char **arguments) {
  std::vector<std::unique_ptr<MemoryBuffer>> kept;
  std::vector<StringRef> modules;
  ExitOnError check("make: ");
  for (const char *file : ArrayRef(arguments, count).drop_front())
    for (xcc::DeviceModule &module : check(xcc::readObject(file)).inputs) {
      kept.push_back(check(xcc::unpackBitcode(module.packed, file)));
      modules.push_back(kept.back()->getBuffer());
    }
  SmallString<0> packed = check(xcc::packPrior(modules));
  outs() << "// By prior/make.py, of prior/sample.c and prior/sample.cpp.\n";
  for (size_t i = 0; i != packed.size(); ++i)
    outs() << unsigned(uint8_t(packed[i])) << (i % 24 == 23 ? ",\n" : ",");
  outs() << '\n';
}
