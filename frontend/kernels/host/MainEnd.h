// Calls at the end of main
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer or a scope in main waits for the device when it is destroyed. If a
// kernel does not end, neither would the process, since nothing tells such a wait
// from one in the middle of the program. So the runtime is told when main returns:
// the value of each return passes through xcc::detail::main_returns, before the
// first destructor.

#ifndef XCC_FRONTEND_KERNELS_HOST_MAINEND_H
#define XCC_FRONTEND_KERNELS_HOST_MAINEND_H

#include "clang/AST/DeclBase.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Host pass: if the declaration is main, with its body.
void tellOfMainsEnd(clang::Sema &sema, clang::Decl *decl);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_MAINEND_H
