// Calls that lead to warp operations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_WARPCALLS_H
#define XCC_BACKEND_GPU_WARPS_WARPCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// Tells which calls lead to a warp operation, also through other functions and
/// through function pointers. It is a snapshot of the module.
class WarpCalls {
public:
  /// Warp operations are those of <xcc/device.h> and the back end's own ones,
  /// before and after libraries are linked. Those that the device runtime uses
  /// for itself do not count.
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

/// Whether a function of <xcc/device.h> with this name is a warp operation.
bool isWarpOperation(llvm::StringRef name);

/// Marks the functions of the program, before libraries are linked.
void markProgram(llvm::Module &module);
/// Marks the warp operations in all other functions.
void markServices(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_WARPCALLS_H
