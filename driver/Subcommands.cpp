// Commands of xcc that compile nothing
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Subcommands.h"
#include "link/IRObject.h"
#include "support/Processes.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {
namespace {

bool isPrecompile(ArrayRef<const char *> args) {
  return args.size() > 1 && StringRef(args[1]) == "--precompile";
}

/// Runs xcc-info, which generates the code of a program's portable images for
/// this machine's devices. xcc itself does not link the runtime.
Expected<int> precompile(ArrayRef<const char *> args) {
  std::string xcc = sys::fs::getMainExecutable(
      args.front(), reinterpret_cast<void *>(&precompile));
  SmallString<128> tool(sys::path::parent_path(xcc));
  sys::path::append(tool, "xcc-info");
  // Its error messages start with xcc's name.
  SmallVector<StringRef> words = {sys::path::filename(xcc)};
  for (const char *arg : args.drop_front())
    words.push_back(arg);
  std::string message;
  int status = executeAndWait(tool, words, {}, &message);
  if (status < 0)
    return createStringError("cannot run '" + tool + "': " + message);
  return status;
}

/// Prints the .llvm.offloading section that the object of the bitcode on
/// standard input will have. For xcc-info, which does not link LLVM.
Expected<int> printDeviceSections(raw_ostream &out) {
  auto bitcode = MemoryBuffer::getSTDIN();
  if (!bitcode)
    return errorCodeToError(bitcode.getError());
  if (Error error = checkBitcode((*bitcode)->getMemBufferRef()))
    return std::move(error);
  Expected<IRContents> contents = readIRObject((*bitcode)->getMemBufferRef());
  if (!contents)
    return contents.takeError();
  // Skip other sections, such as the mark of host-only code.
  for (StringRef section : contents->sections)
    if (identify_magic(section) == file_magic::offload_binary) {
      out << section;
      out.write_zeros(offsetToAlignment(section.size(), Align(8)));
    }
  return 0;
}

} // namespace

bool isSubcommand(ArrayRef<const char *> args) {
  return isPrecompile(args) ||
         (args.size() == 2 && StringRef(args[1]) == "--print-device-sections");
}

Expected<int> runSubcommand(const DriverEnv &env, ArrayRef<const char *> args) {
  return isPrecompile(args) ? precompile(args) : printDeviceSections(env.out);
}

} // namespace xcc
