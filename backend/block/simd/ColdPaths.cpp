// Threads that throw leave their vector
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColdPaths.h"
#include "Emit.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block::simd {

static constexpr StringLiteral LeavingName = "xcc.simd.leaving";

static const Function *calleeOf(const Instruction &i) {
  auto *call = dyn_cast<CallBase>(&i);
  return call ? call->getCalledFunction() : nullptr;
}

static bool isCold(const Instruction &i) {
  auto *call = dyn_cast<CallBase>(&i);
  if (!call)
    return isa<UnreachableInst>(i);
  const Function *callee = call->getCalledFunction();
  return call->hasFnAttr(Attribute::Cold) || call->doesNotReturn() ||
         (callee &&
          StringSwitch<bool>(callee->getName())
              .Cases({"__cxa_allocate_exception", "__cxa_throw",
                      "__cxa_begin_catch", "__xcc_throw_at", "__xcc_select"},
                     true)
              .Default(false));
}

Blocks coldBlocks(const Function &f) {
  Blocks cold;
  for (const BasicBlock *block : post_order(&f))
    if (any_of(*block, isCold) ||
        (succ_size(block) &&
         all_of(successors(block),
                [&](const BasicBlock *s) { return cold.contains(s); })))
      cold.insert(block);
  return cold;
}

bool isLeaving(const Instruction &i) {
  const Function *callee = calleeOf(i);
  return callee && callee->getName() == LeavingName;
}

/// The blocks of \p l on the paths of threads that take no cold path. Empty if
/// there is no cold path, or if no copy without them is possible.
static Blocks hotBlocks(const Loop &l) {
  const Blocks cold = coldBlocks(*l.getHeader()->getParent());
  Blocks hot;
  SmallVector<const BasicBlock *> work = {l.getHeader()};
  bool found = false;
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (cold.contains(block)) {
      found = true;
      continue;
    }
    if (!l.contains(block) || !hot.insert(block).second)
      continue;
    if (!isa<BranchInst>(block->getTerminator()))
      return {};
    append_range(work, successors(block));
  }
  const BasicBlock *latch = l.getLoopLatch();
  if (!found || !latch || !l.getLoopPreheader() || !hot.contains(latch) ||
      !l.isLoopExiting(latch))
    return {};
  // Exits other than the latch have to be those of threads that throw.
  for (const BasicBlock *block : hot)
    for (const BasicBlock *next : successors(block))
      if (!l.contains(next) &&
          (block == latch ? !next->phis().empty() : !cold.contains(next)))
        return {};
  return hot;
}

std::unique_ptr<HotCopy> HotCopy::create(Loop &l) {
  Blocks hot = hotBlocks(l);
  if (hot.empty())
    return nullptr;
  return std::unique_ptr<HotCopy>(new HotCopy(l, std::move(hot)));
}

HotCopy::HotCopy(Loop &l, Blocks hot) : coldHeader(l.getHeader()) {
  copyBlocks(l, hot);
  hotHeader = cast<BasicBlock>(map[coldHeader]);
  Instruction *jump = l.getLoopPreheader()->getTerminator();
  IRBuilder<> b(jump);
  // The choice is opaque until one of the loops is removed.
  Value *either = b.CreateFreeze(UndefValue::get(b.getInt1Ty()));
  choice = b.CreateCondBr(either, hotHeader, coldHeader);
  jump->eraseFromParent();
  dropRecords();
  mergeBlocks();
  delayStores();
}

void HotCopy::copyBlocks(Loop &l, const Blocks &hot) {
  Function &f = *coldHeader->getParent();
  SmallVector<BasicBlock *> copied;
  for (BasicBlock *block : l.blocks()) {
    originals.insert(block);
    if (!hot.contains(block))
      continue;
    BasicBlock *copy = CloneBasicBlock(block, map, ".hot", &f);
    map[block] = copy;
    copies.push_back(copy);
    copied.push_back(block);
  }
  for (BasicBlock *copy : copies)
    for (PHINode &phi : copy->phis())
      for (unsigned n = phi.getNumIncomingValues(); n-- != 0;)
        if (const BasicBlock *from = phi.getIncomingBlock(n);
            l.contains(from) && !hot.contains(from))
          phi.removeIncomingValue(n, /*DeletePHIIfEmpty=*/false);
  for (auto [original, copy] : zip(copied, copies))
    cutColdEdges(*copy, *original, hot, l);
  remapInstructionsInBlocks(copies, map);
}

