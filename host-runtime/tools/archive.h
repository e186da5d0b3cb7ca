// Static libraries, member by member
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_ARCHIVE_H
#define XCC_TOOLS_ARCHIVE_H

#include "formats/bytes.h"

#include <string>

namespace xcc::rt {

/// Reads an archive of ar's common format with GNU's long names, thin ones
/// too (System V ABI, "Archive File"; GNU binutils, "ar"). Views of the
/// archive's bytes, which must outlive it.
class ArchiveReader {
public:
  struct Member {
    std::string name;
    Bytes data;   ///< empty in a thin archive: the file of that name is it
    bool outside; ///< a thin archive's: the name is a path beside the archive
  };

  static bool is(Bytes file);
  explicit ArchiveReader(Bytes file);
  /// The next member that is no index; false at the end or at what is no
  /// member, with error() set then.
  bool next(Member &out);
  const char *error() const { return why; }

private:
  Bytes file;
  size_t at = 8;
  bool thin = false;
  std::string_view longNames;
  const char *why = nullptr;
};

} // namespace xcc::rt
#endif // XCC_TOOLS_ARCHIVE_H
