// Tells the runtime when main ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer or a scope in main waits for the device when it is destroyed. If a
// kernel never ends, the process would not end either, because such a wait
// looks like one in the middle of the program. So each return value of main
// passes through xcc::detail::main_returns, before the first destructor runs.

#ifndef XCC_FRONTEND_KERNELS_HOST_MAINEND_H
#define XCC_FRONTEND_KERNELS_HOST_MAINEND_H

#include "clang/AST/DeclBase.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Host pass: inserts the calls if the declaration is main with its body.
void reportMainEnd(clang::Sema &sema, clang::Decl *decl);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_MAINEND_H
