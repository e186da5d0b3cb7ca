// Values that outlive their region
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LiveAcross.h"
#include "Uniformity.h"
#include "VariableLiveness.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// The most instructions that a recomputed expression may have.
constexpr unsigned RecomputeLimit = 12;

class ValueSpiller {
public:
  ValueSpiller(Function &kernel, RegionPlan &plan, Uniformity &uniform)
      : kernel(kernel), plan(plan), uniform(uniform) {}

  LiveAcross run();

private:
  Variable addVariable(Instruction &value, bool isUniform);
  Value *load(const Variable &v, Instruction *place, const Twine &name);
  bool isCrossing(const Instruction &def, const Use &u) const;

  void replacePhis(BasicBlock &start);
  /// Where, on the path from \p pred to \p start, its phis get their values.
  Instruction *placeOnEdge(BasicBlock &pred, BasicBlock &start);
  bool isLiveElsewhere(BasicBlock &pred, BasicBlock &start) const;

  /// Whether all threads have the same value at \p u, so that keeping it is
  /// free.
  bool isAgreed(const Use &u) const {
    return uniform.isUniform(*u) && uniform.isUniformUse(u) &&
           intrinsicCalledBy(*cast<Instruction>(u)).kind == IntrinsicKind::None;
  }
  /// Whether \p i can be computed again from values that every region has.
  bool isCheap(const Instruction &i, unsigned &budget) const;
  Instruction *recompute(Instruction &i, unsigned region);
  void replaceCrossingUses(Instruction &def);
  void replaceUses(Instruction &def, ArrayRef<Use *> uses, bool isUniform);
  void classifyArrays(LiveAcross &result) const;

  Function &kernel;
  RegionPlan &plan;
  Uniformity &uniform;
  std::vector<Variable> variables;
  /// Expressions computed again, by original and region.
  DenseMap<std::pair<Instruction *, unsigned>, Instruction *> recomputed;
  DenseMap<unsigned, Instruction *> anchors;
  /// The first of the instructions at a block's end that update phis.
  DenseMap<BasicBlock *, Instruction *> firstUpdate;
  SetVector<Instruction *> work;
};

/// The block at which \p u needs the value: for a phi, the incoming one.
BasicBlock *blockOf(const Use &u) {
  auto *i = cast<Instruction>(u.getUser());
  if (auto *phi = dyn_cast<PHINode>(i))
    return phi->getIncomingBlock(u);
  return i->getParent();
}

Instruction *placeOf(const Use &u) {
  auto *i = cast<Instruction>(u.getUser());
  if (auto *phi = dyn_cast<PHINode>(i))
    return phi->getIncomingBlock(u)->getTerminator();
  return i;
}

} // namespace

Value *ValueSpiller::load(const Variable &v, Instruction *place,
                          const Twine &name) {
  IRBuilder<> b(place);
  LoadInst *l = b.CreateLoad(v.local->getAllocatedType(), v.local, name);
  if (!v.isUniform)
    uniform.addDivergent(*l);
  return l;
}

Variable ValueSpiller::addVariable(Instruction &value, bool isUniform) {
  Type *t = value.getType();
  auto *local =
      new AllocaInst(t, kernel.getDataLayout().getAllocaAddrSpace(),
                     value.getName() + ".kept", plan.prologue->begin());
  variables.push_back({local, isUniform});
  return variables.back();
}

bool ValueSpiller::isCrossing(const Instruction &def, const Use &u) const {
  std::optional<unsigned> from = plan.regionOf(def.getParent());
  if (!from)
    return false;
  BasicBlock *at = blockOf(u);
  if (*from != plan.regionOf(at))
    return true;
  // All threads end the region before the deciding branch is taken.
  return u.getUser() == at->getTerminator() &&
         plan.regions[*from].decider == at;
}

