// The files that a source is compiled with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {

/// A text has its own name.
static std::string named(StringRef name, StringRef text) {
  std::string line = "#line 1 \"";
  for (char c : name) {
    if (c == '"' || c == '\\')
      line += '\\';
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  text.consume_front("\xEF\xBB\xBF");
  return line + "\"\n" + text.str();
}

IntrusiveRefCntPtr<vfs::FileSystem>
withTexts(IntrusiveRefCntPtr<NotedFiles> files, StringRef name, StringRef text,
          const xcc_source_options &options) {
  auto texts = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](StringRef name, StringRef text) {
    SmallString<128> path(TextFolder);
    sys::path::append(path, name);
    texts->addFile(path, 0, MemoryBuffer::getMemBufferCopy(text, path));
  };
  add(name, text);
  for (uint64_t i = 0; i != options.header_count; ++i) {
    const xcc_source_header &header = options.headers[i];
    add(header.name, named(header.name, StringRef(header.text, header.size)));
  }
  auto all = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(files));
  all->pushOverlay(std::move(texts));
  return all;
}

} // namespace xcc
