// [[xcc::specialize]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_SPECIALIZE_H
#define XCC_FRONTEND_KERNELS_FIND_SPECIALIZE_H

#include "Kernel.h"
#include "clang/AST/Decl.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Adds the numbers for whose values a kernel's launches get code of their own,
/// of an argument at `offset` of the kernarg segment: all of it if `param` is
/// marked, else marked members. `param` may be null. Reports types that cannot
/// be specialised.
void addSpecialized(clang::Sema &sema, const clang::ParmVarDecl *param,
                    clang::QualType type, uint32_t offset, Kernel &kernel);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_SPECIALIZE_H
