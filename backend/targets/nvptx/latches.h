// The branches at the ends of loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_LATCHES_H
#define XCC_BACKEND_TARGETS_NVPTX_LATCHES_H

#include "llvm/Pass.h"

namespace xcc::nvptx {

/// Makes loops end with a branch to their headers; see latches.cpp. Runs
/// directly before instruction selection.
class LatchesPass : public llvm::FunctionPass {
public:
  static char id;
  LatchesPass() : FunctionPass(id) {}

  llvm::StringRef getPassName() const override { return "Ends of loops"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_LATCHES_H
