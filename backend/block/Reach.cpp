// Needs of functions, over the call graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reach.h"
#include "Intrinsics.h"
#include "Names.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace xcc::block {

/// Whether \p Call may run any function whose address the program takes.
static bool mayCallBack(const CallBase &Call) {
  if (Call.isInlineAsm())
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  return Callee->isDeclaration() && !Callee->isIntrinsic() &&
         !intrinsicOf(*Callee) &&
         !Callee->hasFnAttribute(Attribute::NoCallback);
}

static void addNeedsOfUsers(const Value &V, unsigned Needs,
                            DenseMap<const Function *, unsigned> &Own) {
  for (const User *U : V.users()) {
    if (auto *I = dyn_cast<Instruction>(U))
      Own[I->getFunction()] |= Needs;
    else if (isa<ConstantExpr>(U))
      addNeedsOfUsers(*U, Needs, Own);
  }
}

/// Adds the needs of callees to those of callers until nothing changes.
template <class CalleesT>
static void propagate(const Module &M, const CalleesT &Callees,
                      DenseMap<const Function *, unsigned> &Needs) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M) {
      auto It = Callees.find(&F);
      if (It == Callees.end())
        continue;
      unsigned Old = Needs.lookup(&F), New = Old;
      for (const Function *Callee : It->second)
        New |= Needs.lookup(Callee);
      if (New != Old) {
        Needs[&F] = New;
        Changed = true;
      }
    }
  }
}

Reach::Reach(const Module &M) {
  SmallVector<const Function *, 8> CallsBack;
  for (const Function &F : M) {
    if (Intrinsic In = intrinsicOf(F); In.isStateful()) {
      unsigned Needs = NeedsThread;
      if (In.isBarrier())
        Needs |= NeedsBarrier;
      if (In.Kind == IntrinsicKind::WarpBarrier)
        Needs |= NeedsWarp;
      addNeedsOfUsers(F, Needs, Own);
    }
    bool Back = false;
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      Back |= mayCallBack(*Call);
      if (const Function *Callee = Call->getCalledFunction())
        if (!Callee->isDeclaration())
          Callees[&F].insert(Callee);
    }
    if (Back)
      CallsBack.push_back(&F);
  }
  for (const GlobalVariable &G : M.globals())
    if (isBlockShared(G))
      addNeedsOfUsers(G, NeedsThread, Own);

  Direct = Own;
  propagate(M, Callees, Direct);

  // An indirect call may reach every function whose address is taken, and
  // those that they call in turn.
  All = Direct;
  SmallVector<const Function *, 8> Taken;
  for (const Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(attribute::CPUKernel) &&
        F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                          /*IgnoreAssumeLikeCalls=*/true,
                          /*IgnoreLLVMUsed=*/true))
      Taken.push_back(&F);
  for (const Function *F : Taken)
    Indirect |= All.lookup(F);
  for (const Function *F : CallsBack)
    All[F] |= Indirect;
  propagate(M, Callees, All);
}

unsigned Reach::of(const CallBase &Call) const {
  unsigned Needs = mayCallBack(Call) ? Indirect : unsigned(NeedsNothing);
  if (const Function *Callee = Call.getCalledFunction())
    if (!Callee->isDeclaration())
      Needs |= all(*Callee);
  return Needs;
}

bool Reach::isRecursive(const Function &F) const {
  DenseSet<const Function *> Seen;
  SmallVector<const Function *, 16> Work = {&F};
  while (!Work.empty()) {
    auto It = Callees.find(Work.pop_back_val());
    if (It == Callees.end())
      continue;
    for (const Function *Callee : It->second) {
      if (Callee == &F)
        return true;
      if (Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  }
  return false;
}

} // namespace xcc::block