/// Whether a phi of \p start is still live when \p pred branches to another of
/// its successors.
bool ValueSpiller::isLiveElsewhere(BasicBlock &pred, BasicBlock &start) const {
  SmallPtrSet<BasicBlock *, 16> seen;
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock *succ : successors(&pred))
    if (succ != &start && seen.insert(succ).second)
      blocks.push_back(succ);
  while (!blocks.empty()) {
    BasicBlock *bb = blocks.pop_back_val();
    for (BasicBlock *succ : successors(bb))
      if (succ != &start && seen.insert(succ).second)
        blocks.push_back(succ);
  }
  for (PHINode &phi : start.phis())
    for (const Use &u : phi.uses()) {
      auto *i = cast<Instruction>(u.getUser());
      if (i == pred.getTerminator() || seen.contains(blockOf(u)))
        return true;
    }
  return false;
}

Instruction *ValueSpiller::placeOnEdge(BasicBlock &pred, BasicBlock &start) {
  if (pred.getSingleSuccessor())
    return pred.getTerminator();
  bool decides = plan.regions[*plan.regionOf(&pred)].decider == &pred;
  if (decides && !isLiveElsewhere(pred, start) &&
      count(successors(&pred), &start) == 1)
    return pred.getTerminator();

  auto *edge = BasicBlock::Create(kernel.getContext(), start.getName() + ".in",
                                  &kernel, &start);
  Instruction *jump = BranchInst::Create(&start, edge);
  jump->setDebugLoc(pred.getTerminator()->getDebugLoc());
  pred.getTerminator()->replaceSuccessorWith(&start, edge);
  // All edges of a switch to start are this one edge now.
  for (PHINode &phi : start.phis()) {
    Value *v = phi.getIncomingValueForBlock(&pred);
    while (phi.getBasicBlockIndex(&pred) >= 0)
      phi.removeIncomingValue(&pred, /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(v, edge);
  }
  if (decides) {
    plan.regionIndex[edge] = plan.regions.size();
    Region r;
    r.start = edge;
    r.blocks = {edge};
    r.next = &start;
    plan.regions.push_back(std::move(r));
  } else {
    unsigned n = *plan.regionOf(&pred);
    plan.regionIndex[edge] = n;
    plan.regions[n].blocks.push_back(edge);
  }
  return jump;
}

void ValueSpiller::replacePhis(BasicBlock &start) {
  SmallVector<PHINode *, 8> phis;
  for (PHINode &phi : start.phis())
    phis.push_back(&phi);
  if (phis.empty())
    return;

  // Find all places first, because the search looks at the phis' uses and
  // splits edges.
  SmallVector<BasicBlock *, 4> preds;
  for (BasicBlock *pred : predecessors(&start))
    if (!is_contained(preds, pred))
      preds.push_back(pred);
  SmallVector<Instruction *, 4> places;
  for (BasicBlock *pred : preds)
    places.push_back(placeOnEdge(*pred, start));

  DenseMap<PHINode *, Variable> localOf;
  for (PHINode *phi : phis) {
    bool allUniform =
        uniform.isUniform(*phi) && all_of(phi->uses(), [&](const Use &u) {
          return uniform.isUniformUse(u);
        });
    localOf[phi] = addVariable(*phi, allUniform);
  }
  // All phis change at once: read every new value before writing one.
  for (Instruction *place : places) {
    Instruction *last = place->getPrevNode();
    IRBuilder<> b(place);
    SmallVector<Value *, 8> incoming;
    for (PHINode *phi : phis) {
      Value *v = phi->getIncomingValueForBlock(place->getParent());
      if (auto *other = dyn_cast<PHINode>(v); other && localOf.count(other))
        v = load(localOf.lookup(other), place, other->getName());
      incoming.push_back(v);
    }
    for (auto [phi, v] : zip_equal(phis, incoming))
      b.CreateStore(v, localOf.lookup(phi).local);
    BasicBlock *pred = place->getParent();
    firstUpdate.try_emplace(pred, last ? last->getNextNode() : &pred->front());
  }
  for (PHINode *phi : phis) {
    for (Use &u : make_early_inc_range(phi->uses())) {
      auto *user = cast<Instruction>(u.getUser());
      if (auto *other = dyn_cast<PHINode>(user);
          other && other->getParent() == &start)
        continue; // is removed too
      // Phis of other blocks take the value on the edge out of pred, before the
      // variables change.
      Instruction *place = placeOf(u);
      if (isa<PHINode>(user))
        if (Instruction *first = firstUpdate.lookup(place->getParent()))
          place = first;
      u.set(load(localOf.lookup(phi), place, phi->getName()));
    }
  }
  for (PHINode *phi : phis) {
    phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
    phi->eraseFromParent();
  }
}

bool ValueSpiller::isCheap(const Instruction &i, unsigned &budget) const {
  if (budget == 0)
    return false;
  --budget;
  Intrinsic in = intrinsicCalledBy(i);
  if (in.kind == IntrinsicKind::ThreadIdx ||
      in.kind == IntrinsicKind::LinearThread || in.kind == IntrinsicKind::Lane)
    return true;
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst>(
          i) ||
      i.getType()->isFPOrFPVectorTy() || !isSafeToSpeculativelyExecute(&i))
    return false;
  switch (i.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (!isa<ConstantInt>(i.getOperand(1)))
      return false;
    break;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return false;
  default:
    break;
  }
  return all_of(i.operands(), [&](const Use &u) {
    auto *op = dyn_cast<Instruction>(u);
    if (!op || !plan.regionOf(op->getParent()))
      return true;
    return isAgreed(u) || isCheap(*op, budget);
  });
}

