// The code of a kernel that becomes a block function
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_ABI_KERNELBODY_H
#define XCC_BACKEND_BLOCK_ABI_KERNELBODY_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// The attribute of functions that takeBody made.
inline constexpr llvm::StringLiteral BlockFunctionMark = "xcc-block-function";

/// A kernel's code in a function with the signature the runtime calls.
struct KernelBody {
  llvm::Function *f = nullptr;
  /// The new entry block: runs once per call, ends in a branch to body, and
  /// holds the kernel's static allocas.
  llvm::BasicBlock *entry = nullptr;
  llvm::BasicBlock *body = nullptr; ///< where the kernel's own code starts

  llvm::Value *group() const { return f->getArg(0); }
};

/// Moves \p kernel's code to a new internal function \p name with the given
/// parameters, of which the first is the group; \p kernel is left
/// without a body. Uses of the kernarg parameter load it from the group.
KernelBody takeBody(llvm::Function &kernel, llvm::ArrayRef<llvm::Type *> params,
                    const llvm::Twine &name);

/// Metadata of an alloca that promoteLocals leaves alone.
inline constexpr char KeptOnStack[] = "xcc.kept";

/// Promotes the remaining local variables to registers, so that the uniformity
/// analysis sees through them at -O0 too.
void promoteLocals(llvm::Function &f);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_KERNELBODY_H
