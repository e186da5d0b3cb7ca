// Stores of fewer bits than a register has
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of LLVM's PTX have a size and no type, and PTX stores the low
// bits of a register that is wider than what is stored. But where a
// floating-point instruction wrote that register, ptxas takes it for a
// floating-point number, which it converts to an integer of the stored size:
//
//     mul.rn.f64   %rd4, %rd3, 0d4008000000000000;
//     st.global.b8 [%rd2], %rd4;                  // F2I.U8.F64.TRUNC
//
// The front end of ptxas decides so, by the last instruction of the block that
// writes the register, and for every kind of store: of one or more values, to
// any memory, of an argument or a result. Copies end it. So each such store,
// whatever wrote its registers, stores copies that are integers; ptxas, when it
// optimises, makes the same code of those that were integers before.

#include "ptx.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

bool isInName(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; }

/// How many bits a register of the back end has; 0: the word names none.
unsigned bitsOfRegister(StringRef word) {
  unsigned bits = word.consume_front("%rd")   ? 64
                  : word.consume_front("%rs") ? 16
                  : word.consume_front("%r")  ? 32
                                              : 0;
  return !word.empty() && all_of(word, isDigit) ? bits : 0;
}

/// How many bits of each value an instruction such as st.global.v2.b8 stores; 0
/// when there is no such integer type.
unsigned bitsOfStore(StringRef opcode) {
  StringRef type = opcode.rsplit('.').second;
  if (!type.consume_front("b") && !type.consume_front("u") &&
      !type.consume_front("s"))
    return 0;
  unsigned bits = 0;
  return type.getAsInteger(10, bits) ? 0 : bits;
}

/// Where the statement begins whose opcode is at \p at: at its predicate,
/// where it has one.
size_t beginOf(StringRef text, size_t at) {
  StringRef before = text.take_front(at).rtrim();
  while (!before.empty() && isInName(before.back()))
    before = before.drop_back();
  before.consume_back("!");
  return before.consume_back("@") ? before.size() : at;
}

/// The store whose opcode is at \p at, of copies of its registers; empty if it
/// may stay as it is.
std::string withCopies(StringRef text, size_t begin, size_t at, size_t end) {
  StringRef opcode = text.slice(at, end).take_until(
      [](char c) { return isSpace(c) || c == '['; });
  size_t address = text.find(']', at);
  unsigned bits = bitsOfStore(opcode);
  if (!bits || address >= end)
    return "";
  // What follows the stored values says how caches are used.
  StringRef values = text.slice(address + 1, end);
  size_t comma = values.find(',');
  values = comma == StringRef::npos ? "" : values.drop_front(comma + 1).ltrim();
  size_t length = values.starts_with("{") ? values.find('}') : values.find(',');
  values = values.take_front(length);

  std::string copies,
      stored = text.slice(begin, values.begin() - text.begin()).str();
  unsigned count = 0;
  for (size_t from = 0; from < values.size();) {
    size_t to = values.find_if_not(isInName, from);
    StringRef word = values.slice(from, std::max(to, from + 1));
    from += word.size();
    unsigned has = bitsOfRegister(word);
    if (has <= bits) {
      stored += word;
      continue;
    }
    std::string copy = "%n" + utostr(count++), size = utostr(has);
    copies += ".reg .u" + size + " " + copy + "; mov.b" + size + " " + copy +
              ", " + word.str() + "; ";
    stored += copy;
  }
  if (copies.empty())
    return "";
  stored += text.slice(values.end() - text.begin(), end);
  return "{ " + copies + stored + "; }";
}

} // namespace

void storeIntegers(SmallVectorImpl<char> &all) {
  StringRef text(all.data(), all.size());
  std::string changed;
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    StringRef rest = text.drop_front(at);
    if (size_t length = lengthOfIgnored(rest)) {
      at += length;
      continue;
    }
    if (!isInName(rest.front())) {
      ++at;
      continue;
    }
    size_t end = text.find_if_not(isInName, at);
    if (!rest.starts_with("st.") || (at && text[at - 1] == '.')) {
      at = end;
      continue;
    }
    end = std::min(text.find(';', at), text.size());
    size_t begin = beginOf(text, at);
    std::string store = withCopies(text, begin, at, end);
    if (!store.empty()) {
      changed += text.slice(done, begin);
      changed += store;
      done = end + 1;
    }
    at = end;
  }
  if (!done)
    return;
  changed += text.drop_front(done);
  all.assign(changed.begin(), changed.end());
}

} // namespace xcc::nvptx
