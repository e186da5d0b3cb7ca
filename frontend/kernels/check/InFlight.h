// What a program does while its kernels run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch returns while its kernel still runs. What the kernel refers to, by a
// closure's captures, a reference parameter, or a pointer or span into a local
// container, has to be there until something waits for it, and the host may not
// change it, nor read what the kernel changes. Here every function is followed
// from its launches to what it does with its local variables, and to where they
// end: if nothing on the way can have waited, that is said. So are calls of
// functions that launch and do not wait, with variables of the caller's.

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