/// Cuts cold edges. A thread that would take one leaves its vector before.
void HotCopy::cutColdEdges(BasicBlock &from, const BasicBlock &copied,
                           const Blocks &hot, const Loop &l) {
  auto *branch = cast<BranchInst>(from.getTerminator());
  if (!branch->isConditional() || &copied == l.getLoopLatch())
    return;
  for (unsigned n = 0; n != 2; ++n) {
    if (hot.contains(branch->getSuccessor(n)))
      continue;
    BasicBlock *next = branch->getSuccessor(1 - n);
    IRBuilder<> b(branch);
    Value *leaves = branch->getCondition();
    if (n == 1)
      leaves = b.CreateNot(leaves);
    CallInst *call = b.CreateCall(
        from.getModule()->getOrInsertFunction(
            LeavingName,
            FunctionType::get(b.getVoidTy(), {b.getInt1Ty()}, false)),
        {leaves});
    call->setDoesNotThrow();
    b.CreateBr(next);
    branch->eraseFromParent();
    return;
  }
}

/// Removes stores to the records of a thread's thread_local variables and
/// caught exceptions. Only called functions read these records.
void HotCopy::dropRecords() {
  Function &f = *hotHeader->getParent();
  const SmallPtrSet<BasicBlock *, 16> all(copies.begin(), copies.end());
  SmallVector<Instruction *> ofThreads;
  bool isRead = false;
  for (BasicBlock &block : f)
    for (Instruction &i : block) {
      auto *address = dyn_cast<IntrinsicInst>(&i);
      if (!address ||
          address->getIntrinsicID() != llvm::Intrinsic::threadlocal_address)
        continue;
      for (User *user : address->users()) {
        auto *store = dyn_cast<StoreInst>(user);
        if (!all.contains(cast<Instruction>(user)->getParent()))
          continue;
        isRead |= !store || store->getPointerOperand() != address;
        ofThreads.push_back(cast<Instruction>(user));
      }
    }
  if (!isRead)
    for (Instruction *store : ofThreads)
      store->eraseFromParent();
  for (Instruction &i : f.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&i))
      dropStores(*variable);
  for (BasicBlock *copy : copies)
    for (Instruction &i : make_early_inc_range(reverse(*copy)))
      if (isInstructionTriviallyDead(&i))
        i.eraseFromParent();
}

static bool isWriteTo(const Instruction &i, const Value *address) {
  if (auto *store = dyn_cast<StoreInst>(&i))
    return store->isSimple() && store->getValueOperand() != address;
  return isa<MemSetInst, LifetimeIntrinsic>(i);
}

/// Removes the copy's writes to \p variable, if the copy uses it in no other
/// way and no code outside the original loop passes its address on.
void HotCopy::dropStores(AllocaInst &variable) {
  const SmallPtrSet<BasicBlock *, 16> all(copies.begin(), copies.end());
  SmallVector<Instruction *> work = {&variable};
  SmallSetVector<Instruction *, 8> writes;
  while (!work.empty()) {
    Instruction *address = work.pop_back_val();
    for (User *user : address->users()) {
      auto *i = cast<Instruction>(user);
      const bool copied = all.contains(i->getParent());
      if (isa<GetElementPtrInst>(i))
        work.push_back(i);
      else if (copied && isWriteTo(*i, address))
        writes.insert(i);
      else if (copied || !(originals.contains(i->getParent()) ||
                           isWriteTo(*i, address) || isa<LoadInst>(i)))
        return;
    }
  }
  for (Instruction *write : writes)
    write->eraseFromParent();
}

void HotCopy::mergeBlocks() {
  SmallVector<BasicBlock *> kept;
  for (BasicBlock *copy : copies)
    if (copy == hotHeader || !MergeBlockIntoPredecessor(copy))
      kept.push_back(copy);
  copies = std::move(kept);
}

