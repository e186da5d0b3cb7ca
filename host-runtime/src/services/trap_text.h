// Why device code gave up, in words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_SERVICES_TRAP_TEXT_H
#define XCC_SRC_SERVICES_TRAP_TEXT_H

#include <cstddef>
#include <cstdint>

namespace xcc::rt {

/// What a call of __xcc_trap said. Text and file may be null.
struct TrapFacts {
  uint32_t kind; ///< enum xcc_cpu_trap_kind
  const char *text, *file;
  uint32_t line;
};

/// A sentence without a full stop: "assertion failed: i < n (a.cpp:3)"; what
/// does not fit is cut.
void describeTrap(const TrapFacts &trap, char *out, size_t size);

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_TRAP_TEXT_H
