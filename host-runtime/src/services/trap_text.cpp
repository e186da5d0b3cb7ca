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

namespace xcc::rt {

void describeTrap(const TrapFacts &t, char *out, size_t size) {
  switch (t.kind) {
  case XCC_CPU_TRAP_ASSERT:
    snprintf(out, size, "assertion failed: %s", t.text ? t.text : "(no text)");
    break;
  case XCC_CPU_TRAP_EXCEPTION: {
    int status = 1;
    char *readable =
        t.text ? abi::__cxa_demangle(t.text, nullptr, nullptr, &status)
               : nullptr;
    snprintf(out, size, "an exception left the kernel: %s",
             readable ? readable : (t.text ? t.text : "of unknown type"));
    free(readable);
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
