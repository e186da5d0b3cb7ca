// Calls that lead to operations of warps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_WARPCALLS_H
#define XCC_BACKEND_GPU_WARPS_WARPCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// Tells which calls lead to an operation in which lanes work together, by way
/// of other functions and of pointers too. A snapshot of the module.
class WarpCalls {
public:
  /// The operations of <xcc/device.h>, and a back end's own, before and after
  /// they are linked. What the device runtime does for itself is none.
  WarpCalls(const llvm::Module &module, const BarrierOps &ops);

  bool operator()(const llvm::CallBase &call) const;
  bool in(const llvm::Function &function) const {
    return leading.contains(&function);
  }

private:
  const BarrierOps &ops;
  llvm::SmallPtrSet<const llvm::Function *, 16> leading;
  bool throughPointers = false;

  bool isOperation(const llvm::CallBase &call) const;
};

/// Remembers which functions are the program's, before libraries are linked.
void markProgram(llvm::Module &module);
/// Marks the operations of those that are not.
void markServices(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_WARPCALLS_H
