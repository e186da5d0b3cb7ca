// Arguments that are passed by address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument of a class with a copy constructor, move constructor or destructor
// of its own is an object of the caller's, which the callee gets the address of
// (Itanium C++ ABI, 3.1.2.3 "Non-Trivial Parameters"). Clang has that for all
// machines but NVIDIA's, where it copies all classes bit by bit: a string that
// holds its own text then points into another string.

#ifndef XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H
#define XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H

#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace xcc {

using StructTypes = llvm::SmallPtrSet<const llvm::Type *, 16>;

/// What the classes become that functions of this translation unit take so.
StructTypes passedByAddress(clang::ASTContext &context,
                            clang::CodeGenerator &codegen);

/// Takes away copies of such arguments, where they are made and where they are
/// expected.
void passByAddress(llvm::Module &module, const StructTypes &types);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H
