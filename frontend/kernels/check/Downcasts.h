// Kernels that cast an object of a base class to the class derived from it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch maps what a reference refers to by the reference's type: of an
// object of a derived class, only the base. A kernel that casts the reference
// to the derived class needs the whole object. If the base is made for one
// class, as Base<Derived> is for Derived, the header maps that class where the
// kernel casts. Any other such cast is reported.

#ifndef XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H
#define XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"

namespace xcc {

/// Answers a specialization of xcc::detail::complete_object<Base> that has just
/// been defined: names the class that is derived from this base, if there is
/// exactly one.
void answerCompleteObject(clang::Sema &sema, clang::TagDecl *decl);

/// The class that complete_object names for the base; null if that is the base
/// itself.
const clang::CXXRecordDecl *completeObject(clang::ASTContext &context,
                                           const clang::CXXRecordDecl *base);

/// Records which kernels cast down, and reports casts to a class that the
/// launch does not map. `separate`: kernels run on devices that do not share
/// the host's memory.
void findDowncasts(clang::Sema &sema,
                   llvm::MutableArrayRef<FoundKernel> kernels,
                   const Warnings &warnings, bool separate);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H
