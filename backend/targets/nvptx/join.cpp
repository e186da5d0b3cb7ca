// Joins the PTX of several parts into one text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

/// Splits a text into declarations and definitions.
class Statements {
public:
  explicit Statements(StringRef text) : rest(text) {}

  /// The next statement with the comments before it. Empty at the end.
  StringRef next() {
    unsigned depth = 0;
    bool function = false;
    for (size_t at = 0; at < rest.size(); ++at) {
      StringRef here = rest.drop_front(at);
      if (size_t length = lengthOfIgnored(here)) {
        at += length - 1;
      } else if (depth == 0 &&
                 (here.starts_with(".func") || here.starts_with(".entry"))) {
        function = true;
      } else if (here.front() == '{') {
        ++depth;
      } else if (here.front() == '}') {
        if (depth && --depth == 0 && function)
          return take(at + 1);
      } else if (here.front() == ';' && depth == 0) {
        return take(at + 1);
      }
    }
    // Only comments are left.
    rest = "";
    return "";
  }

private:
  StringRef rest;
  StringRef take(size_t count) {
    StringRef statement = rest.take_front(count);
    rest = rest.drop_front(count);
    return statement;
  }
};

/// A statement without comments before it.
StringRef bare(StringRef statement) {
  while (true) {
    statement = statement.ltrim();
    if (!statement.starts_with("//"))
      return statement;
    statement =
        statement.drop_front(std::min(statement.find('\n'), statement.size()));
  }
}

/// The symbol that a statement defines or declares.
struct Named {
  StringRef name;
  bool isVariable;

  explicit Named(StringRef statement) {
    StringRef head = statement.take_front(statement.find_first_of("{=;"));
    for (StringRef kind : {".func", ".entry"}) {
      size_t at = head.find(kind);
      if (at == StringRef::npos)
        continue;
      // .func (.param .b32 func_retval0) name(
      StringRef rest = head.drop_front(at + kind.size()).ltrim();
      if (rest.starts_with("("))
        rest = rest.drop_front(std::min(rest.find(')'), rest.size() - 1) + 1);
      rest = rest.ltrim();
      name = rest.take_front(rest.find_first_of("( \t\n"));
      isVariable = false;
      return;
    }
    // .global .align 4 .b8 name[8] = {
    head = head.take_front(head.find('[')).rtrim();
    name = head.drop_front(head.find_last_of(" \t") + 1);
    isVariable = true;
  }
};

/// The text up to and including the .address_size line.
StringRef headerOf(StringRef ptx) {
  size_t at = ptx.find("\n.address_size ");
  return at == StringRef::npos ? ""
                               : ptx.take_front(ptx.find('\n', at + 1) + 1);
}

constexpr StringLiteral Version = ".version ";

/// The directives of a header, without the PTX version.
std::string meaningOf(StringRef header) {
  std::string text;
  for (StringRef line : split(header, '\n'))
    if (line.starts_with(".") && !line.starts_with(Version))
      text += line.str() + '\n';
  return text;
}

/// Parses a version: 8 and 1 for 8.1.
std::pair<unsigned, unsigned> versionOf(StringRef header) {
  StringRef rest =
      header.drop_front(std::min(header.find(Version), header.size()));
  std::pair<unsigned, unsigned> version = {0, 0};
  if (rest.consume_front(Version) && !rest.consumeInteger(10, version.first) &&
      rest.consume_front("."))
    rest.consumeInteger(10, version.second);
  return version;
}

/// The header of the part with the newest PTX version, which supports
/// everything that the older ones do.
StringRef newestHeader(ArrayRef<StringRef> parts) {
  StringRef newest = headerOf(parts.front());
  for (StringRef part : parts.drop_front())
    if (versionOf(headerOf(part)) > versionOf(newest))
      newest = headerOf(part);
  return newest;
}

} // namespace

Expected<std::string> joinPTX(ArrayRef<StringRef> parts) {
  StringRef header = newestHeader(parts);
  std::string joined = header.str();
  StringMap<size_t> owners;          // the part that defines each name
  StringMap<StringRef> declarations; // of symbols that no part defines
  // The last part defines what the others share, so it comes first: defined
  // symbols need no declarations.
  for (size_t count = 0; count != parts.size(); ++count) {
    size_t number = (count + parts.size() - 1) % parts.size();
    StringRef part = parts[number], own = headerOf(part);
    if (own.empty() || meaningOf(own) != meaningOf(header))
      return createStringError("parts of the PTX differ in their kind");
    Statements statements(part.drop_front(own.size()));
    while (true) {
      StringRef statement = statements.next();
      if (statement.empty())
        break;
      StringRef text = bare(statement);
      if (text.starts_with(".file") || text.starts_with(".section"))
        return createStringError("parts of the PTX have lines of sources");
      Named named(text);
      if (text.starts_with(".extern ")) {
        if (named.isVariable && owners.contains(named.name))
          continue;
        auto [at, fresh] = declarations.try_emplace(named.name, text);
        if (!fresh && at->second != text)
          return createStringError("parts of the PTX declare '" + named.name +
                                   "' differently");
        if (!fresh)
          continue;
      } else if (owners.try_emplace(named.name, number).first->second !=
                 number) {
        return createStringError("two parts of the PTX define '" + named.name +
                                 "'");
      }
      joined += statement;
    }
    joined += '\n';
  }
  return joined;
}

} // namespace xcc::nvptx
