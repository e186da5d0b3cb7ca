// Captures that hold a constant address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lambda of `[&v = v]`, where v has static storage, holds the address of the
// host's v. For Clang, though, the new name is a reference with a constant
// initialiser, so that a read of it is a read of v itself: on a device, the
// device's own. The same holds for a captured `int *const p = &v`. Device passes
// let the body use what was captured.

#ifndef XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H
#define XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace xcc {

/// In all lambdas among `decls`. Before anything of them is generated.
void useNamedCaptures(clang::ASTContext &context,
                      llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H
