// Why device code gave up, in words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trap_text.h"
#include "xcc/abi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <string_view>

namespace xcc::rt {

/// The text is a type's name as std::type_info has it, or begins with one that
/// ": " and the exception's own text follow, or is for reading already.
static std::string readableException(std::string_view text) {
  std::string_view name = text.substr(0, text.find(": "));
  int status = 1;
  char *readable =
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  if (!readable)
    return std::string(text);
  std::string result = readable;
  free(readable);
  return result.append(text.substr(name.size()));
}

void describeTrap(const TrapFacts &t, char *out, size_t size) {
  switch (t.kind) {
  case XCC_CPU_TRAP_ASSERT:
    snprintf(out, size, "assertion failed: %s", t.text ? t.text : "(no text)");
    break;
  case XCC_CPU_TRAP_EXCEPTION: {
    std::string thrown = readableException(t.text ? t.text : "");
    snprintf(out, size, "an exception left the kernel: %s",
             thrown.empty() ? "of unknown type" : thrown.c_str());
    break;
  }
  case XCC_CPU_TRAP_PURE_CALL:
    snprintf(out, size, "a pure virtual function was called");
    break;
  default:
    snprintf(out, size, "the kernel aborted%s%s", t.text && *t.text ? ": " : "",
             t.text ? t.text : "");
  }
  size_t used = strlen(out);
  if (t.file && *t.file)
    snprintf(out + used, size - used, " (%s:%u)", t.file, t.line);
}

} // namespace xcc::rt
