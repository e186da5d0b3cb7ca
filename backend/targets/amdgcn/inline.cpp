// Which functions are inlined into large functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "inline.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace xcc::amdgcn {

/// LLVM inlines functions of this size in any case, unless they are cold.
constexpr unsigned SmallBlocks = 8;
constexpr unsigned SmallInstructions = 100;

PreservedAnalyses HintSmallPass::run(Function &function,
                                     FunctionAnalysisManager &) {
  if (function.size() <= SmallBlocks &&
      function.getInstructionCount() <= SmallInstructions &&
      !function.hasFnAttribute(Attribute::NoInline))
    function.addFnAttr(Attribute::InlineHint);
  return PreservedAnalyses::all();
}

} // namespace xcc::amdgcn
