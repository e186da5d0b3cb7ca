// Variables in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_SHAREDVARIABLES_H
#define XCC_FRONTEND_KERNELS_WALK_SHAREDVARIABLES_H

namespace clang {
class QualType;
class VarDecl;
} // namespace clang
namespace llvm {
class Module;
}

namespace xcc {

/// Whether the threads of a block share the variable: by its type,
/// xcc::block_shared, or by the attribute to which __shared__ of <xcc/cuda.h>
/// expands.
bool isBlockShared(const clang::VarDecl *variable);

/// Whether a class, or the class of an array's elements, has a member or base
/// of type xcc::block_shared. Such an object would be in two memories.
bool hasBlockSharedPart(clang::QualType type);

/// Whether the variable is `extern __shared__ T name[]`: the launch's dynamic
/// shared memory.
bool isDynamicShared(const clang::VarDecl *variable);

/// Whether a marked variable has an initialiser.
bool hasSharedInitialiser(const clang::VarDecl *variable);

/// Replaces names of the launch's dynamic shared memory by its address.
void lowerDynamicShared(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_SHAREDVARIABLES_H
