// Messages of traps in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_SERVICES_TRAP_TEXT_H
#define XCC_SRC_SERVICES_TRAP_TEXT_H

#include "rpc/services/image.h"

#include <cstddef>
#include <cstdint>

namespace xcc::rt {

/// Writes a sentence without a full stop: "assertion failed: i < n (a.cpp:3)".
/// Text that does not fit is cut off.
void describeTrap(const xcc_trap_note &trap, char *out, size_t size);

/// Fills in a note from the arguments of a call of __xcc_trap in this process.
/// Text and file may be null.
void noteTrap(xcc_trap_note &note, uint32_t kind, const char *text,
              const char *file, uint32_t line);

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_TRAP_TEXT_H
