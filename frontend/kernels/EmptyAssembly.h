// Assembly without text, in code for machines that are not the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     asm volatile("" ::: "memory");      asm("" : "+x"(value));
//
// are no instructions but orders to the compiler, which any machine's can keep:
// memory may have changed; nobody knows what the value is. Only how operands are
// passed is the host's, and nobody looks.

#ifndef XCC_FRONTEND_KERNELS_EMPTYASSEMBLY_H
#define XCC_FRONTEND_KERNELS_EMPTYASSEMBLY_H

#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Gives an assembly without text operands that every machine knows, registers
/// and memory, and no clobbers but memory. False if it has text. The back end
/// takes care of what fits no register (gpu/rewrites/EmptyAssembly.cpp).
bool translateEmptyAssembly(clang::Sema &sema, clang::GCCAsmStmt *assembly);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_EMPTYASSEMBLY_H
