// The host's assembly in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     asm volatile("" ::: "memory");      asm("" : "+x"(value));
//
// are not instructions. They tell the compiler, on any machine, that memory may
// have changed or that a value is unknown. Only the constraints of operands are the
// host's, and they do not matter here. A few instructions are known too: libraries
// write them where they do not trust the compiler with an intrinsic.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H

#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Gives an assembly operands that every machine knows, registers and memory, no
/// clobbers but memory, and one way to be written. False if it is not known. The
/// back end does the rest (gpu/rewrites/HostAssembly.cpp).
bool translateHostAssembly(clang::Sema &sema, clang::GCCAsmStmt *assembly);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H
