// Variables that differ from the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global variable is the device's own: what a kernel writes to it, the host
// does not see, nor the other way round. A translation unit that has both
// sides is warned.

#ifndef XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H
#define XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/walk/LinkNotes.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Reports variables that a kernel writes and host code uses, and that host
/// code writes and a kernel reads. `decls` is the translation unit; with
/// `linked` the link says what depends on others.
void checkGlobals(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                  llvm::ArrayRef<FoundKernel> kernels, const Warnings &warnings,
                  bool linked);

/// Device pass: notes for the link what functions do with variables that other
/// units see, so that it can say the same of kernels and host code of several.
void noteGlobals(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                 llvm::ArrayRef<FoundKernel> kernels, LinkNotes &notes);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_GLOBALUSE_H
