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

inline void reportError(const llvm::Module &m, const llvm::Twine &message) {
  m.getContext().diagnose(llvm::DiagnosticInfoGeneric(message));
}

/// An error in kernel \p kernel.
inline void reportError(const llvm::Function &kernel,
                        const llvm::Twine &message) {
  reportError(*kernel.getParent(),
              "kernel '" + kernel.getName() + "': " + message);
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_DIAGNOSE_H
