// Variables that differ from the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global variable is the device's own: what a kernel writes to it, the host
// does not see, nor the other way round. A translation unit that has both
// sides is warned.

#ifndef XCC_FRONTEND_KERNELS_GLOBALUSE_H
#define XCC_FRONTEND_KERNELS_GLOBALUSE_H

#include "KernelFinder.h"
#include "Warnings.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Reports variables that a kernel writes and host code uses, and that host
/// code writes and a kernel reads. `decls` is the translation unit.
void checkGlobals(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                  llvm::ArrayRef<FoundKernel> kernels,
                  const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_GLOBALUSE_H
