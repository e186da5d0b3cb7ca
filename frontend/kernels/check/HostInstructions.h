// The host's instructions in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU's device pass sees the host's macros, since they decide how types are
// laid out, and so libraries take what the host's CPU has: _mm_add_ps and its
// like. Clang's headers write most of these as operations on vectors, which any
// machine has; what is left are builtins of x86 and its target attributes.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H

#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"

namespace xcc {

/// Lets functions that ask for instructions of the host be called and inlined
/// by any other: no function of a device is compiled for some of them.
void permitHostInstructions(clang::TargetInfo &machine);

/// Makes a call of an instruction of the host one of the device runtime's
/// function. False if there is none.
///
/// Clang could make portable code of some of these builtins itself. But where
/// x86 is not the machine, it asks for the types of other builtins, those with
/// the same numbers on the machine, and fails.
bool translateHostInstruction(clang::Sema &sema, clang::CallExpr *call);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTINSTRUCTIONS_H
