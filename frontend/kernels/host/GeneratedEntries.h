// Entries that -foffload-host-calls makes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_HOST_GENERATEDENTRIES_H
#define XCC_FRONTEND_KERNELS_HOST_GENERATEDENTRIES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <string>

namespace clang {
class Sema;
}

namespace xcc {

/// Why a function that nothing defines for a device cannot become a call of
/// the host by itself; empty when it can. More can where the device shares the
/// host's memory.
std::string whyNotGenerated(clang::ASTContext &context,
                            const clang::FunctionDecl *function,
                            bool sharesMemory);

/// Whether it is one of the C or C++ standard library's, compiled, or of what
/// these bring: what images of the CPU device are linked with.
bool standardLibraryDefines(const clang::FunctionDecl *function);

/// -foffload-host-calls: the entry of such a function and, in a device pass,
/// what stands for it; null in the host pass, which reports what is copied.
clang::FunctionDecl *generateHostCall(clang::Sema &sema,
                                      clang::FunctionDecl *function,
                                      clang::SourceLocation at,
                                      bool sharesMemory);

/// The same for one call of a variadic function: what it passes beyond the
/// parameters is the call's. In a device pass, the call is redirected, and what
/// it calls returned; null where it cannot be.
clang::FunctionDecl *generateVariadicCall(clang::Sema &sema,
                                          clang::CallExpr *call,
                                          bool sharesMemory);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_GENERATEDENTRIES_H
