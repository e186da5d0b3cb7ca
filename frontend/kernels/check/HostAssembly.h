// The host's inline assembly in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     asm volatile("" ::: "memory");      asm("" : "+x"(value));
//
// contain no instructions. They tell the compiler, on any machine, that memory
// may have changed or that a value is unknown. Only the operands' constraints
// are the host's, and they do not matter here. A few instructions are
// translated too: libraries write them where they do not trust the compiler
// with an intrinsic.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H

#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Replaces the operands of an assembly by ones that every machine knows:
/// registers and memory, no clobber but memory, and one spelling of the text.
/// Returns false if the assembly is not known. The back end translates the text
/// (gpu/rewrites/HostAssembly.cpp).
bool translateHostAssembly(clang::Sema &sema, clang::GCCAsmStmt *assembly);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTASSEMBLY_H
