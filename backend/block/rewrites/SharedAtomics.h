// Atomics within a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REWRITES_SHAREDATOMICS_H
#define XCC_BACKEND_BLOCK_REWRITES_SHAREDATOMICS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

class Uniformity;

/// Metadata of accesses that threads of a block may make to one address between
/// two barriers. These accesses have to keep their order.
inline constexpr llvm::StringLiteral SerialAccess = "xcc.serial";

/// Makes atomics on block-shared memory ordinary accesses. In a loop kernel,
/// one machine thread runs all threads of a block one after the other, and no
/// other machine thread accesses that memory. Runs after the kernel was cut
/// into regions, because until then atomics have to be told from other
/// accesses.
void makeSharedAtomicsPlain(llvm::Function &kernel, Uniformity &uniform);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SHAREDATOMICS_H
