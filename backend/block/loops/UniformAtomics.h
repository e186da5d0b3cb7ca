// Atomic operations of all threads on one variable
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads of a loop add to the same variable and ask for no result, nobody
// can tell whether others have come between two of them: they are done together.
// Integers are combined first, in vectors, also if only some threads add and for
// other operations whose order does not matter. Floating-point numbers of all
// threads are added to what the variable held, one after the other as the threads
// would, and all again if somebody has changed it meanwhile.

#ifndef XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H
#define XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Does so in the innermost thread loops of block functions: relaxed operations,
/// behind which a thread reads and writes no memory. Before the vectorizer.
struct JoinUniformAtomicsPass : llvm::PassInfoMixin<JoinUniformAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_UNIFORMATOMICS_H
