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

/// Above this number of variables none are merged: the work is quadratic.
static constexpr unsigned SharingLimit = 400;

std::optional<unsigned> VariableLiveness::indexOf(const Value *address) const {
  auto it = index.find(address);
  return it == index.end() ? std::nullopt : std::optional(it->second);
}

std::optional<unsigned> VariableLiveness::loadedBy(const Instruction &i) const {
  auto *load = dyn_cast<LoadInst>(&i);
  return load ? indexOf(load->getPointerOperand()) : std::nullopt;
}

std::optional<unsigned> VariableLiveness::storedBy(const Instruction &i) const {
  auto *store = dyn_cast<StoreInst>(&i);
  return store ? indexOf(store->getPointerOperand()) : std::nullopt;
}

BitVector VariableLiveness::liveOut(const BasicBlock *bb) const {
  BitVector live(index.size());
  for (const BasicBlock *succ : successors(bb))
    live |= liveIn(succ);
  return live;
}

VariableLiveness::VariableLiveness(Function &f, ArrayRef<Variable> variables) {
  for (auto [n, v] : enumerate(variables))
    index[v.local] = n;
  for (BasicBlock &bb : f)
    in[&bb].resize(variables.size());
  ReversePostOrderTraversal<Function *> order(&f);
  SmallVector<BasicBlock *, 32> blocks(order.begin(), order.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *bb : reverse(blocks)) {
      BitVector live = liveOut(bb);
      for (Instruction &i : reverse(*bb)) {
        if (auto n = storedBy(i))
          live.reset(*n);
        if (auto n = loadedBy(i))
          live.set(*n);
      }
      if (live != in[bb]) {
        in[bb] = std::move(live);
        changed = true;
      }
    }
  }
}

namespace {

class Sharing {
public:
  Sharing(Function &kernel, std::vector<Variable> &variables)
      : kernel(kernel), variables(variables), liveness(kernel, variables),
        conflicts(variables.size(), BitVector(variables.size())) {}

  void run();

private:
  void findConflicts();
  /// The variable whose value \p store writes to another, if any.
  std::optional<unsigned> copiedBy(const Instruction &store) const;
  /// Whether variable \p n already holds the value that \p store writes,
  /// because an earlier store in the same block wrote it. \p copied is the
  /// variable that \p store copies, if any.
  bool holdsSame(unsigned n, const Instruction &store,
                 std::optional<unsigned> copied) const;
  void merge();
  void removeCopies();

  Function &kernel;
  std::vector<Variable> &variables;
  VariableLiveness liveness;
  std::vector<BitVector> conflicts;
  SmallVector<std::pair<unsigned, unsigned>, 16> copies;
};

} // namespace

/// Whether \p n is not stored to between \p from and \p to. Only paths of
/// single predecessors are followed.
static bool isUnchanged(const Instruction &from, const Instruction &to,
                        unsigned n, const VariableLiveness &liveness) {
  const BasicBlock *bb = to.getParent();
  const Instruction *i = to.getPrevNode();
  for (unsigned blocks = 0; blocks != 4; ++blocks) {
    for (; i; i = i->getPrevNode()) {
      if (i == &from)
        return true;
      if (liveness.storedBy(*i) == n)
        return false;
    }
    bb = bb->getSinglePredecessor();
    if (!bb)
      return false;
    i = &bb->back();
  }
  return false;
}

std::optional<unsigned> Sharing::copiedBy(const Instruction &store) const {
  auto *value = dyn_cast<Instruction>(store.getOperand(0));
  if (!value)
    return std::nullopt;
  if (auto n = liveness.loadedBy(*value)) {
    if (isUnchanged(*value, store, *n, liveness))
      return n;
    return std::nullopt;
  }
  // The value may be kept in another variable with only one store. That
  // variable holds the value wherever the value can be used.
  for (const User *u : value->users())
    if (auto *other = dyn_cast<StoreInst>(u); other && other != &store)
      if (auto n = liveness.storedBy(*other))
        if (count_if(variables[*n].local->users(), [](const User *user) {
              return isa<StoreInst>(user);
            }) == 1)
          return n;
  return std::nullopt;
}

bool Sharing::holdsSame(unsigned n, const Instruction &store,
                        std::optional<unsigned> copied) const {
  const Instruction *earlier = store.getPrevNode();
  while (earlier && liveness.storedBy(*earlier) != n) {
    if (copied && liveness.storedBy(*earlier) == copied)
      return false;
    earlier = earlier->getPrevNode();
  }
  return earlier && (earlier->getOperand(0) == store.getOperand(0) ||
                     (copied && copiedBy(*earlier) == copied));
}

void Sharing::findConflicts() {
  for (BasicBlock &bb : kernel) {
    BitVector live = liveness.liveOut(&bb);
    for (Instruction &i : reverse(bb)) {
      if (auto x = liveness.storedBy(i)) {
        std::optional<unsigned> y = copiedBy(i);
        if (y && *y != *x)
          copies.push_back({*x, *y});
        for (unsigned n : live.set_bits())
          if (n != *x && n != y && !holdsSame(n, i, y)) {
            conflicts[*x].set(n);
            conflicts[n].set(*x);
          }
        live.reset(*x);
      }
      if (auto n = liveness.loadedBy(i))
        live.set(*n);
    }
  }
}

void Sharing::merge() {
  // Each class has a leader, which collects the conflicts of all members.
  std::vector<unsigned> leader(variables.size());
  for (unsigned n = 0; n != leader.size(); ++n)
    leader[n] = n;
  auto find = [&](unsigned n) {
    while (leader[n] != n)
      n = leader[n];
    return n;
  };
  for (auto [x, y] : copies) {
    unsigned a = find(x), b = find(y);
    if (a == b || variables[a].isUniform || variables[b].isUniform ||
        variables[a].local->getAllocatedType() !=
            variables[b].local->getAllocatedType())
      continue;
    bool conflict = any_of(conflicts[a].set_bits(),
                           [&](unsigned n) { return find(n) == b; });
    if (conflict)
      continue;
    leader[b] = a;
    conflicts[a] |= conflicts[b];
  }
  std::vector<Variable> left;
  for (unsigned n = 0; n != leader.size(); ++n) {
    unsigned l = find(n);
    if (l == n) {
      left.push_back(variables[n]);
    } else {
      variables[n].local->replaceAllUsesWith(variables[l].local);
      variables[n].local->eraseFromParent();
    }
  }
  variables = std::move(left);
}

void Sharing::removeCopies() {
  VariableLiveness after(kernel, variables);
  for (Instruction &i : make_early_inc_range(instructions(kernel))) {
    auto n = after.storedBy(i);
    auto *load = dyn_cast<LoadInst>(i.getOperand(0));
    if (n && load && after.loadedBy(*load) == n &&
        isUnchanged(*load, i, *n, after))
      i.eraseFromParent();
  }
}

void Sharing::run() {
  findConflicts();
  merge();
  removeCopies();
}

void shareVariables(Function &kernel, std::vector<Variable> &variables) {
  if (variables.size() <= SharingLimit)
    Sharing(kernel, variables).run();
}

} // namespace xcc::block
