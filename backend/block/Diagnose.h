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

/// Where the user wrote an instruction: the outermost location in its chain of
/// inlined calls that is not in one of xcc's headers, where a kernel's wrapper
/// is. Null if there is none, and without debug information.
inline llvm::DILocation *placeOf(const llvm::Instruction &i) {
  namespace path = llvm::sys::path;
  llvm::DILocation *found = nullptr;
  for (llvm::DILocation *at = i.getDebugLoc(); at; at = at->getInlinedAt())
    if (at->getLine() != 0 &&
        path::filename(path::parent_path(at->getFilename())) != "xcc")
      found = at;
  return found;
}

/// The place in the source of \p blocks, given in order: of their first access
/// to memory, because computations are moved and repeated; otherwise the first
/// place found.
template <class Blocks> llvm::DILocation *placeOfAll(const Blocks &blocks) {
  llvm::DILocation *first = nullptr;
  for (const llvm::BasicBlock &block : blocks)
    for (const llvm::Instruction &i : block) {
      llvm::DILocation *place = placeOf(i);
      if (place && i.mayReadOrWriteMemory())
        return place;
      first = first ? first : place;
    }
  return first;
}

/// A remark (-Rpass-missed=xcc-block) on what \p kernel could not become.
inline void remarkMissed(llvm::Function &kernel, const llvm::Twine &message) {
  llvm::OptimizationRemarkMissed remark("xcc-block", "Fibers",
                                        llvm::DebugLoc(placeOfAll(kernel)),
                                        &kernel.getEntryBlock());
  remark << message.str();
  kernel.getContext().diagnose(remark);
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_DIAGNOSE_H
