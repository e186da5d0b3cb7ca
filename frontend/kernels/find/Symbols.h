// xcc::symbol: a global variable's address on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header's function has a second parameter, for a kernel. The compiler
// passes the specialization of xcc::symbol_place for the variable that a call
// names. It is compiled as any other kernel. The runtime launches it once for
// each device to learn the address.

#ifndef XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H
#define XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

bool isSymbolCall(const clang::CallExpr *call);

/// Names the kernel in the call, before code is generated for it. The host pass
/// reports errors.
void prepareSymbol(clang::Sema &sema, clang::CallExpr *call);

/// The kernel that returns a device's address of the variable; null if
/// <xcc/symbol.h> is not included.
clang::FunctionDecl *symbolPlace(clang::Sema &sema, clang::VarDecl *variable,
                                 clang::QualType type,
                                 clang::SourceLocation at);

/// The variable whose address the kernel returns; null for other kernels.
const clang::VarDecl *symbolOf(const clang::FunctionDecl *kernel);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H