/// Moves stores behind the places where lanes leave, unless code between them
/// may observe the store.
void HotCopy::delayStores() {
  for (BasicBlock *copy : copies)
    for (Instruction &i : make_early_inc_range(*copy)) {
      if (!isLeaving(i))
        continue;
      for (Instruction *before = i.getPrevNode(); before;) {
        Instruction *store = before;
        before = before->getPrevNode();
        if (auto *simple = dyn_cast<StoreInst>(store);
            simple && simple->isSimple()) {
          store->moveAfter(&i); // in front of stores that followed it
        } else if (!isDropped(*store) &&
                   (store->mayReadOrWriteMemory() || isLeaving(*store))) {
          break;
        }
      }
    }
}

PHINode *HotCopy::copyOf(const PHINode &phi) const {
  return cast<PHINode>(map.lookup(&phi));
}

namespace {

/// Accesses of the copy, in the order in which a vector reaches them.
class Order {
public:
  Order(const Loop &hot, const Shapes &shapes) : shapes(shapes) { add(hot); }

  struct Place {
    Instruction *i;
    unsigned first, last; ///< of the outermost inner loop around it
  };
  SmallVector<Place> stores, leaves;
  SmallVector<Instruction *> loads;

private:
  void add(const Loop &l) {
    for (const Node &node : shapes.graphOf(l).nodes) {
      if (!node.inner) {
        for (Instruction &i : *node.block)
          add(i);
        continue;
      }
      const size_t store = stores.size(), leave = leaves.size();
      const unsigned first = now;
      add(*node.inner);
      for (auto *places : {&stores, &leaves})
        for (Place &p : drop_begin(*places, places == &stores ? store : leave))
          p.first = first, p.last = now;
    }
  }
  void add(Instruction &i) {
    ++now;
    if (isLeaving(i))
      leaves.push_back({&i, now, now});
    else if (isa<StoreInst>(i))
      stores.push_back({&i, now, now});
    else if (isa<LoadInst>(i) && !i.hasMetadata(LLVMContext::MD_invariant_load))
      loads.push_back(&i);
  }

  const Shapes &shapes;
  unsigned now = 0;
};

} // namespace

/// The memory that \p i accesses in all iterations of the thread's loops.
static MemoryLocation locationOf(Instruction &i) {
  return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&i),
                                          i.getAAMetadata());
}

/// More comparisons would cost more than a vector gains.
static constexpr size_t MostOverlaps = 8;

const char *HotCopy::reasonAgainst(Loop &hot, const Shapes &shapes,
                                   AAResults &aliases, ScalarEvolution &se,
                                   SmallVectorImpl<Overlap> &overlaps) const {
  const Order order(hot, shapes);
  for (const Order::Place &store : order.stores) {
    if (none_of(order.leaves, [&](const Order::Place &leave) {
          return store.first < leave.last;
        }))
      continue;
    for (Instruction *load : order.loads) {
      if (aliases.isNoAlias(locationOf(*store.i), locationOf(*load)))
        continue;
      auto overlap = overlapOf(*store.i, *load, hot, shapes, se);
      if (overlap && !is_contained(overlaps, *overlap))
        overlaps.push_back(*overlap);
      if (!overlap || overlaps.size() > MostOverlaps)
        return "a thread may throw after it has written what it may read";
    }
  }
  return nullptr;
}

static void take(BranchInst *choice, unsigned n) {
  Function &f = *choice->getFunction();
  BasicBlock *other = choice->getSuccessor(1 - n);
  other->removePredecessor(choice->getParent());
  auto *either = cast<Instruction>(choice->getCondition());
  IRBuilder<>(choice).CreateBr(choice->getSuccessor(n));
  choice->eraseFromParent();
  either->eraseFromParent();
  removeUnreachableBlocks(f);
}

void HotCopy::takeCopy() { take(choice, 0); }
void HotCopy::dropCopy() { take(choice, 1); }

} // namespace xcc::block::simd
