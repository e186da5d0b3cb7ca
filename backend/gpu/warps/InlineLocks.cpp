// Inlines functions that take a lock and return with it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With `std::lock_guard`, the loop that takes the lock is in lock(), and
// another function releases the lock. Both are inlined into the function that
// calls both, so that Iterations.cpp sees the loop, the critical section and
// its end.

#include "LanePaths.h"
#include "LockLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

using Functions = SmallPtrSet<const Function *, 8>;

/// Whether a loop of the function takes a lock that the function does not
/// release.
bool takes(Function &function, const LockLoops &locks) {
  CycleInfo cycles;
  cycles.compute(function);
  bool found = false;
  eachCycle(cycles, [&](const Cycle *cycle) {
    const SmallVector<BasicBlock *> blocks(cycle->blocks());
    const LockLoops::Places taken = locks.takenIn(blocks);
    found |= !taken.empty() &&
             none_of(instructions(function), [&](const Instruction &inst) {
               return locks.releases(inst, taken);
             });
  });
  return found;
}

bool callsOneOf(const Function &function, const Functions &functions) {
  return any_of(instructions(function), [&](const Instruction &inst) {
    return functions.contains(calleeOf(inst));
  });
}

/// Whether the function writes an atomic variable by anything else than a call
/// of one of \p takers.
bool releasesAny(const Function &function, const LockLoops &locks,
                 const Functions &acquirers) {
  return any_of(instructions(function), [&](const Instruction &inst) {
    return !acquirers.contains(calleeOf(inst)) && locks.writes(inst);
  });
}

/// Promotes local variables to values, so that a lock's address is the same
/// value where the lock is taken and where it is released.
void promote(ArrayRef<Function *> functions) {
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  for (Function *function : functions) {
    const bool plain = function->hasOptNone();
    function->removeFnAttr(Attribute::OptimizeNone);
    SROAPass(SROAOptions::PreserveCFG).run(*function, analyses);
    if (plain)
      function->addFnAttr(Attribute::OptimizeNone);
  }
}

/// Inlines calls of functions that take a lock or write an atomic, to a limited
/// depth.
void inlineInto(Function &function, const LockLoops &locks,
                const Functions &acquirers) {
  for (unsigned depth = 0; depth != 4; ++depth) {
    SmallVector<CallBase *> calls;
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee != &function && !callee->isDeclaration() &&
          isInlineViable(*callee).isSuccess() &&
          (acquirers.contains(callee) ||
           (locks.writes(inst) && callee->getInstructionCount() < 64)))
        calls.push_back(call);
    }
    if (calls.empty())
      return;
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
  }
}

} // namespace

bool inlineLocks(Module &module, const LockLoops &locks) {
  Functions acquirers;
  SmallVector<Function *> others;
  for (Function &function : module)
    if (locks.in(function) && takes(function, locks))
      acquirers.insert(&function);
    else if (!function.isDeclaration())
      others.push_back(&function);
  if (acquirers.empty())
    return false;
  // Add their callers that only forward, such as the constructor of
  // std::lock_guard.
  for (bool more = true; more;) {
    more = false;
    for (Function *function : others)
      if (!acquirers.contains(function) && callsOneOf(*function, acquirers) &&
          !releasesAny(*function, locks, acquirers))
        more |= acquirers.insert(function).second;
  }
  SmallVector<Function *> changed;
  for (Function *function : others)
    if (!acquirers.contains(function) && callsOneOf(*function, acquirers)) {
      inlineInto(*function, locks, acquirers);
      changed.push_back(function);
    }
  promote(changed);
  return !changed.empty();
}

} // namespace xcc::gpu
