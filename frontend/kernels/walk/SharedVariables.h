// Variables of a block that are marked as such, rather than by their type
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

/// Whether a variable is one that the threads of a block share: by its type,
/// xcc::block_shared, or by the attribute that __shared__ of <xcc/cuda.h> is.
bool isBlockShared(const clang::VarDecl *variable);

/// Whether a class, or one of its arrays, has a member or a base that is an
/// xcc::block_shared: its objects would be in two memories.
bool hasBlockSharedPart(clang::QualType type);

/// Whether a marked variable is `extern __shared__ T name[]`: the dynamic shared
/// memory of a launch.
bool isDynamicShared(const clang::VarDecl *variable);

/// Whether a marked variable has an initialiser.
bool hasSharedInitialiser(const clang::VarDecl *variable);

/// Puts the address of a launch's own shared memory where code names a variable
/// that stands for it.
void lowerDynamicShared(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_SHAREDVARIABLES_H