Instruction *ValueSpiller::recompute(Instruction &i, unsigned regionNumber) {
  if (Instruction *again = recomputed.lookup({&i, regionNumber}))
    return again;
  // All copies in a region are inserted, in the order of their creation, before
  // the instruction that was its first.
  Instruction *&anchor = anchors[regionNumber];
  if (!anchor)
    anchor = &*plan.regions[regionNumber].start->getFirstInsertionPt();
  Instruction *place = anchor;

  Instruction *copy = i.clone();
  copy->setName(i.getName());
  for (unsigned n = 0, e = i.getNumOperands(); n != e; ++n) {
    Use &original = i.getOperandUse(n);
    auto *op = dyn_cast<Instruction>(original);
    if (!op || !plan.regionOf(op->getParent()))
      continue;
    if (isAgreed(original))
      work.insert(op); // the copy's use crosses regions too
    else
      copy->setOperand(n, recompute(*op, regionNumber));
  }
  copy->insertBefore(place->getIterator());
  uniform.addDivergent(*copy);
  recomputed[{&i, regionNumber}] = copy;
  return copy;
}

void ValueSpiller::replaceUses(Instruction &def, ArrayRef<Use *> uses,
                               bool isUniform) {
  if (uses.empty())
    return;
  Variable kept = addVariable(def, isUniform);
  BasicBlock::iterator after = isa<PHINode>(def)
                                   ? def.getParent()->getFirstInsertionPt()
                                   : std::next(def.getIterator());
  new StoreInst(&def, kept.local, after);
  for (Use *u : uses)
    u->set(load(kept, placeOf(*u), def.getName()));
}

void ValueSpiller::replaceCrossingUses(Instruction &def) {
  SmallVector<Use *, 8> agreed, differing;
  for (Use &u : def.uses())
    if (isCrossing(def, u))
      (uniform.isUniform(def) && uniform.isUniformUse(u) ? agreed : differing)
          .push_back(&u);

  unsigned budget = RecomputeLimit;
  if (!differing.empty() && isCheap(def, budget)) {
    for (Use *u : differing)
      u->set(recompute(def, *plan.regionOf(blockOf(*u))));
    differing.clear();
  }
  replaceUses(def, agreed, /*isUniform=*/true);
  replaceUses(def, differing, /*isUniform=*/false);
}

/// Whether \p address escapes to code that cannot be followed.
static bool escapes(const Value &address,
                    SmallPtrSetImpl<const Value *> &seen) {
  return any_of(address.uses(), [&](const Use &u) {
    auto *i = cast<Instruction>(u.getUser());
    if (isa<LoadInst, LifetimeIntrinsic, ICmpInst, MemIntrinsic>(i))
      return false;
    if (auto *store = dyn_cast<StoreInst>(i))
      return store->getValueOperand() == u.get();
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(i))
      return seen.insert(i).second && escapes(*i, seen);
    if (auto *call = dyn_cast<CallBase>(i))
      return !call->isDataOperand(&u) ||
             !call->doesNotCapture(call->getDataOperandNo(&u));
    return true;
  });
}

