// Errors of this pass that users can cause, and places in their sources
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_DIAGNOSE_H
#define XCC_BACKEND_BLOCK_DIAGNOSE_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

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

/// Where the user wrote what \p block begins with: of its first place that is not
/// wholly in xcc's headers, which call kernels, the outermost call that is not.
/// Null without debug information.
inline llvm::DILocation *placeOf(const llvm::BasicBlock &block) {
  namespace path = llvm::sys::path;
  for (const llvm::Instruction &i : block) {
    llvm::DILocation *found = nullptr;
    for (llvm::DILocation *at = i.getDebugLoc(); at; at = at->getInlinedAt())
      if (at->getLine() != 0 &&
          path::filename(path::parent_path(at->getFilename())) != "xcc")
        found = at;
    if (found)
      return found;
  }
  return nullptr;
}

/// A remark (-Rpass-missed=xcc-block) on what \p kernel could not become.
inline void remarkMissed(llvm::Function &kernel, const llvm::Twine &message) {
  llvm::DILocation *place = nullptr;
  for (const llvm::BasicBlock &block : kernel)
    if ((place = placeOf(block)))
      break;
  llvm::OptimizationRemarkMissed remark(
      "xcc-block", "Fibers", llvm::DebugLoc(place), &kernel.getEntryBlock());
  remark << message.str();
  kernel.getContext().diagnose(remark);
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_DIAGNOSE_H
