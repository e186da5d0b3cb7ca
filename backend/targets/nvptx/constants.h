// Tables of constants
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_CONSTANTS_H
#define XCC_BACKEND_TARGETS_NVPTX_CONSTANTS_H

#include "gpu/Passes.h"
#include "llvm/IR/PassManager.h"

namespace xcc::nvptx {

/// Moves tables into constant memory if all lanes of a warp read the same
/// element together. The tables may take up to `most` bytes; see constants.cpp.
class ConstantTablesPass : public llvm::PassInfoMixin<ConstantTablesPass> {
public:
  ConstantTablesPass(uint64_t most, gpu::BarrierOps ops)
      : most(most), ops(std::move(ops)) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);

private:
  uint64_t most;
  gpu::BarrierOps ops;
};

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_CONSTANTS_H
