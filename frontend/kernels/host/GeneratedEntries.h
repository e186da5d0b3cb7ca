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

/// Why a function without device code cannot become a call of the host
/// automatically; empty if it can. More functions can if the device shares the
/// host's memory.
std::string whyNotGenerated(clang::ASTContext &context,
                            const clang::FunctionDecl *function,
                            bool sharesMemory);

/// Whether the C or C++ standard library, or a library that these need, defines
/// the function: images of the CPU device are linked with them.
bool standardLibraryDefines(const clang::FunctionDecl *function);

/// Generates the host entry of such a function. Returns the stub in a device
/// pass; null in the host pass, which reports what is copied.
clang::FunctionDecl *generateHostCall(clang::Sema &sema,
                                      clang::FunctionDecl *function,
                                      clang::SourceLocation at,
                                      bool sharesMemory);

/// The same for one call of a variadic function, whose arguments beyond the
/// parameters only the call shows. In a device pass, redirects the call and
/// returns its new callee. Returns null if the call cannot be redirected.
clang::FunctionDecl *generateVariadicCall(clang::Sema &sema,
                                          clang::CallExpr *call,
                                          bool sharesMemory);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_GENERATEDENTRIES_H
