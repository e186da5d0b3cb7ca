// Stores of fewer bits than a register has
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers in LLVM's PTX have a size but no type. If a register is wider than
// the stored value, PTX stores its low bits. But if a floating-point
// instruction wrote the register, ptxas assumes that it is a floating-point
// number, and converts it to an integer of the stored size:
//
//     mul.rn.f64   %rd4, %rd3, 0d4008000000000000;
//     st.global.b8 [%rd2], %rd4;                  // F2I.U8.F64.TRUNC
//
// The front end of ptxas decides this by the last instruction of the block that
// writes the register. It does so for every kind of store: of one or more
// values, to any memory, of an argument or a result. A copy of the register
// prevents it. So each such store gets copies that are integers, whatever wrote
// its registers. When ptxas optimises, the copies of integers cost nothing.

#include "ptx.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

bool isInName(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; }

/// The number of bits of a back-end register, or 0 if the word does not name
/// one.
unsigned bitsOfRegister(StringRef word) {
  unsigned bits = word.consume_front("%rd")   ? 64
                  : word.consume_front("%rs") ? 16
                  : word.consume_front("%r")  ? 32
                                              : 0;
  return !word.empty() && all_of(word, isDigit) ? bits : 0;
}

/// The number of bits of each value that an instruction such as st.global.v2.b8
/// stores, or 0 if there is no integer type of this size.
unsigned bitsOfStore(StringRef opcode) {
  StringRef type = opcode.rsplit('.').second;
  if (!type.consume_front("b") && !type.consume_front("u") &&
      !type.consume_front("s"))
    return 0;
  unsigned bits = 0;
  return type.getAsInteger(10, bits) ? 0 : bits;
}

/// The start of the statement whose opcode is at \p at. A predicate before the
/// opcode is included.
size_t beginOf(StringRef text, size_t at) {
  StringRef before = text.take_front(at).rtrim();
  while (!before.empty() && isInName(before.back()))
    before = before.drop_back();
  before.consume_back("!");
  return before.consume_back("@") ? before.size() : at;
}

/// The store whose opcode is at \p at, changed to store copies of its
/// registers. Empty if it needs no change.
std::string withCopies(StringRef text, size_t begin, size_t at, size_t end) {
  StringRef opcode = text.slice(at, end).take_until(
      [](char c) { return isSpace(c) || c == '['; });
  size_t address = text.find(']', at);
  unsigned bits = bitsOfStore(opcode);
  if (!bits || address >= end)
    return "";
  // After the stored values there may be a cache policy.
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
