// Several indices for each thread of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_COARSEN_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_COARSEN_H

#include "targets/Target.h"
#include "llvm/IR/PassManager.h"

namespace xcc::nvptx {

/// Gives each thread several indices if a kernel's body is simple enough; see
/// coarsen.cpp. Runs at the end of the pipeline.
class CoarsenPass : public llvm::PassInfoMixin<CoarsenPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};

/// Adds the columns elements= and coarse= for the kernels that the pass
/// changed.
void markCoarsened(std::vector<KernelColumn> &columns,
                   const llvm::Module &module, const KernelTable &kernels);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_COARSEN_H
