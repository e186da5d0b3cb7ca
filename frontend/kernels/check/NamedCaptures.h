// Captures that hold a constant address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lambda of `[&v = v]`, where v has static storage, captures the address of
// the host's v. But for Clang the new name is a reference with a constant
// initialiser, so the body reads v itself: on a device, the device's own v. The
// same happens with a captured `int *const p = &v`. Device passes make the body
// use the captured value instead.

#ifndef XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H
#define XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace xcc {

/// Does so in all lambdas among `decls`. Must run before code is generated.
void useNamedCaptures(clang::ASTContext &context,
                      llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_NAMEDCAPTURES_H
