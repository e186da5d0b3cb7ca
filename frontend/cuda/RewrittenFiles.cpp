// Files of CUDA programs as the passes read them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RewrittenFiles.h"
#include "LaunchRewriter.h"
#include "ToolkitHeaders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

/// A file whose text is in memory.
class TextFile : public vfs::File {
public:
  TextFile(vfs::Status status, StringRef text)
      : known(std::move(status)), text(text) {}
  ErrorOr<vfs::Status> status() override { return known; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(text, name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status known;
  std::string text;
};

class RewrittenFiles : public vfs::ProxyFileSystem {
public:
  RewrittenFiles() : ProxyFileSystem(vfs::getRealFileSystem()) {}

  ErrorOr<vfs::Status> status(const Twine &path) override {
    ErrorOr<vfs::Status> real = ProxyFileSystem::status(path);
    if (real && real->isRegularFile())
      if (const std::string *text = rewritten(path))
        return vfs::Status::copyWithNewSize(*real, text->size());
    return real;
  }
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &path) override {
    ErrorOr<vfs::Status> real = status(path);
    if (real && real->isRegularFile())
      if (const std::string *text = rewritten(path))
        return std::make_unique<TextFile>(*real, *text);
    return ProxyFileSystem::openFileForRead(path);
  }

private:
  StringMap<std::optional<std::string>> known;

  /// Our header of a name that the toolkit has, wherever that is on the include
  /// path; or the toolkit's, if there is none.
  std::optional<std::string> ownInstead(StringRef header, StringRef path) {
    auto buffer = getUnderlyingFS().getBufferForFile(path);
    if (!buffer)
      return std::nullopt;
    std::string own = ("<xcc/cuda/toolkit/" + header + ">").str();
    return ("#if __has_include(" + own + ")\n#include " + own +
            "\n#else\n#line 1\n" + (*buffer)->getBuffer() + "\n#endif\n")
        .str();
  }

  /// Null of a file that is read as it is.
  const std::string *rewritten(const Twine &path) {
    std::string name = path.str();
    auto [entry, fresh] = known.try_emplace(name);
    if (!fresh)
      return entry->second ? &*entry->second : nullptr;
    if (std::string header = toolkitName(name, getUnderlyingFS());
        !header.empty())
      entry->second = ownInstead(header, name);
    else if (!StringRef(name).starts_with("/usr/"))
      if (auto buffer = getUnderlyingFS().getBufferForFile(name)) {
        RewrittenLaunches made = rewriteLaunches((*buffer)->getBuffer());
        if (made.rewritten)
          entry->second = std::move(made.text);
      }
    return entry->second ? &*entry->second : nullptr;
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> rewrittenFiles() {
  return makeIntrusiveRefCnt<RewrittenFiles>();
}

IntrusiveRefCntPtr<vfs::FileSystem> sourceFiles(bool cuda) {
  return cuda ? rewrittenFiles() : vfs::getRealFileSystem();
}

} // namespace xcc
