// Loops of a function, changed one after the other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_EACHLOOP_H
#define XCC_BACKEND_BLOCK_LOOPS_EACHLOOP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace xcc::block {

/// Calls \p change once for each loop of \p f, outer loops first, including
/// loops that \p change creates. \p change returns whether it changed the
/// function, whose analyses are then recomputed.
/// \returns whether any call changed the function.
bool changeEachLoop(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                    llvm::function_ref<bool(llvm::Loop &)> change);

/// Calls \p change for each loop over threads, as changeEachLoop does, and
/// brings the loop into LLVM's simplified form first.
llvm::PreservedAnalyses changeThreadLoops(
    llvm::Function &f, llvm::FunctionAnalysisManager &fam,
    llvm::function_ref<bool(llvm::Loop &, llvm::DominatorTree &,
                            llvm::LoopInfo &, llvm::ScalarEvolution &)>
        change);

/// Whether a value that \p l computes is used behind it.
bool hasUsersOutside(const llvm::Loop &l);

/// Whether an iteration that runs only \p blocks of \p l has no effect, and no
/// value that \p l computes is used behind it.
bool hasNoEffect(const llvm::Loop &l,
                 llvm::ArrayRef<llvm::BasicBlock *> blocks);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_EACHLOOP_H
