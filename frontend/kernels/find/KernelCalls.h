// Calls that name kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_KERNELCALLS_H
#define XCC_FRONTEND_KERNELS_FIND_KERNELCALLS_H

#include "KernelPointers.h"
#include "WrittenNames.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>
#include <vector>

namespace clang {
class Sema;
}

namespace xcc {

/// A call whose callee has a parameter marked XCC_KERNEL; `param` is its index.
struct KernelCall {
  clang::CallExpr *call;
  unsigned param;
  /// The function, if its entry has replaced the argument.
  clang::FunctionDecl *function = nullptr;
};

/// Other code that must be prepared before code is generated for it.
struct Prepared {
  std::vector<clang::CallExpr *> hostCalls;        ///< see HostCalls.h
  std::vector<clang::FunctionDecl *> memberVisits; ///< see MemberVisits.h
  std::vector<NamedArgument> mapped;               ///< see WrittenNames.h
  std::vector<KernelPointer> pointers;             ///< see KernelPointers.h
};

/// Collects the calls that name kernels in `decl`, which is complete and not a
/// template's pattern: instantiations are declarations of their own. Must run
/// before code is generated for the declaration, because it changes calls. An
/// argument that is an indirect constant, such as +[]{...}, becomes the
/// function's plain name, and a launch is completed (LaunchArguments.h). Adds
/// what the caller has to prepare to `prepared`. `visited` holds what several
/// declarations share, such as default arguments.
void collectCalls(clang::Sema &sema, clang::Decl *decl,
                  llvm::SmallPtrSetImpl<const void *> &visited,
                  std::vector<KernelCall> &kernels, Prepared &prepared);

/// The function whose address `arg` is, if that is a constant; or null.
clang::FunctionDecl *constantFunction(clang::ASTContext &context,
                                      const clang::Expr *arg);

/// The number of the parameter that is marked XCC_KERNEL.
std::optional<unsigned> kernelParam(const clang::FunctionDecl *callee);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELCALLS_H
