// Values that outlive their region
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LiveAcross.h"
#include "Intrinsics.h"
#include "Uniformity.h"
#include "VariableLiveness.h"

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

/// Instructions that a recomputed expression may have at most.
constexpr unsigned RecomputeLimit = 12;

class Keeper {
public:
  Keeper(Function &Kernel, RegionPlan &Plan, Uniformity &Uniform)
      : Kernel(Kernel), Plan(Plan), Uniform(Uniform) {}

  LiveAcross run();

private:
  Variable addVariable(Instruction &Value, bool IsUniform);
  Value *load(const Variable &V, Instruction *Place, const Twine &Name);
  bool isCrossing(const Instruction &Def, const Use &U) const;

  /// Replaces the phis at the start of a region.
  void replacePhis(BasicBlock &Start);
  /// Where, on the way from \p Pred to \p Start, its phis get their values.
  Instruction *placeOnEdge(BasicBlock &Pred, BasicBlock &Start);
  bool isLiveElsewhere(BasicBlock &Pred, BasicBlock &Start) const;

  /// Whether all threads agree on \p U's value: keeping it costs nothing.
  bool isAgreed(const Use &U) const {
    return Uniform.isUniform(*U) && Uniform.isUniformUse(U) &&
           intrinsicCalledBy(*cast<Instruction>(U)).Kind == IntrinsicKind::None;
  }
  /// Whether \p I can be computed again from values that every region has.
  bool isCheap(const Instruction &I, unsigned &Budget) const;
  Instruction *recompute(Instruction &I, unsigned Region);
  void replaceCrossingUses(Instruction &Def);
  void replaceUses(Instruction &Def, ArrayRef<Use *> Uses, bool IsUniform);
  void classifyArrays(LiveAcross &Result) const;

  Function &Kernel;
  RegionPlan &Plan;
  Uniformity &Uniform;
  std::vector<Variable> Variables;
  /// Expressions computed again, by original and region.
  DenseMap<std::pair<Instruction *, unsigned>, Instruction *> Recomputed;
  DenseMap<unsigned, Instruction *> Anchors;
  /// The first of the instructions at a block's end that update phis.
  DenseMap<BasicBlock *, Instruction *> FirstUpdate;
  SetVector<Instruction *> Work;
};

/// The block at which \p U needs the value: for a phi, the incoming one.
BasicBlock *blockOf(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingBlock(U);
  return I->getParent();
}

Instruction *placeOf(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingBlock(U)->getTerminator();
  return I;
}

} // namespace

Value *Keeper::load(const Variable &V, Instruction *Place, const Twine &Name) {
  IRBuilder<> B(Place);
  LoadInst *L = B.CreateLoad(V.Local->getAllocatedType(), V.Local, Name);
  if (!V.IsUniform)
    Uniform.addDivergent(*L);
  return L;
}

Variable Keeper::addVariable(Instruction &Value, bool IsUniform) {
  Type *T = Value.getType();
  auto *Local =
      new AllocaInst(T, Kernel.getDataLayout().getAllocaAddrSpace(),
                     Value.getName() + ".kept", Plan.Prologue->begin());
  Variables.push_back({Local, IsUniform});
  return Variables.back();
}

bool Keeper::isCrossing(const Instruction &Def, const Use &U) const {
  std::optional<unsigned> From = Plan.regionOf(Def.getParent());
  if (!From)
    return false;
  BasicBlock *At = blockOf(U);
  if (*From != Plan.regionOf(At))
    return true;
  // A deciding branch is taken after all threads ended the region.
  return U.getUser() == At->getTerminator() &&
         Plan.Regions[*From].Decider == At;
}

