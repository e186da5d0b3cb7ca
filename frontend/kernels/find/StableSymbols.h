// Symbols that are the same in every pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_STABLESYMBOLS_H
#define XCC_FRONTEND_KERNELS_FIND_STABLESYMBOLS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc {

/// A function's symbol that is the same in every pass. Clang's own symbol is
/// not: it numbers closures, which are named by their place here. `unique`
/// distinguishes internal functions of different translation units.
std::string stableSymbol(clang::ASTContext &context,
                         const clang::FunctionDecl *function,
                         llvm::StringRef unique);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_STABLESYMBOLS_H
