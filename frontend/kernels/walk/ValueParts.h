// The parts of a constant value, and of a class
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_VALUEPARTS_H
#define XCC_FRONTEND_KERNELS_WALK_VALUEPARTS_H

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// Calls \p visit for the direct elements, bases and members of a value that
/// may hold an address. Equal filler elements are visited once.
void eachPart(
    const clang::ASTContext &context, const clang::APValue &value,
    clang::QualType type,
    llvm::function_ref<void(const clang::APValue &, clang::QualType)> visit);

/// The types among the arguments of a class template, also of packs.
llvm::SmallVector<clang::QualType, 4>
typeArguments(const clang::ClassTemplateSpecializationDecl *made);

/// The types of the direct bases and of the fields of a class that is defined.
llvm::SmallVector<clang::QualType, 8>
partTypes(const clang::CXXRecordDecl *record);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_VALUEPARTS_H
