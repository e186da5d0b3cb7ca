// Opcodes of xcc's own services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// opcodes.def lists them.

#ifndef XCC_RPC_OPCODES_H
#define XCC_RPC_OPCODES_H

#include <stdint.h>

namespace xcc::services {

/// One for each row of opcodes.def.
enum Service : uint32_t {
#define XCC_OPCODE(name, number, function) Service##name = number,
#include "opcodes.def"
};

} // namespace xcc::services
#endif // XCC_RPC_OPCODES_H
