// Addresses of host code among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function pointer that the host made, and the virtual functions of an object
// that the host built, are host code. A kernel on the CPU device would run it;
// a GPU faults. If a kernel's types show such an address, the launch is
// diagnosed.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTCODE_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTCODE_H

#include "Warnings.h"
#include "kernels/find/KernelFinder.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Reports parameters, captures and members that are, hold or lead to addresses
/// of host code.
void checkHostCode(clang::Sema &sema, llvm::ArrayRef<FoundKernel> kernels,
                   const Warnings &warnings);

/// Whether an object of the type holds an address of the host's code, or leads
/// to one through pointers and references.
bool leadsToHostCode(clang::Sema &sema, clang::QualType type);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTCODE_H
