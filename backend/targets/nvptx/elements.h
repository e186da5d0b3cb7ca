// Several indices of a loop for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_ELEMENTS_H
#define XCC_BACKEND_TARGETS_NVPTX_ELEMENTS_H

#include "targets/Target.h"
#include "llvm/IR/PassManager.h"

namespace xcc::nvptx {

/// Lets each thread of a parallel_for take several indices, where the loop's body
/// is simple enough; see elements.cpp. Runs at the end of the pipeline.
class ElementsPass : public llvm::PassInfoMixin<ElementsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Adds the column elements= of the kernels that the pass has changed.
void markElements(std::vector<KernelColumn> &columns,
                  const llvm::Module &module, const KernelTable &kernels);

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_ELEMENTS_H
