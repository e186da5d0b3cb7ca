// lld in this process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Link.h"
#include "LinkErrors.h"
#include "lld/Common/Driver.h"
#include "support/Files.h"
#include "support/Processes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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

Expected<std::unique_ptr<MemoryBuffer>>
linkWithLLD(StringRef object, ArrayRef<std::string> args,
            const DeviceCodegenOptions &options) {
  StringRef saveTempsPrefix = options.saveTempsPrefix;
  std::string input = (saveTempsPrefix + ".o").str();
  std::string output = (saveTempsPrefix + ".so").str();
  // A source may be called "-x.cpp".
  if (StringRef(input).starts_with("-")) {
    input.insert(0, "./");
    output.insert(0, "./");
  }
  std::vector<TemporaryFile> temporaries;
  if (saveTempsPrefix.empty()) {
    auto files = createTemporaries("xcc-device", {"o", "so"});
    if (!files)
      return files.takeError();
    temporaries = std::move(*files);
    input = temporaries[0].path().str();
    output = temporaries[1].path().str();
  }
  if (Error error = writeFile(input, [&](raw_ostream &os) { os << object; }))
    return createStringError("cannot write '" + input +
                             "': " + toString(std::move(error)));
  // One small object: threads would cost more than they do.
  SmallVector<std::string> all = {"--threads=1", "--no-demangle", "-o", output,
                                  input};
  all.append(args.begin(), args.end());
  std::string messages;
  bool done;
  {
    UnknownFiles files;
    done = runLLD(all, messages);
  }
  if (!done)
    return createStringError(explainLinkErrors(messages, options));
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
