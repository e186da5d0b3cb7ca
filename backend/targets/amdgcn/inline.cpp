// Which functions become part of large ones
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "inline.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace xcc::amdgcn {

/// What LLVM inlines in any case, unless it is cold.
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
