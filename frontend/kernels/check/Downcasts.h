// Kernels that cast an object of a base class to the class derived from it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch maps what a reference refers to by its type, and of an object of a
// derived class that is its base alone. A kernel that casts the reference to
// the derived class needs the whole. Of a base that is made for one class, as
// Base<Derived> is for Derived, the header maps that class where the kernel
// casts; any other such cast is reported.

#ifndef XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H
#define XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"

namespace xcc {

/// Answers xcc::detail::complete_object<Base>, a specialization of which has
/// just been defined: which class is derived from this base, and only that?
void answerCompleteObject(clang::Sema &sema, clang::TagDecl *decl);

/// What complete_object was answered for the class; null for the class itself.
const clang::CXXRecordDecl *completeObject(clang::ASTContext &context,
                                           const clang::CXXRecordDecl *base);

/// Notes which kernels cast down, and reports what is cast to a class that the
/// launch does not map. `separate`: kernels run on devices that do not share the
/// host's memory.
void findDowncasts(clang::Sema &sema,
                   llvm::MutableArrayRef<FoundKernel> kernels,
                   const Warnings &warnings, bool separate);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_DOWNCASTS_H
