// Loops that increment addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's reduction of strength has a loop count up an address for each array, or
// an offset beside its index. NVIDIA GPUs compute base + index * size in one
// instruction, as many as a step of an address of 64 bits takes are two, and
// their registers are scarce. So it is left out, but where a loop multiplies
// numbers of 64 bits, which takes four instructions, and where ptxas will make more
// copies of a loop: all of them share one step, and add constants to the address.

#ifndef XCC_BACKEND_TARGETS_NVPTX_STRENGTH_H
#define XCC_BACKEND_TARGETS_NVPTX_STRENGTH_H

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace xcc::nvptx {

/// The passes of code generation. As long as it lives, \p context runs the
/// reduction of strength for functions alone that gain by it.
class CodegenPasses : public llvm::legacy::PassManager {
public:
  explicit CodegenPasses(llvm::LLVMContext &context);
  ~CodegenPasses() override;
  void add(llvm::Pass *pass) override;

private:
  class Gate : public llvm::OptPassGate {
  public:
    bool reduces = true; ///< strength, in the function that comes now
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
