// Errors of this pass that users can cause
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_DIAGNOSE_H
#define XCC_BACKEND_BLOCK_DIAGNOSE_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

inline void reportError(const llvm::Module &M, const llvm::Twine &Message) {
  M.getContext().diagnose(llvm::DiagnosticInfoGeneric(Message));
}

/// An error in kernel \p Kernel.
inline void reportError(const llvm::Function &Kernel,
                        const llvm::Twine &Message) {
  reportError(*Kernel.getParent(),
              "kernel '" + Kernel.getName() + "': " + Message);
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_DIAGNOSE_H
