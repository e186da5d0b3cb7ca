// Finds a translation unit's kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after the last template is instantiated, with Sema still alive. Checks
// every call that names a kernel, instantiates the kernel's entry, and records
// the layout of its arguments.

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELFINDER_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELFINDER_H

#include "HeaderTemplates.h"
#include "Kernel.h"
#include "KernelCalls.h"
#include "kernels/check/LaunchCheck.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// A kernel as the AST knows it.
struct FoundKernel {
  Kernel info;
  clang::FunctionDecl *entry = nullptr;    ///< function_kernel or
                                           ///< object_kernel<...>
  clang::FunctionDecl *body = nullptr;     ///< what the device pass compiles:
                                           ///< the entry or its by-value form
  clang::FunctionDecl *function = nullptr; ///< null if it is an object
  clang::SourceLocation launch;            ///< the first call that names it
  std::vector<KernelCall> calls;           ///< all of them in this unit
  bool pointedTo = false;                  ///< its function's address is taken
};

/// Finds the kernels that the given calls name or whose addresses are taken,
/// and those `roots` that can be kernels. Their order does not depend on the
/// pass. Reports errors in them through Sema's diagnostics. `unique`
/// distinguishes internal kernels of different translation units. `functions`
/// are kernels that no call names.
std::vector<FoundKernel>
findKernels(clang::Sema &sema, llvm::ArrayRef<KernelCall> calls,
            llvm::ArrayRef<KernelPointer> pointers,
            llvm::ArrayRef<clang::FunctionDecl *> roots,
            LaunchDiagnostics diagnostics, const Warnings &warnings,
            llvm::StringRef unique,
            llvm::ArrayRef<clang::FunctionDecl *> functions = {});

/// Device passes: the specialization that takes the kernel's parameters as
/// values instead of a kernarg segment. It is declared, not yet defined.
clang::FunctionDecl *byValueForm(clang::Sema &sema, const FoundKernel &kernel);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELFINDER_H
