// Runs lld in this process
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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace xcc {

/// lld keeps its context in a global variable, so only one link may run.
static std::mutex linkMutex;
namespace {
/// The state of an abandoned link. It is a raw pointer: a thread-local variable
/// with a destructor needs memory when it is registered, and the process would
/// end if there is none.
struct Link {
  std::string messages;
};
} // namespace
static thread_local Link *thisLink = nullptr;

std::string abandonLink() {
  std::unique_ptr<Link> link(std::exchange(thisLink, nullptr));
  if (!link)
    return "";
  linkMutex.unlock();
  return std::move(link->messages);
}

bool runLLD(ArrayRef<std::string> args, std::string &messages) {
  SmallVector<const char *> argv = {"ld.lld"};
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  auto link = std::make_unique<Link>();
  linkMutex.lock();
  thisLink = link.release();
  raw_string_ostream os(thisLink->messages);
  lld::Result result =
      lld::lldMain(argv, os, os, {{lld::Gnu, &lld::elf::link}});
  messages += abandonLink();
  return result.retCode == 0;
}

namespace {

std::string pathOf(int file) { return "/proc/self/fd/" + utostr(file); }

/// A file in memory with a path in this process.
class MemoryFile {
public:
  MemoryFile() : file(memfd_create("xcc-device", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (file >= 0)
      close(file);
  }
  MemoryFile(const MemoryFile &) = delete;
  std::string path() const { return pathOf(file); }
  bool fill(StringRef bytes) const {
    while (!bytes.empty()) {
      ssize_t done = write(file, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return false;
      bytes = bytes.drop_front(size_t(done));
    }
    return file >= 0;
  }

private:
  int file;
};

/// Collects what is written to its path. It is not a regular file: for one,
/// LLVM would make a temporary file and handle signals.
class MemoryOutput {
public:
  MemoryOutput() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      return;
    try {
      // The thread may outlive an abandoned link.
      reader =
          std::thread([from = ends[0], to = bytes] { readAll(from, *to); });
    } catch (const std::system_error &) {
      close(ends[0]);
      close(ends[1]);
    }
  }
  ~MemoryOutput() {
    if (reader.joinable())
      finish();
  }
  MemoryOutput(const MemoryOutput &) = delete;
  bool isOpen() const { return reader.joinable(); }
  std::string path() const { return pathOf(ends[0]); }
  /// Returns the output. Call it after the last write.
  StringRef finish() {
    close(ends[1]);
    reader.join();
    close(ends[0]);
    return *bytes;
  }

private:
  int ends[2] = {-1, -1};
  std::shared_ptr<SmallString<0>> bytes = std::make_shared<SmallString<0>>();
  std::thread reader;

  static void readAll(int from, SmallString<0> &bytes) {
    char block[1 << 16];
    while (true) {
      ssize_t done = read(from, block, sizeof(block));
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return;
      bytes.append(StringRef(block, size_t(done)));
    }
  }
};

/// Links without visible files, and without LLVM's signal handlers for files.
Expected<std::unique_ptr<MemoryBuffer>>
linkInMemory(StringRef object, ArrayRef<std::string> args,
             const DeviceCodegenOptions &options) {
  MemoryFile input;
  if (!input.fill(object))
    return createStringError("no memory for a file to link: " +
                             sys::StrError());
  MemoryOutput output;
  if (!output.isOpen())
    return createStringError("no pipe for what is linked: " + sys::StrError());
  SmallVector<std::string> all = {"--threads=1",           "--no-demangle",
                                  "--no-mmap-output-file", "-o",
                                  output.path(),           input.path()};
  all.append(args.begin(), args.end());
  std::string messages;
  if (!runLLD(all, messages))
    return createStringError(explainLinkErrors(messages, options));
  return MemoryBuffer::getMemBufferCopy(output.finish());
}

} // namespace

Expected<std::unique_ptr<MemoryBuffer>>
linkWithLLD(ArrayRef<StringRef> objects, ArrayRef<std::string> args,
            const DeviceCodegenOptions &options) {
  if (options.inProgram)
    return linkInMemory(objects.front(), args, options);
  StringRef saveTempsPrefix = options.saveTempsPrefix;
  std::vector<std::string> inputs = {(saveTempsPrefix + ".o").str()};
  std::string output = (saveTempsPrefix + ".so").str();
  // A source may be called "-x.cpp".
  if (saveTempsPrefix.starts_with("-")) {
    inputs.front().insert(0, "./");
    output.insert(0, "./");
  }
  std::vector<TemporaryFile> temporaries;
  if (saveTempsPrefix.empty()) {
    std::vector<StringRef> suffixes(objects.size(), "o");
    suffixes.push_back("so");
    auto files = createTemporaries("xcc-device", suffixes);
    if (!files)
      return files.takeError();
    temporaries = std::move(*files);
    output = temporaries.back().path().str();
    inputs.clear();
    for (const TemporaryFile &file : ArrayRef(temporaries).drop_back())
      inputs.push_back(file.path().str());
  }
  for (const auto &[object, input] : zip(objects, inputs))
    if (Error error = writeFile(input, [&](raw_ostream &os) { os << object; }))
      return createStringError("cannot write '" + input +
                               "': " + toString(std::move(error)));
  // The objects are small, so threads would cost more than they save.
  SmallVector<std::string> all = {"--threads=1", "--no-demangle", "-o", output};
  append_range(all, inputs);
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
