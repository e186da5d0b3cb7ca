// Static libraries, member by member
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "archive.h"

#include <charconv>
#include <cstring>

namespace xcc::rt {

namespace {
/// A member's header: fixed columns of text.
struct Header {
  char name[16], date[12], user[6], group[6], mode[8], size[10], end[2];
};
static_assert(sizeof(Header) == 60);

std::string_view trimmed(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// The number that \p text begins with; false if it begins with none.
bool number(std::string_view text, size_t &out) {
  return std::from_chars(text.data(), text.data() + text.size(), out).ec ==
         std::errc();
}
} // namespace

bool ArchiveReader::is(Bytes file) {
  std::string_view text(file.data(), file.size());
  return text.starts_with("!<arch>\n") || text.starts_with("!<thin>\n");
}

ArchiveReader::ArchiveReader(Bytes file)
    : file(file), thin(std::string_view(file.data(), 8) == "!<thin>\n") {}

bool ArchiveReader::next(Member &out) {
  while (!why && at < file.size()) {
    Header header;
    if (file.size() - at < sizeof(header)) {
      why = "is cut short";
      break;
    }
    memcpy(&header, file.data() + at, sizeof(header));
    at += sizeof(header);
    size_t size;
    if (std::string_view(header.end, 2) != "`\n" ||
        !number({header.size, sizeof(header.size)}, size)) {
      why = "has a member whose header is damaged";
      break;
    }
    std::string_view name = trimmed({header.name, sizeof(header.name)});
    const bool index = name == "/" || name == "/SYM64/" || name == "//";
    const bool inside = !thin || index;
    if (inside && size > file.size() - at) {
      why = "is cut short";
      break;
    }
    std::string_view content(file.data() + at, inside ? size : 0);
    if (inside)
      at += size + size % 2; // members begin at even places
    if (name == "//")
      longNames = content;
    if (index)
      continue;
    size_t place;
    if (name.starts_with("/") && number(name.substr(1), place)) {
      if (place >= longNames.size()) {
        why = "has a member whose name is not there";
        break;
      }
      name = longNames.substr(place);
      name = name.substr(0, name.find('\n'));
    }
    if (name.ends_with("/"))
      name.remove_suffix(1);
    out = {std::string(name), Bytes(content.data(), content.size()), thin};
    return true;
  }
  return false;
}

} // namespace xcc::rt