/// The regions in which the memory at \p address is used.
static void findRegions(const Value &address, const RegionPlan &plan,
                        SmallPtrSetImpl<const Value *> &seen,
                        SmallSet<unsigned, 4> &regions, bool &isStarted) {
  for (const Use &u : address.uses()) {
    auto *i = cast<Instruction>(u.getUser());
    if (auto *life = dyn_cast<LifetimeIntrinsic>(i)) {
      isStarted |= life->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      if (life->getIntrinsicID() == llvm::Intrinsic::lifetime_end)
        continue;
    }
    if (std::optional<unsigned> r = plan.regionOf(i->getParent()))
      regions.insert(*r);
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(i) &&
        seen.insert(i).second)
      findRegions(*i, plan, seen, regions, isStarted);
  }
}

void ValueSpiller::classifyArrays(LiveAcross &result) const {
  SmallPtrSet<const Value *, 8> locals;
  for (const Variable &v : variables)
    locals.insert(v.local);
  for (Instruction &i : *plan.prologue) {
    auto *a = dyn_cast<AllocaInst>(&i);
    if (!a || locals.contains(a))
      continue;
    SmallPtrSet<const Value *, 16> seen, seenToo;
    SmallSet<unsigned, 4> regions;
    bool isStarted = false;
    findRegions(*a, plan, seen, regions, isStarted);
    bool isLocal = regions.size() <= 1 && !escapes(*a, seenToo);
    if (isLocal && !regions.empty() && plan.isRepeated(*regions.begin()))
      isLocal = isStarted; // it may keep its contents between iterations
    if (!isLocal)
      result.arrays.push_back({a});
  }
}

LiveAcross ValueSpiller::run() {
  // Splitting edges adds regions, but these have no phis.
  for (size_t i = 0, e = plan.regions.size(); i != e; ++i)
    replacePhis(*plan.regions[i].start);

  for (Instruction &i : instructions(kernel))
    if (plan.regionOf(i.getParent()))
      work.insert(&i);
  while (!work.empty())
    replaceCrossingUses(*work.pop_back_val());

  // Operands of recomputed values may have no other uses left.
  SmallVector<WeakTrackingVH, 16> dead;
  for (Instruction &i : instructions(kernel))
    // A ThreadRange may keep its tests in the prologue.
    if (i.getParent() != plan.prologue && isInstructionTriviallyDead(&i))
      dead.push_back(&i);
  RecursivelyDeleteTriviallyDeadInstructions(dead);
  shareVariables(kernel, variables);
  for (Instruction &i : make_early_inc_range(instructions(kernel)))
    if (isa<LoadInst>(i) && isInstructionTriviallyDead(&i))
      i.eraseFromParent();

  LiveAcross result;
  classifyArrays(result);
  result.variables = std::move(variables);
  return result;
}

bool canKeepLiveAcross(const Function &kernel, std::string &whyNot) {
  const DataLayout &dl = kernel.getDataLayout();
  for (const Instruction &i : instructions(kernel)) {
    if (i.getType()->isTokenTy() && !i.use_empty())
      whyNot = "a value that cannot be kept across a barrier";
    auto *a = dyn_cast<AllocaInst>(&i);
    if (!a)
      continue;
    if (!a->isStaticAlloca())
      whyNot = "stack memory of a size known at run time";
    else if (a->getAlign() > ScratchAlign || !a->getAllocationSize(dl))
      whyNot = "a private array of unusual alignment";
  }
  return whyNot.empty();
}

LiveAcross keepLiveAcross(Function &kernel, RegionPlan &plan,
                          Uniformity &uniform) {
  return ValueSpiller(kernel, plan, uniform).run();
}

} // namespace xcc::block
