// Finds a translation unit's kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after the last template is instantiated, with Sema still alive: sees
// every call that names a kernel, checks it, instantiates the entry for it,
// and writes down the layout of its arguments.

#ifndef XCC_FRONTEND_KERNELS_KERNELFINDER_H
#define XCC_FRONTEND_KERNELS_KERNELFINDER_H

#include "Kernel.h"
#include "LaunchCheck.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Sema;
}

namespace xcc {

/// A kernel as the AST knows it.
struct FoundKernel {
  Kernel info;
  clang::FunctionDecl *entry = nullptr;    ///< function_/object_kernel<...>
  clang::FunctionDecl *body = nullptr;     ///< what the device pass compiles:
                                           ///< the entry or its by-value form
  clang::FunctionDecl *function = nullptr; ///< kernels that are functions
  clang::SourceLocation launch;            ///< the first call that names it
};

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
};

/// The function templates xcc::name.
std::vector<clang::FunctionTemplateDecl *>
templatesNamed(clang::ASTContext &context, llvm::StringRef name);

/// A function's symbol that is the same in every pass, where Clang's own is
/// not: closures are named by their place. `unique` distinguishes what is
/// internal to different translation units.
std::string stableSymbol(clang::ASTContext &context,
                         const clang::FunctionDecl *function,
                         llvm::StringRef unique);

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

/// Finds the kernels that the given calls name, in an order that does
/// not depend on the pass. What is wrong with them is reported through Sema's
/// diagnostics.
/// `unique` distinguishes internal kernels of different translation units.
std::vector<FoundKernel> findKernels(clang::Sema &sema,
                                     llvm::ArrayRef<KernelCall> calls,
                                     LaunchDiagnostics diagnostics,
                                     const Warnings &warnings,
                                     llvm::StringRef unique);

/// Device passes: the specialization that takes the kernel's parameters as
/// values instead of a kernarg segment; declared, not yet defined.
clang::FunctionDecl *byValueForm(clang::Sema &sema, const FoundKernel &kernel);

/// The function whose address `arg` is, if the front end can tell; or null.
clang::FunctionDecl *constantFunction(clang::ASTContext &context,
                                      const clang::Expr *arg);

/// Whether `decl` carries [[clang::annotate(text)]].
bool isAnnotated(const clang::Decl *decl, llvm::StringRef text);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_KERNELFINDER_H
