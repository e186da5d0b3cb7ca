// Strength reduction in loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's strength reduction makes a loop increment an address for each array,
// or an offset beside its index. NVIDIA GPUs compute base + index * size in one
// instruction. An increment of a 64-bit address takes two, and it needs
// registers, which are scarce. So strength reduction is skipped, with two
// exceptions. One is a loop that multiplies 64-bit integers, which takes four
// instructions. The other is a loop that ptxas will copy further: all copies
// share one increment and add constants to the address.

#ifndef XCC_BACKEND_TARGETS_NVPTX_STRENGTH_H
#define XCC_BACKEND_TARGETS_NVPTX_STRENGTH_H

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace xcc::nvptx {

/// The passes of code generation. While this exists, \p context runs strength
/// reduction only for functions that benefit from it.
class CodegenPasses : public llvm::legacy::PassManager {
public:
  explicit CodegenPasses(llvm::LLVMContext &context);
  ~CodegenPasses() override;
  void add(llvm::Pass *pass) override;

private:
  class Gate : public llvm::OptPassGate {
  public:
    bool reduces = true; ///< whether strength reduction runs on the next
                         ///< function
    bool isEnabled() const override { return true; }
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override;
  };
  class Choice;

  llvm::LLVMContext &context;
  llvm::OptPassGate &before;
  Gate gate;
};

} // namespace xcc::nvptx

#endif // XCC_BACKEND_TARGETS_NVPTX_STRENGTH_H
