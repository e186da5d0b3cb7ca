// Atomic operations of all threads on one variable
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If threads of a loop add to one variable and do not use the results, other
// threads cannot observe whether something came between two additions. So the
// additions are joined. Integers are combined first, in vectors, also if only
// some threads add, and for other operations whose order does not matter.
// Floating-point numbers of all threads are added to the variable's value one
// after the other, as the threads would, and again if another machine thread
// has changed it meanwhile.

#ifndef XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H
#define XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Joins such operations in the innermost thread loops of block functions. They
/// have to be relaxed, and a thread must not access memory behind them. Runs
/// before the vectorizer.
struct JoinUniformAtomicsPass : llvm::PassInfoMixin<JoinUniformAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H
