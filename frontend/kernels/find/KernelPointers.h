// Kernels whose addresses are taken
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `void (*table[])(int *) = {a, b}; table[i]<<<grid, block>>>(p)` the kernel
// is known only at the launch. So each function marked __global__ whose address
// a unit takes is a kernel of that unit. Its descriptor is registered with the
// function's address, and the launch looks it up (xcc_kernel_of_function).

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace xcc {

/// A function marked __global__, and the first place that takes its address.
struct KernelPointer {
  clang::FunctionDecl *function;
  clang::SourceLocation at;
};

/// Whether the function is marked __global__.
bool isMarkedGlobal(const clang::FunctionDecl *function);

/// Whether a parameter marked XCC_KERNEL also takes pointers that are known
/// only at run time.
bool takesPointer(const clang::ParmVarDecl *param);

/// The name in an expression that is a function or its address; else null.
const clang::DeclRefExpr *functionName(const clang::Expr *expr);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H
