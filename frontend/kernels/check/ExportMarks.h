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

/// Warns of XCC_EXPORT on declarations that other translation units cannot call
/// or use: types without code, data members, names with internal linkage. A
/// library's export macro may put the mark there, where it has no effect.
void checkExportMarks(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_EXPORTMARKS_H
