// Live variables, and sharing of memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VariableLiveness.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace xcc::block {

/// More variables than this do not get to share: the work is quadratic.
static constexpr unsigned SharingLimit = 400;

std::optional<unsigned> VariableLiveness::indexOf(const Value *Address) const {
  auto It = Index.find(Address);
  return It == Index.end() ? std::nullopt : std::optional(It->second);
}

std::optional<unsigned> VariableLiveness::loadedBy(const Instruction &I) const {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load ? indexOf(Load->getPointerOperand()) : std::nullopt;
}

std::optional<unsigned> VariableLiveness::storedBy(const Instruction &I) const {
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store ? indexOf(Store->getPointerOperand()) : std::nullopt;
}

BitVector VariableLiveness::liveOut(const BasicBlock *BB) const {
  BitVector Live(Index.size());
  for (const BasicBlock *Succ : successors(BB))
    Live |= liveIn(Succ);
  return Live;
}

VariableLiveness::VariableLiveness(Function &F, ArrayRef<Variable> Variables) {
  for (auto [N, V] : enumerate(Variables))
    Index[V.Local] = N;
  for (BasicBlock &BB : F)
    In[&BB].resize(Variables.size());
  ReversePostOrderTraversal<Function *> Order(&F);
  SmallVector<BasicBlock *, 32> Blocks(Order.begin(), Order.end());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : reverse(Blocks)) {
      BitVector Live = liveOut(BB);
      for (Instruction &I : reverse(*BB)) {
        if (auto N = storedBy(I))
          Live.reset(*N);
        if (auto N = loadedBy(I))
          Live.set(*N);
      }
      if (Live != In[BB]) {
        In[BB] = std::move(Live);
        Changed = true;
      }
    }
  }
}

namespace {

class Sharing {
public:
  Sharing(Function &Kernel, std::vector<Variable> &Variables)
      : Kernel(Kernel), Variables(Variables), Liveness(Kernel, Variables),
        Conflicts(Variables.size(), BitVector(Variables.size())) {}

  void run();

private:
  void findConflicts();
  /// The variable whose value \p Store writes to another, if any.
  std::optional<unsigned> copiedBy(const Instruction &Store) const;
  /// Whether variable \p N holds what \p Store, a copy of \p Copied if that is
  /// a variable, writes: it was stored the same before, in the same block.
  bool holdsSame(unsigned N, const Instruction &Store,
                 std::optional<unsigned> Copied) const;
  void merge();
  void removeCopies();

  Function &Kernel;
  std::vector<Variable> &Variables;
  VariableLiveness Liveness;
  std::vector<BitVector> Conflicts;
  SmallVector<std::pair<unsigned, unsigned>, 16> Copies;
};

} // namespace

/// Whether between \p From and \p To, in one block, \p N is not stored to.
static bool isUnchanged(const Instruction &From, const Instruction &To,
                        unsigned N, const VariableLiveness &Liveness) {
  if (From.getParent() != To.getParent())
    return false;
  for (const Instruction *I = &From; I != &To; I = I->getNextNode()) {
    if (!I)
      return false;
    if (Liveness.storedBy(*I) == N)
      return false;
  }
  return true;
}

std::optional<unsigned> Sharing::copiedBy(const Instruction &Store) const {
  auto *Value = dyn_cast<Instruction>(Store.getOperand(0));
  if (!Value)
    return std::nullopt;
  if (auto N = Liveness.loadedBy(*Value)) {
    if (isUnchanged(*Value, Store, *N, Liveness))
      return N;
    return std::nullopt;
  }
  // A value that is a variable itself, stored where it is computed: as long as
  // the value can be used, the variable holds it.
  for (const User *U : Value->users())
    if (auto *Other = dyn_cast<StoreInst>(U); Other && Other != &Store)
      if (auto N = Liveness.storedBy(*Other))
        if (count_if(Variables[*N].Local->users(), [](const User *User) {
              return isa<StoreInst>(User);
            }) == 1)
          return N;
  return std::nullopt;
}

bool Sharing::holdsSame(unsigned N, const Instruction &Store,
                        std::optional<unsigned> Copied) const {
  const Instruction *Earlier = Store.getPrevNode();
  while (Earlier && Liveness.storedBy(*Earlier) != N) {
    if (Copied && Liveness.storedBy(*Earlier) == Copied)
      return false;
    Earlier = Earlier->getPrevNode();
  }
  return Earlier && (Earlier->getOperand(0) == Store.getOperand(0) ||
                     (Copied && copiedBy(*Earlier) == Copied));
}

void Sharing::findConflicts() {
  for (BasicBlock &BB : Kernel) {
    BitVector Live = Liveness.liveOut(&BB);
    for (Instruction &I : reverse(BB)) {
      if (auto X = Liveness.storedBy(I)) {
        std::optional<unsigned> Y = copiedBy(I);
        if (Y && *Y != *X)
          Copies.push_back({*X, *Y});
        for (unsigned N : Live.set_bits())
          if (N != *X && N != Y && !holdsSame(N, I, Y)) {
            Conflicts[*X].set(N);
            Conflicts[N].set(*X);
          }
        Live.reset(*X);
      }
      if (auto N = Liveness.loadedBy(I))
        Live.set(*N);
    }
  }
}

void Sharing::merge() {
  // Members of each class, and what conflicts with any of them.
  std::vector<unsigned> Leader(Variables.size());
  for (unsigned N = 0; N != Leader.size(); ++N)
    Leader[N] = N;
  auto Find = [&](unsigned N) {
    while (Leader[N] != N)
      N = Leader[N];
    return N;
  };
  for (auto [X, Y] : Copies) {
    unsigned A = Find(X), B = Find(Y);
    if (A == B || Variables[A].IsUniform || Variables[B].IsUniform ||
        Variables[A].Local->getAllocatedType() !=
            Variables[B].Local->getAllocatedType())
      continue;
    bool Conflict = any_of(Conflicts[A].set_bits(),
                           [&](unsigned N) { return Find(N) == B; });
    if (Conflict)
      continue;
    Leader[B] = A;
    Conflicts[A] |= Conflicts[B];
  }
  std::vector<Variable> Left;
  for (unsigned N = 0; N != Leader.size(); ++N) {
    unsigned L = Find(N);
    if (L == N) {
      Left.push_back(Variables[N]);
    } else {
      Variables[N].Local->replaceAllUsesWith(Variables[L].Local);
      Variables[N].Local->eraseFromParent();
    }
  }
  Variables = std::move(Left);
}

void Sharing::removeCopies() {
  VariableLiveness After(Kernel, Variables);
  for (Instruction &I : make_early_inc_range(instructions(Kernel))) {
    auto N = After.storedBy(I);
    auto *Load = dyn_cast<LoadInst>(I.getOperand(0));
    if (N && Load && After.loadedBy(*Load) == N &&
        isUnchanged(*Load, I, *N, After))
      I.eraseFromParent();
  }
}

void Sharing::run() {
  findConflicts();
  merge();
  removeCopies();
}

void shareVariables(Function &Kernel, std::vector<Variable> &Variables) {
  if (Variables.size() <= SharingLimit)
    Sharing(Kernel, Variables).run();
}

} // namespace xcc::block
