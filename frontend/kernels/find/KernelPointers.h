// Kernels whose addresses are taken
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `void (*table[])(int *) = {a, b}; table[i]<<<grid, block>>>(p)`: which kernel
// that is, is known when it is launched. Each function marked __global__ whose
// address a unit takes is a kernel of that unit. Its descriptor is registered
// with the function's address, and the launch looks for it there
// (xcc_kernel_of_function).

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace xcc {

/// A function marked __global__, and where its address is taken first.
struct KernelPointer {
  clang::FunctionDecl *function;
  clang::SourceLocation at;
};

/// Whether the function is marked __global__.
bool isMarkedGlobal(const clang::FunctionDecl *function);

/// Whether a parameter that is marked XCC_KERNEL takes pointers, too, which are
/// known only at run time.
bool takesPointer(const clang::ParmVarDecl *param);

/// The name in an expression that is a function or its address; null of others.
const clang::DeclRefExpr *functionName(const clang::Expr *expr);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELPOINTERS_H
