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
#include <vector>

namespace clang {
class Sema;
}

namespace xcc {

/// A call whose callee has a parameter marked XCC_KERNEL, and which it is.
struct KernelCall {
  clang::CallExpr *call;
  unsigned param;
  /// The function, where the argument has become its entry.
  clang::FunctionDecl *function = nullptr;
};

/// What else code refers to that is prepared before code is generated for it.
struct Prepared {
  std::vector<clang::CallExpr *> hostCalls;        ///< see HostCalls.h
  std::vector<clang::FunctionDecl *> memberVisits; ///< see MemberVisits.h
  std::vector<NamedArgument> mapped;               ///< see WrittenNames.h
  std::vector<KernelPointer> pointers;             ///< see KernelPointers.h
};

/// Collects the calls that name kernels in `decl`, which is complete, and not
/// a template's pattern: instantiations are declarations of their own. Called
/// before code is generated for the declaration: an argument that is a constant
/// in some roundabout way, such as +[]{...}, becomes the function's plain name,
/// and a launch is completed; see LaunchArguments.h. What the caller has to
/// prepare is added to `prepared`. `visited` remembers what several
/// declarations reach, such as default arguments.
void collectCalls(clang::Sema &sema, clang::Decl *decl,
                  llvm::SmallPtrSetImpl<const void *> &visited,
                  std::vector<KernelCall> &kernels, Prepared &prepared);

/// The function whose address `arg` is, if the front end can tell; or null.
clang::FunctionDecl *constantFunction(clang::ASTContext &context,
                                      const clang::Expr *arg);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_KERNELCALLS_H
