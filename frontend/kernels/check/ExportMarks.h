// Warnings for XCC_EXPORT where it has no effect
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_EXPORTMARKS_H
#define XCC_FRONTEND_KERNELS_CHECK_EXPORTMARKS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Warns of marks on what no other translation unit can call or use: types that
/// have no code, members of data, what only this unit can name. A library's
/// export macro may come to stand there; what it would promise there is nothing.
void checkExportMarks(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_EXPORTMARKS_H
