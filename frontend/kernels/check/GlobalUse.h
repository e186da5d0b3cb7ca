// Warnings for global variables that host and device see differently
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device has its own copy of each global variable: the host does not see
// what a kernel writes to it, and a kernel does not see what the host writes. A
// translation unit that contains both sides gets a warning.

#ifndef XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H
#define XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/walk/LinkNotes.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Reports variables that a kernel writes and host code uses, and variables
/// that host code writes and a kernel reads. `decls` is the translation unit.
/// With `linked`, variables that depend on other units are left to the link.
void checkGlobals(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                  llvm::ArrayRef<FoundKernel> kernels, const Warnings &warnings,
                  bool linked);

/// Device pass: records for the link how functions use variables that other
/// units see, so that the link can warn across units.
void noteGlobals(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                 llvm::ArrayRef<FoundKernel> kernels, LinkNotes &notes);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H
