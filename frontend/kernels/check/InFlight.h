// Warnings for variables that a program uses or ends while kernels run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch returns while its kernel still runs. What the kernel refers to (by a
// closure's captures, a reference parameter, or a pointer or span into a local
// container) has to exist until the host waits. Until then the host may not
// change it, nor read what the kernel changes. This check follows every
// function from its launches to the uses and the ends of its local variables,
// and warns if no call on the path can have waited. Calls of functions that
// launch and do not wait, with variables of the caller, are checked too.

#ifndef XCC_FRONTEND_KERNELS_CHECK_INFLIGHT_H
#define XCC_FRONTEND_KERNELS_CHECK_INFLIGHT_H

#include "Warnings.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Warns of local variables in the functions among `decls` that end, are changed
/// or are read while a kernel which refers to them may still run.
void checkInFlight(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                   const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_INFLIGHT_H