/// Whether a phi of \p Start has to keep its value when \p Pred goes on to one
/// of its other successors.
bool Keeper::isLiveElsewhere(BasicBlock &Pred, BasicBlock &Start) const {
  SmallPtrSet<BasicBlock *, 16> Seen;
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock *Succ : successors(&Pred))
    if (Succ != &Start && Seen.insert(Succ).second)
      Blocks.push_back(Succ);
  while (!Blocks.empty()) {
    BasicBlock *BB = Blocks.pop_back_val();
    for (BasicBlock *Succ : successors(BB))
      if (Succ != &Start && Seen.insert(Succ).second)
        Blocks.push_back(Succ);
  }
  for (PHINode &Phi : Start.phis())
    for (const Use &U : Phi.uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (I == Pred.getTerminator() || Seen.contains(blockOf(U)))
        return true;
    }
  return false;
}

Instruction *Keeper::placeOnEdge(BasicBlock &Pred, BasicBlock &Start) {
  if (Pred.getSingleSuccessor())
    return Pred.getTerminator();
  bool Decides = Plan.Regions[*Plan.regionOf(&Pred)].Decider == &Pred;
  if (Decides && !isLiveElsewhere(Pred, Start) &&
      count(successors(&Pred), &Start) == 1)
    return Pred.getTerminator();

  auto *Edge = BasicBlock::Create(Kernel.getContext(), Start.getName() + ".in",
                                  &Kernel, &Start);
  Instruction *Jump = BranchInst::Create(&Start, Edge);
  Jump->setDebugLoc(Pred.getTerminator()->getDebugLoc());
  Pred.getTerminator()->replaceSuccessorWith(&Start, Edge);
  // Several edges of one switch are one edge now.
  for (PHINode &Phi : Start.phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Pred);
    while (Phi.getBasicBlockIndex(&Pred) >= 0)
      Phi.removeIncomingValue(&Pred, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(V, Edge);
  }
  if (Decides) {
    Plan.RegionOf[Edge] = Plan.Regions.size();
    Region R;
    R.Start = Edge;
    R.Blocks = {Edge};
    R.Next = &Start;
    Plan.Regions.push_back(std::move(R));
  } else {
    unsigned N = *Plan.regionOf(&Pred);
    Plan.RegionOf[Edge] = N;
    Plan.Regions[N].Blocks.push_back(Edge);
  }
  return Jump;
}

void Keeper::replacePhis(BasicBlock &Start) {
  SmallVector<PHINode *, 8> Phis;
  for (PHINode &Phi : Start.phis())
    Phis.push_back(&Phi);
  if (Phis.empty())
    return;

  // Places first: finding them looks at the phis' uses, and splits edges.
  SmallVector<BasicBlock *, 4> Preds;
  for (BasicBlock *Pred : predecessors(&Start))
    if (!is_contained(Preds, Pred))
      Preds.push_back(Pred);
  SmallVector<Instruction *, 4> Places;
  for (BasicBlock *Pred : Preds)
    Places.push_back(placeOnEdge(*Pred, Start));

  DenseMap<PHINode *, Variable> LocalOf;
  for (PHINode *Phi : Phis) {
    bool AllUniform =
        Uniform.isUniform(*Phi) && all_of(Phi->uses(), [&](const Use &U) {
          return Uniform.isUniformUse(U);
        });
    LocalOf[Phi] = addVariable(*Phi, AllUniform);
  }
  // All phis change at once: read every new value before writing one.
  for (Instruction *Place : Places) {
    Instruction *Last = Place->getPrevNode();
    IRBuilder<> B(Place);
    SmallVector<Value *, 8> New;
    for (PHINode *Phi : Phis) {
      Value *V = Phi->getIncomingValueForBlock(Place->getParent());
      if (auto *Other = dyn_cast<PHINode>(V); Other && LocalOf.count(Other))
        V = load(LocalOf.lookup(Other), Place, Other->getName());
      New.push_back(V);
    }
    for (auto [Phi, V] : zip_equal(Phis, New))
      B.CreateStore(V, LocalOf.lookup(Phi).Local);
    BasicBlock *Pred = Place->getParent();
    FirstUpdate.try_emplace(Pred, Last ? Last->getNextNode() : &Pred->front());
  }
  for (PHINode *Phi : Phis) {
    for (Use &U : make_early_inc_range(Phi->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      if (auto *Other = dyn_cast<PHINode>(User);
          Other && Other->getParent() == &Start)
        continue; // goes away with this one
      // Phis of other blocks take the value on the way out of Pred too: before
      // the variables change.
      Instruction *Place = placeOf(U);
      if (isa<PHINode>(User))
        if (Instruction *First = FirstUpdate.lookup(Place->getParent()))
          Place = First;
      U.set(load(LocalOf.lookup(Phi), Place, Phi->getName()));
    }
  }
  for (PHINode *Phi : Phis) {
    Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
    Phi->eraseFromParent();
  }
}

bool Keeper::isCheap(const Instruction &I, unsigned &Budget) const {
  if (Budget == 0)
    return false;
  --Budget;
  Intrinsic In = intrinsicCalledBy(I);
  if (In.Kind == IntrinsicKind::ThreadIdx ||
      In.Kind == IntrinsicKind::LinearThread)
    return true;
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst>(
          I) ||
      I.getType()->isFPOrFPVectorTy() || !isSafeToSpeculativelyExecute(&I))
    return false;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (!isa<ConstantInt>(I.getOperand(1)))
      return false;
    break;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return false;
  default:
    break;
  }
  return all_of(I.operands(), [&](const Use &U) {
    auto *Op = dyn_cast<Instruction>(U);
    if (!Op || !Plan.regionOf(Op->getParent()))
      return true;
    return isAgreed(U) || isCheap(*Op, Budget);
  });
}

