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

void describeTrap(const TrapFacts &T, char *Out, size_t Size) {
  switch (T.Kind) {
  case XCC_CPU_TRAP_ASSERT:
    snprintf(Out, Size, "assertion failed: %s", T.Text ? T.Text : "(no text)");
    break;
  case XCC_CPU_TRAP_EXCEPTION: {
    int Status = 1;
    char *Readable =
        T.Text ? abi::__cxa_demangle(T.Text, nullptr, nullptr, &Status)
               : nullptr;
    snprintf(Out, Size, "an exception left the kernel: %s",
             Readable ? Readable : (T.Text ? T.Text : "of unknown type"));
    free(Readable);
    break;
  }
  case XCC_CPU_TRAP_PURE_CALL:
    snprintf(Out, Size, "a pure virtual function was called");
    break;
  default:
    snprintf(Out, Size, "the kernel aborted%s%s", T.Text && *T.Text ? ": " : "",
             T.Text ? T.Text : "");
  }
  size_t Used = strlen(Out);
  if (T.File && *T.File)
    snprintf(Out + Used, Size - Used, " (%s:%u)", T.File, T.Line);
}

} // namespace xcc::rt
