//===-- KernelFinder.h - Finds a translation unit's kernels ----------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after the last template is instantiated, with Sema still alive: sees
// every call that names a kernel, checks it, instantiates the entry for it,
// and writes down the layout of its arguments.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_KERNELFINDER_H
#define XCC_FRONTEND_KERNELFINDER_H

#include "Kernel.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// A kernel as the AST knows it.
struct FoundKernel {
  Kernel info;
  clang::FunctionDecl *entry = nullptr;    ///< function_/object_kernel<...>
  clang::FunctionDecl *function = nullptr; ///< kernels that are functions
  clang::SourceLocation launch;            ///< the first call that names it
};

/// Finds the kernels that the given declarations name, in an order that does
/// not depend on the pass. Errors of users are reported through Sema's
/// diagnostics by the host pass alone (`diagnose`), so that each is said once.
/// `unique` distinguishes internal kernels of different translation units.
std::vector<FoundKernel> findKernels(clang::Sema &sema,
                                     llvm::ArrayRef<clang::Decl *> decls,
                                     bool diagnose, llvm::StringRef unique);

/// Whether `decl` carries [[clang::annotate(text)]].
bool isAnnotated(const clang::Decl *decl, llvm::StringRef text);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELFINDER_H
