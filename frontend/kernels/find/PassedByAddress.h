// Arguments that are passed by address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller owns an argument whose class has a non-trivial copy constructor,
// move constructor or destructor, and the callee receives its address (Itanium
// C++ ABI, 3.1.2.3 "Non-Trivial Parameters"). Clang does so on all machines but
// NVIDIA's. There it copies all classes bit by bit: a string that holds its own
// text then points into another string.

#ifndef XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H
#define XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H

#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace xcc {

using StructTypes = llvm::SmallPtrSet<const llvm::Type *, 16>;

/// The IR types of the classes that functions of this translation unit take so.
StructTypes passedByAddress(clang::ASTContext &context,
                            clang::CodeGenerator &codegen);

/// Removes the byval attribute, which copies, from such arguments and
/// parameters.
void passByAddress(llvm::Module &module, const StructTypes &types);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_PASSEDBYADDRESS_H
