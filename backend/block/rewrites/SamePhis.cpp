// Phis that join one expression
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SamePhis.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

/// The most blocks between a branch and an edge where it decides a comparison.
static constexpr unsigned MostSteps = 8;
/// The depth to which expressions are compared.
static constexpr unsigned MostDepth = 3;

/// The value of \p compare on the edge from \p from to \p to, if the branches
/// on the only path to that edge imply it. The flags of \p compare are ignored,
/// because they hold only at its place.
static std::optional<bool> knownOnEdge(const ICmpInst &compare,
                                       const BasicBlock *from,
                                       const BasicBlock *to) {
  const DataLayout &dl = compare.getDataLayout();
  for (unsigned steps = 0; from && steps < MostSteps; ++steps) {
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch && branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1))
      if (auto known =
              isImpliedCondition(branch->getCondition(), compare.getPredicate(),
                                 compare.getOperand(0), compare.getOperand(1),
                                 dl, branch->getSuccessor(0) == to))
        return known;
    to = from;
    from = from->getSinglePredecessor();
  }
  return std::nullopt;
}

/// Whether \p i is a cheap computation that may be executed speculatively.
static bool isCheap(const Instruction &i) {
  return isa<CastInst, BinaryOperator, GetElementPtrInst, ICmpInst>(i) &&
         !i.isIntDivRem();
}

/// Whether \p a and \p b compute the same from the same values.
static bool isSame(const Value *a, const Value *b, unsigned depth = MostDepth) {
  if (a == b)
    return true;
  auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
  if (depth == 0 || !x || !y || !isCheap(*x) || !x->isSameOperationAs(y))
    return false;
  return all_of(
      zip_equal(x->operand_values(), y->operand_values()), [&](auto both) {
        return isSame(std::get<0>(both), std::get<1>(both), depth - 1);
      });
}

/// Whether constant \p n of \p phi is the value that a comparison on another
/// path is known to have on path \p n.
static bool isKnown(const PHINode &phi, unsigned n) {
  auto *constant = dyn_cast<ConstantInt>(phi.getIncomingValue(n));
  return constant && any_of(phi.incoming_values(), [&](const Value *v) {
           auto *compare = dyn_cast<ICmpInst>(v);
           return compare && knownOnEdge(*compare, phi.getIncomingBlock(n),
                                         phi.getParent()) == constant->isOne();
         });
}

namespace {

/// An expression that all paths to a phi compute.
class JoinedPhi {
public:
  JoinedPhi(PHINode &phi, const DominatorTree &dt) : phi(phi), dt(dt) {}

  bool matches();
  void replace();

private:
  bool isComputable(const Value *v, unsigned depth = MostDepth) const;
  Value *compute(Value *v, BasicBlock::iterator place, bool keepsFlags);

  PHINode &phi;
  const DominatorTree &dt;
  Instruction *first = nullptr;
  bool hasConstants = false;
};

} // namespace

bool JoinedPhi::matches() {
  for (Value *v : phi.incoming_values())
    if (!first)
      first = dyn_cast<Instruction>(v);
  if (!first || dt.dominates(first, &phi) || !isComputable(first))
    return false;
  for (unsigned n = 0; n != phi.getNumIncomingValues(); ++n) {
    if (isSame(first, phi.getIncomingValue(n)))
      continue;
    if (!isKnown(phi, n))
      return false;
    hasConstants = true;
  }
  return true;
}

/// Whether \p v can be computed at the phi. Values of other phis in this block
/// cannot be used, because they already are those of the next iteration.
bool JoinedPhi::isComputable(const Value *v, unsigned depth) const {
  auto *i = dyn_cast<Instruction>(v);
  if (i && isa<PHINode>(i) && i->getParent() == phi.getParent())
    return false;
  if (dt.dominates(v, &phi))
    return true;
  return depth != 0 && i && isCheap(*i) &&
         all_of(i->operand_values(), [&](const Value *operand) {
           return isComputable(operand, depth - 1);
         });
}

/// Computes \p v, after its operands, before \p place.
Value *JoinedPhi::compute(Value *v, BasicBlock::iterator place,
                          bool keepsFlags) {
  if (dt.dominates(v, &phi))
    return v;
  Instruction *copy = cast<Instruction>(v)->clone();
  if (!keepsFlags)
    copy->dropPoisonGeneratingFlags();
  for (Use &u : copy->operands())
    u = compute(u, place, /*keepsFlags=*/false);
  copy->insertBefore(place);
  copy->setDebugLoc(phi.getDebugLoc());
  return copy;
}

void JoinedPhi::replace() {
  auto *joined = cast<Instruction>(
      compute(first, phi.getParent()->getFirstInsertionPt(), !hasConstants));
  // Keep only the flags of all paths.
  if (!hasConstants)
    for (Value *v : phi.incoming_values())
      joined->andIRFlags(v);
  joined->takeName(&phi);
  SmallVector<WeakTrackingVH> values(phi.incoming_values());
  phi.replaceAllUsesWith(joined);
  phi.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(values);
}

