// Reads and fixes the PTX that the back end writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptx.h"
#include "formats/ptx_name.h"
#include "gpu/checks/Parameters.h"
#include "workarounds/workarounds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xcc::nvptx {

/// Parses one line of an entry's .param list into alignment and size.
///   .param .u64 .ptr .align 1 name   |   .param .align 8 .b8 name[24]
static std::pair<uint32_t, uint32_t> readParameter(StringRef line) {
  SmallVector<StringRef> words;
  line.split(words, ' ', -1, false);
  uint32_t size = 0, alignment = 0, count = 1;
  for (unsigned i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word == ".ptr") {
      break; // the rest describes the pointee
    } else if (word == ".align" && i + 1 < words.size()) {
      words[++i].getAsInteger(10, alignment);
    } else if (word.consume_front(".")) {
      unsigned bits = 0;
      word.drop_front(1).getAsInteger(10, bits);
      size = bits / 8;
    }
  }
  if (line.ends_with("]"))
    line.rsplit('[').second.drop_back().getAsInteger(10, count);
  return {std::max({alignment, size, 1u}), size * count};
}

namespace {
/// A parameter in the .param list.
struct Listed {
  uint32_t offset, size, alignment;
};
} // namespace

/// The parameters of an entry, or nullopt if the entry does not exist.
static std::optional<std::vector<Listed>> parametersOf(StringRef ptx,
                                                       StringRef symbol) {
  std::string head = (".entry " + symbol + "(").str();
  size_t at = ptx.find(head);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef list = ptx.drop_front(at + head.size());
  list = list.take_front(list.find(')'));
  std::vector<Listed> listed;
  uint32_t end = 0;
  for (StringRef line : split(list, ',')) {
    line = line.trim();
    if (!line.consume_front(".param"))
      continue;
    auto [alignment, size] = readParameter(line);
    listed.push_back({uint32_t(alignTo(end, alignment)), size, alignment});
    end = listed.back().offset + size;
  }
  return listed;
}

std::string differenceInPTX(StringRef ptx, const Kernel &kernel) {
  auto listed = parametersOf(ptx, ptxName(kernel.symbol));
  if (!listed)
    return kernel.params.empty() ? "" : "it is missing";
  std::vector<gpu::PlacedParameter> placed;
  auto next = listed->begin();
  for (const KernelParam &param : kernel.params) {
    if (!param.size) {
      placed.push_back({param.offset, 0}); // PTX has no such parameter
      continue;
    }
    if (next == listed->end())
      break;
    if (next->alignment > MostOfEntries.value())
      return "parameter " + utostr(placed.size() + 1) + " is aligned to " +
             utostr(next->alignment) + " bytes, and only " +
             utostr(MostOfEntries.value()) + " are what the host counts on";
    // The parameter may begin with padding; see parameters.cpp.
    uint32_t padding = param.alignment > MostOfEntries.value()
                           ? next->size - std::min(next->size, param.size)
                           : 0;
    placed.push_back({next->offset + padding, next->size - padding});
    ++next;
  }
  for (; next != listed->end(); ++next)
    placed.push_back({next->offset, next->size});
  return gpu::parameterDifference(placed, kernel);
}

/// The end of the name that begins at \p from.
static size_t nameEnd(StringRef text, size_t from) {
  return std::min(
      text.find_if_not(
          [](char c) { return isAlnum(c) || c == '_' || c == '$'; }, from),
      text.size());
}

size_t lengthOfIgnored(StringRef text) {
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  if (text.starts_with("/*"))
    return std::min(text.find("*/", 2), text.size() - 2) + 2;
  if (text.starts_with("\""))
    return std::min(text.find('"', 1), text.size() - 1) + 1;
  return 0;
}

void nameFilesForPTX(SmallVectorImpl<char> &text) {
  StringRef all(text.data(), text.size());
  for (size_t at = 0; (at = all.find("\n\t.file\t", at)) != StringRef::npos;) {
    size_t end = std::min(all.find('\n', at + 1), all.size());
    for (; at + 1 < end; ++at)
      if (text[at] == '\\') {
        if (text[at + 1] == '"')
          text[at] = text[at + 1] = '\'';
        ++at;
      }
  }
}

void writeWideParameters(SmallVectorImpl<char> &text) {
  constexpr StringLiteral wide = ".param .b128";
  StringRef rest(text.data(), text.size());
  if (!rest.contains(wide))
    return;
  std::string changed;
  for (size_t at; (at = rest.find(wide)) != StringRef::npos;) {
    changed += rest.take_front(at);
    rest = rest.drop_front(at + wide.size()).ltrim();
    size_t end = nameEnd(rest, 0);
    changed += (".param .align 16 .b8 " + rest.take_front(end) + "[16]").str();
    rest = rest.drop_front(end);
  }
  changed += rest;
  text.assign(changed.begin(), changed.end());
}

void declareForward(SmallVectorImpl<char> &text, ArrayRef<gpu::Ahead> list) {
  if (list.empty())
    return;
  StringMap<std::string> variables, declarations;
  for (const gpu::Ahead &each : list)
    variables[each.name] = each.variable;
  // .visible .global .align 8 .u64 name[2] = {...};
  auto nameOf = [&](StringRef line) {
    size_t at = line.find_first_of("=;[");
    StringRef head = line.take_front(at).rtrim();
    return head.drop_front(head.rfind(' ') + 1);
  };
  SmallVector<StringRef> lines;
  StringRef(text.data(), text.size()).split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef rest = line; rest.consume_front(".visible .global "))
      declarations[nameOf(line)] =
          (".extern .global " +
           rest.take_front(rest.find_first_of("=;")).rtrim() + ";")
              .str();
  std::string changed;
  for (StringRef line : lines) {
    if (line.starts_with(".extern .global "))
      if (auto found = variables.find(nameOf(line)); found != variables.end()) {
        changed += declarations.lookup(found->second) + '\n';
        continue;
      }
    // Outside declarations, each name is a whole word.
    for (size_t at = 0; at < line.size();) {
      size_t end = nameEnd(line, at);
      StringRef word = line.slice(at, std::max(end, at + 1));
      auto found = variables.find(word);
      changed += found == variables.end() ? word : StringRef(found->second);
      at += word.size();
    }
    changed += '\n';
  }
  changed.pop_back();
  text.assign(changed.begin(), changed.end());
}

} // namespace xcc::nvptx