Instruction *Keeper::recompute(Instruction &I, unsigned RegionNumber) {
  if (Instruction *Again = Recomputed.lookup({&I, RegionNumber}))
    return Again;
  // All copies of a region go, in the order of their making, before what was
  // its first instruction.
  Instruction *&Anchor = Anchors[RegionNumber];
  if (!Anchor)
    Anchor = &*Plan.Regions[RegionNumber].Start->getFirstInsertionPt();
  Instruction *Place = Anchor;

  Instruction *Copy = I.clone();
  Copy->setName(I.getName());
  for (unsigned N = 0, E = I.getNumOperands(); N != E; ++N) {
    Use &Original = I.getOperandUse(N);
    auto *Op = dyn_cast<Instruction>(Original);
    if (!Op || !Plan.regionOf(Op->getParent()))
      continue;
    if (isAgreed(Original))
      Work.insert(Op); // the copy's use crosses regions too
    else
      Copy->setOperand(N, recompute(*Op, RegionNumber));
  }
  Copy->insertBefore(Place->getIterator());
  Uniform.addDivergent(*Copy);
  Recomputed[{&I, RegionNumber}] = Copy;
  return Copy;
}

void Keeper::replaceUses(Instruction &Def, ArrayRef<Use *> Uses,
                         bool IsUniform) {
  if (Uses.empty())
    return;
  Variable Kept = addVariable(Def, IsUniform);
  BasicBlock::iterator After = isa<PHINode>(Def)
                                   ? Def.getParent()->getFirstInsertionPt()
                                   : std::next(Def.getIterator());
  new StoreInst(&Def, Kept.Local, After);
  for (Use *U : Uses)
    U->set(load(Kept, placeOf(*U), Def.getName()));
}

void Keeper::replaceCrossingUses(Instruction &Def) {
  SmallVector<Use *, 8> Agreed, Differing;
  for (Use &U : Def.uses())
    if (isCrossing(Def, U))
      (Uniform.isUniform(Def) && Uniform.isUniformUse(U) ? Agreed : Differing)
          .push_back(&U);

  unsigned Budget = RecomputeLimit;
  if (!Differing.empty() && isCheap(Def, Budget)) {
    for (Use *U : Differing)
      U->set(recompute(Def, *Plan.regionOf(blockOf(*U))));
    Differing.clear();
  }
  replaceUses(Def, Agreed, /*IsUniform=*/true);
  replaceUses(Def, Differing, /*IsUniform=*/false);
}

