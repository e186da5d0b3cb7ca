// The host's instructions (x86 intrinsics) in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU's device pass sees the host's macros, because they decide how types are
// laid out. So libraries choose code for the host's CPU: _mm_add_ps and its
// like. Clang's headers write most of these as operations on vectors, which any
// machine has. Builtins of x86 and its target attributes remain.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H

#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Marks all x86 features as present, so that functions with such target
/// attributes can be called and inlined by any other.
void permitHostInstructions(clang::TargetInfo &machine);

/// Replaces a call of an x86 builtin by a call of the device runtime's
/// function. Returns false if the runtime has no such function.
///
/// Clang could generate portable code for some of these builtins itself. But if
/// the target is not x86, Clang looks up the types of the target's builtins
/// with the same numbers, and fails.
bool translateHostInstruction(clang::Sema &sema, clang::CallExpr *call);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H
