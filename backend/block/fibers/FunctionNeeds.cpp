// Needs of functions, propagated over the call graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctionNeeds.h"
#include "Names.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace xcc::block {

bool mayCallBack(const CallBase &call) {
  if (call.isInlineAsm())
    return false;
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return true;
  return callee->isDeclaration() && !callee->isIntrinsic() &&
         !intrinsicOf(*callee) &&
         !callee->hasFnAttribute(Attribute::NoCallback);
}

bool mayBeCalledBack(const Function &f) {
  return !f.isDeclaration() && !f.hasFnAttribute(attribute::CPUKernel) &&
         f.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                           /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

static void addNeedsOfUsers(const Value &v, unsigned needs,
                            DenseMap<const Function *, unsigned> &own) {
  for (const User *u : v.users()) {
    if (auto *i = dyn_cast<Instruction>(u))
      own[i->getFunction()] |= needs;
    else if (isa<ConstantExpr>(u))
      addNeedsOfUsers(*u, needs, own);
  }
}

/// Adds the needs of callees to those of callers until nothing changes.
template <class CalleesT>
static void propagate(const Module &m, const CalleesT &callees,
                      DenseMap<const Function *, unsigned> &needs) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function &f : m) {
      auto it = callees.find(&f);
      if (it == callees.end())
        continue;
      unsigned old = needs.lookup(&f), now = old;
      for (const Function *callee : it->second)
        now |= needs.lookup(callee);
      if (now != old) {
        needs[&f] = now;
        changed = true;
      }
    }
  }
}

FunctionNeeds::FunctionNeeds(const Module &m) {
  SmallVector<const Function *, 8> callsBack, callsPointers;
  for (const Function &f : m) {
    Intrinsic in = intrinsicOf(f);
    if (in.kind == IntrinsicKind::Yield)
      addNeedsOfUsers(f, NeedsBarrier, own_);
    if (in.isStateful()) {
      // A thread_local variable is found without the thread's record.
      bool asks = in.kind != IntrinsicKind::ThreadLocal;
      unsigned needs = asks ? NeedsThread : NeedsBarrier;
      if (in.isBarrier())
        needs |= NeedsBarrier;
      if (in.kind == IntrinsicKind::WarpBarrier)
        needs |= NeedsWarp;
      addNeedsOfUsers(f, needs, own_);
    }
    bool back = false, pointers = false;
    for (const Instruction &i : instructions(f)) {
      auto *call = dyn_cast<CallBase>(&i);
      if (!call)
        continue;
      back |= mayCallBack(*call);
      pointers |= call->isIndirectCall();
      if (const Function *callee = call->getCalledFunction())
        if (!callee->isDeclaration())
          callees[&f].insert(callee);
    }
    if (back)
      callsBack.push_back(&f);
    if (pointers)
      callsPointers.push_back(&f);
  }
  for (const GlobalVariable &g : m.globals())
    if (isBlockShared(g))
      addNeedsOfUsers(g, NeedsThread, own_);

  direct_ = own_;
  propagate(m, callees, direct_);

  // An indirect call may reach every function whose address is taken, and all
  // that such a function calls.
  all_ = direct_;
  SmallVector<const Function *, 8> taken;
  for (const Function &f : m)
    if (mayBeCalledBack(f))
      taken.push_back(&f);
  for (const Function *f : taken)
    indirect |= all_.lookup(f);
  if (m.getModuleFlag(SharesVariablesFlag))
    indirect = NeedsThread | NeedsBarrier | NeedsWarp;
  if (m.getModuleFlag(SeveralImagesFlag))
    foreign = NeedsThread | NeedsBarrier | NeedsWarp;
  for (const Function *f : callsBack)
    all_[f] |= indirect;
  for (const Function *f : callsPointers)
    all_[f] |= foreign;
  propagate(m, callees, all_);
}

unsigned FunctionNeeds::of(const CallBase &call) const {
  unsigned needs = mayCallBack(call) ? indirect : unsigned(NeedsNothing);
  if (call.isIndirectCall())
    needs |= foreign;
  if (const Function *callee = call.getCalledFunction())
    if (!callee->isDeclaration())
      needs |= all(*callee);
  return needs;
}

bool FunctionNeeds::isRecursive(const Function &f) const {
  DenseSet<const Function *> seen;
  SmallVector<const Function *, 16> work = {&f};
  while (!work.empty()) {
    auto it = callees.find(work.pop_back_val());
    if (it == callees.end())
      continue;
    for (const Function *callee : it->second) {
      if (callee == &f)
        return true;
      if (seen.insert(callee).second)
        work.push_back(callee);
    }
  }
  return false;
}

} // namespace xcc::block
