//===-- Link.cpp - lld in this process
//-------------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Link.h"
#include "LinkErrors.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace xcc {

bool runLLD(ArrayRef<std::string> args, std::string &messages) {
  // lld keeps its context in a global.
  static std::mutex once;
  std::lock_guard<std::mutex> lock(once);
  SmallVector<const char *> argv = {"ld.lld"};
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  raw_string_ostream os(messages);
  lld::Result result =
      lld::lldMain(argv, os, os, {{lld::Gnu, &lld::elf::link}});
  return result.retCode == 0;
}

Expected<std::unique_ptr<MemoryBuffer>> linkWithLLD(StringRef object,
                                                    ArrayRef<std::string> args,
                                                    StringRef saveTempsPrefix) {
  SmallString<128> input, output;
  if (!saveTempsPrefix.empty()) {
    input = saveTempsPrefix;
    input += ".o";
    output = saveTempsPrefix;
    output += ".so";
  } else {
    if (auto error = sys::fs::createTemporaryFile("xcc-device", "o", input))
      return createStringError(error, "cannot create a temporary file: " +
                                          error.message());
    if (auto error = sys::fs::createTemporaryFile("xcc-device", "so", output)) {
      sys::fs::remove(input);
      return createStringError(error, "cannot create a temporary file: " +
                                          error.message());
    }
  }
  FileRemover removeInput, removeOutput;
  if (saveTempsPrefix.empty()) {
    removeInput.setFile(input);
    removeOutput.setFile(output);
  }
  {
    std::error_code error;
    raw_fd_ostream os(input, error);
    os << object;
    os.flush();
    if (error || os.has_error()) {
      if (!error)
        error = os.error();
      os.clear_error();
      return createStringError(error, "cannot write '" + input +
                                          "': " + error.message());
    }
  }
  // One small object: threads would cost more than they do.
  SmallVector<std::string> all = {"--threads=1", "-o", output.str().str(),
                                  input.str().str()};
  all.append(args.begin(), args.end());
  std::string messages;
  if (!runLLD(all, messages))
    return createStringError(explainLinkErrors(messages));
  auto linked = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!linked)
    return createStringError(linked.getError(),
                             "cannot read '" + output +
                                 "': " + linked.getError().message());
  return std::move(*linked);
}

} // namespace xcc