/// Removes empty blocks, which LLVM made for the joined expressions.
static void removeEmpty(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks)
    if (auto *jump = dyn_cast<BranchInst>(&block->front());
        jump && jump->isUnconditional() && jump->getSuccessor(0) != block)
      TryToSimplifyUncondBranchFromEmptyBlock(block);
}

/// Makes each query of the launch once, at the start, so that phis of this
/// query can be replaced by it.
static void queryOnce(Function &kernel) {
  MapVector<const Function *, SmallVector<Instruction *, 4>> queries;
  for (Instruction &i : instructions(kernel))
    switch (intrinsicCalledBy(i).kind) {
    case IntrinsicKind::ThreadIdx:
    case IntrinsicKind::LinearThread:
    case IntrinsicKind::BlockIdx:
    case IntrinsicKind::BlockDim:
    case IntrinsicKind::GridDim:
      queries[cast<CallBase>(i).getCalledFunction()].push_back(&i);
      break;
    default:
      break;
    }
  bool changed = false;
  SetVector<BasicBlock *> paths;
  for (auto &[asked, calls] : queries) {
    if (hasSingleElement(calls))
      continue;
    changed = true;
    Instruction *first = calls.front();
    paths.insert(first->getParent());
    first->moveBefore(kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (Instruction *other : drop_begin(calls)) {
      paths.insert(other->getParent());
      other->replaceAllUsesWith(first);
      other->eraseFromParent();
    }
  }
  while (changed) {
    changed = false;
    for (Instruction &i : make_early_inc_range(instructions(kernel)))
      if (auto *phi = dyn_cast<PHINode>(&i))
        if (auto *same = dyn_cast_or_null<CallBase>(phi->hasConstantValue());
            same && intrinsicCalledBy(*same)) {
          phi->replaceAllUsesWith(same);
          phi->eraseFromParent();
          changed = true;
        }
  }
  paths.remove(&kernel.getEntryBlock());
  removeEmpty(paths.getArrayRef());
}

/// Whether nobody uses \p phi who came by its path \p n, or before by a path on
/// which its branch was decided so: all uses are behind branches that the same
/// condition decides otherwise. It is computed before the phi is, so it is the same
/// for a use as it was on the path.
static bool isUnusedFrom(const PHINode &phi, unsigned n,
                         const DominatorTree &dt) {
  const BasicBlock *to = phi.getParent(), *from = phi.getIncomingBlock(n);
  for (unsigned steps = 0; from && steps < MostSteps; ++steps) {
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch && branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1) &&
        isa<Instruction>(branch->getCondition()) &&
        dt.dominates(branch->getCondition(), &phi)) {
      const unsigned other = branch->getSuccessor(0) == to;
      auto isBehindOther = [&](const Use &u) {
        return any_of(branch->getCondition()->users(), [&](const User *user) {
          auto *decides = dyn_cast<BranchInst>(user);
          return decides &&
                 decides->getSuccessor(0) != decides->getSuccessor(1) &&
                 dt.dominates(BasicBlockEdge(decides->getParent(),
                                             decides->getSuccessor(other)),
                              u);
        });
      };
      const Value *carried = phi.getIncomingValue(n);
      if (all_of(phi.uses(), [&](const Use &u) {
            return isBehindOther(u) ||
                   (u.getUser() == carried && carried->hasOneUse());
          }))
        return true;
    }
    to = from;
    from = from->getSinglePredecessor();
  }
  return false;
}

/// Forgets what phis are on paths whose threads do not use them. An uninitialised
/// variable of a loop's body keeps its value from one iteration to the next
/// otherwise, for threads that do not set it.
static void forgetUnused(Function &kernel, const DominatorTree &dt) {
  SmallVector<WeakTrackingVH> old;
  for (BasicBlock &block : kernel)
    for (PHINode &phi : block.phis())
      for (unsigned n = 0; n != phi.getNumIncomingValues(); ++n) {
        Value *v = phi.getIncomingValue(n);
        if (isa<Constant>(v) || phi.use_empty() || !isUnusedFrom(phi, n, dt))
          continue;
        old.push_back(v);
        phi.setIncomingValue(n, PoisonValue::get(phi.getType()));
      }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(old);
}

void joinSamePhis(Function &kernel) {
  queryOnce(kernel);
  DominatorTree dt(kernel);
  forgetUnused(kernel, dt);
  SmallVector<WeakTrackingVH> phis;
  for (Instruction &i : instructions(kernel))
    if (auto *phi = dyn_cast<PHINode>(&i); phi && phi->getNumIncomingValues())
      phis.push_back(phi);
  SetVector<BasicBlock *> paths;
  for (Value *v : phis) {
    auto *phi = dyn_cast_or_null<PHINode>(v);
    if (!phi)
      continue;
    JoinedPhi joined(*phi, dt);
    if (!joined.matches())
      continue;
    paths.insert(phi->block_begin(), phi->block_end());
    joined.replace();
  }
  paths.remove(&kernel.getEntryBlock());
  removeEmpty(paths.getArrayRef());
}

} // namespace xcc::block