/// Whether the address of \p A leaves the code that can be followed.
static bool escapes(const Value &Address,
                    SmallPtrSetImpl<const Value *> &Seen) {
  return any_of(Address.uses(), [&](const Use &U) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<LoadInst, LifetimeIntrinsic, ICmpInst, MemIntrinsic>(I))
      return false;
    if (auto *Store = dyn_cast<StoreInst>(I))
      return Store->getValueOperand() == U.get();
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I))
      return Seen.insert(I).second && escapes(*I, Seen);
    if (auto *Call = dyn_cast<CallBase>(I))
      return !Call->isDataOperand(&U) ||
             !Call->doesNotCapture(Call->getDataOperandNo(&U));
    return true;
  });
}

/// The regions in which the memory at \p Address is used.
static void findRegions(const Value &Address, const RegionPlan &Plan,
                        SmallPtrSetImpl<const Value *> &Seen,
                        SmallSet<unsigned, 4> &Regions, bool &IsStarted) {
  for (const Use &U : Address.uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *Life = dyn_cast<LifetimeIntrinsic>(I)) {
      IsStarted |= Life->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      if (Life->getIntrinsicID() == llvm::Intrinsic::lifetime_end)
        continue;
    }
    if (std::optional<unsigned> R = Plan.regionOf(I->getParent()))
      Regions.insert(*R);
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I) &&
        Seen.insert(I).second)
      findRegions(*I, Plan, Seen, Regions, IsStarted);
  }
}

void Keeper::classifyArrays(LiveAcross &Result) const {
  SmallPtrSet<const Value *, 8> Locals;
  for (const Variable &V : Variables)
    Locals.insert(V.Local);
  for (Instruction &I : *Plan.Prologue) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A || Locals.contains(A))
      continue;
    SmallPtrSet<const Value *, 16> Seen, SeenToo;
    SmallSet<unsigned, 4> Regions;
    bool IsStarted = false;
    findRegions(*A, Plan, Seen, Regions, IsStarted);
    bool IsLocal = Regions.size() <= 1 && !escapes(*A, SeenToo);
    if (IsLocal && !Regions.empty() && Plan.isRepeated(*Regions.begin()))
      IsLocal = IsStarted; // else it may keep its contents from turn to turn
    if (!IsLocal)
      Result.Arrays.push_back({A});
  }
}

LiveAcross Keeper::run() {
  // Regions are added while edges are split; they hold no phis.
  for (size_t I = 0, E = Plan.Regions.size(); I != E; ++I)
    replacePhis(*Plan.Regions[I].Start);

  for (Instruction &I : instructions(Kernel))
    if (Plan.regionOf(I.getParent()))
      Work.insert(&I);
  while (!Work.empty())
    replaceCrossingUses(*Work.pop_back_val());

  // What was computed again may have been for that alone.
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : instructions(Kernel))
    // A ThreadRange may keep its tests in the prologue.
    if (I.getParent() != Plan.Prologue && isInstructionTriviallyDead(&I))
      Dead.push_back(&I);
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
  shareVariables(Kernel, Variables);
  for (Instruction &I : make_early_inc_range(instructions(Kernel)))
    if (isa<LoadInst>(I) && isInstructionTriviallyDead(&I))
      I.eraseFromParent();

  LiveAcross Result;
  classifyArrays(Result);
  Result.Variables = std::move(Variables);
  return Result;
}

bool canKeepLiveAcross(const Function &Kernel, std::string &WhyNot) {
  const DataLayout &DL = Kernel.getDataLayout();
  for (const Instruction &I : instructions(Kernel)) {
    if (I.getType()->isTokenTy() && !I.use_empty())
      WhyNot = "a value that cannot be kept across a barrier";
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A)
      continue;
    if (!A->isStaticAlloca())
      WhyNot = "stack memory of a size known at run time";
    else if (A->getAlign() > ScratchAlign || !A->getAllocationSize(DL))
      WhyNot = "a private array of unusual alignment";
  }
  return WhyNot.empty();
}

LiveAcross keepLiveAcross(Function &Kernel, RegionPlan &Plan,
                          Uniformity &Uniform) {
  return Keeper(Kernel, Plan, Uniform).run();
}

} // namespace xcc::block
