// -foffload-host-calls: calls of functions without device code go to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H
#define XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H

#include "kernels/find/KernelFinder.h"
#include "targets/Target.h"

namespace xcc {

/// Pairs of a function without device code, and the stub that replaces it.
using GeneratedCalls =
    std::vector<std::pair<clang::FunctionDecl *, clang::FunctionDecl *>>;

/// Device pass: redirects reachable calls of variadic functions, each to a stub
/// of its own, because only the call shows which arguments it passes. Other
/// functions are redirected at the device link.
void redirectVariadicCalls(clang::Sema &sema,
                           llvm::ArrayRef<FoundKernel> kernels,
                           llvm::ArrayRef<clang::FunctionDecl *> exported,
                           const Target &target);

/// Host pass: generates the entries of all functions that device passes redirect
/// for one of the targets, and reports each as the first of these has it.
void generateHostEntries(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                         llvm::ArrayRef<FoundKernel> kernels,
                         llvm::ArrayRef<const Target *> targets);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H
