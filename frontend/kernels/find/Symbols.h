// xcc::symbol: a variable that the host asks a device for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header's function has a second parameter, for a kernel: the
// specialization of xcc::symbol_place for the variable that a call names, which
// the compiler puts there. It is compiled as any other kernel; what it tells,
// the runtime asks once for each device.

#ifndef XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H
#define XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

bool isSymbolCall(const clang::CallExpr *call);

/// Names the kernel in the call, before code is generated for it. What is wrong
/// is reported by the host pass.
void prepareSymbol(clang::Sema &sema, clang::CallExpr *call);

/// The kernel that tells where a device has a variable of that type; null where
/// <xcc/symbol.h> is not included.
clang::FunctionDecl *symbolPlace(clang::Sema &sema, clang::VarDecl *variable,
                                 clang::QualType type,
                                 clang::SourceLocation at);

/// The variable of which a kernel tells where it is; null for other kernels.
const clang::VarDecl *symbolOf(const clang::FunctionDecl *kernel);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_SYMBOLS_H
