// -foffload-host-calls: what nothing defines for a device becomes a host call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H
#define XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H

#include "kernels/find/KernelFinder.h"
#include "targets/Target.h"

namespace xcc {

/// Pairs of a function that nothing defines, and what stands for it.
using GeneratedCalls =
    std::vector<std::pair<clang::FunctionDecl *, clang::FunctionDecl *>>;

/// Device pass: redirects reached calls of variadic functions, each to a
/// function of its own; what such a call passes is known at the call alone.
/// Other functions are redirected at the device link.
void redirectVariadicCalls(clang::Sema &sema,
                           llvm::ArrayRef<FoundKernel> kernels,
                           llvm::ArrayRef<clang::FunctionDecl *> exported,
                           const Target &target);

/// Host pass: makes the entries of all that device passes redirect, and reports
/// them.
void generateHostEntries(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> decls,
                         llvm::ArrayRef<FoundKernel> kernels,
                         const Target &target);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOST_GENERATEDCALLS_H
