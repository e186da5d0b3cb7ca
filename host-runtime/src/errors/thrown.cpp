// The exception that left a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "thrown.h"
#include "rpc/services/image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

namespace xcc::rt {

std::string readableName(const std::string &mangled) {
  int status = 1;
  char *readable =
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (!readable)
    return mangled;
  std::string result = readable;
  free(readable);
  return result;
}

ThrownException::ThrownException(const xcc_trap_note &note, uint64_t others) {
  symbol = note.has_type ? note.type : "";
  // A '*' marks a type of internal linkage.
  if (symbol.starts_with('*'))
    symbol.erase(0, 1);
  type = readableName(symbol);
  what = note.has_text ? note.text : "";
  facts.is_standard = note.has_text;
  function = readableName(note.has_function ? note.function : "");
  file = note.has_file ? note.file : "";
  facts.type = type.c_str();
  facts.symbol = symbol.c_str();
  facts.what = what.c_str();
  facts.function = function.c_str();
  facts.file = file.c_str();
  facts.line = note.has_file ? note.line : 0;
  for (int i = 0; i != 3; ++i) {
    facts.block[i] = note.known ? note.block[i] : UINT32_MAX;
    facts.thread[i] = note.known ? note.thread[i] : UINT32_MAX;
  }
  facts.others = others;
  facts.size = std::min<uint64_t>(note.size, sizeof object);
  memcpy(object, note.object, facts.size);
  facts.object = facts.size ? object : nullptr;
}

std::shared_ptr<ThrownException>
ThrownException::make(const xcc_trap_note &note, uint64_t others) noexcept {
  try {
    return std::make_shared<ThrownException>(note, others);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

bool ThrownException::isLowerThan(const ThrownException &other) const {
  const xcc_device_exception &a = facts, &b = other.facts;
  // Compare z first, because x changes fastest.
  for (auto [mine, theirs] :
       {std::pair(a.block, b.block), {a.thread, b.thread}})
    for (int i = 3; i--;)
      if (mine[i] != theirs[i])
        return mine[i] < theirs[i];
  return false;
}

} // namespace xcc::rt
