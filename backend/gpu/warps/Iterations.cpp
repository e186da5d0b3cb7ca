// Iterations of loops as the source has them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code before a `break` or `return` in a loop belongs to an iteration of the loop.
// In the control flow graph it is outside the loop, because no path leads back.
// GPUs make the lanes that leave a loop wait for the last of them:
//
//      head <------+                  head <---------+
//     /    \       |                 /    \          |
//   arm    rest ---+               arm    rest       |
//    |                               \    /          |
//   out                               meet ----------+
//                                      |
//                                     out
//
// If such an arm leads to a warp operation, all paths through an iteration are
// joined. The arm is then in the loop for every later pass. The same is done with
// loops in which lanes take a lock from each other (LockLoops.h). If their arms
// lead back to the loop's head, as with a flag that ends the loop, these paths are
// joined: LLVM would let the arm leave the loop, since it knows the flag there. If
// the loop does nothing but take the lock, what follows is taken in, up to where
// the lock is given back.
//
// LLVM merges the empty head of a loop with the head of a loop within, which would
// make one loop of two. So a mark is put between them. Another mark is where the
// paths of an iteration are joined. ReconvergencePass removes both.

#include "LanePaths.h"
#include "LockLoops.h"
#include "WarpCalls.h"
#include "block/fibers/SourceOrder.h"
#include "gpu/Passes.h"
#include "gpu/stages/BeforeLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using xcc::block::SourceOrder;

namespace xcc::gpu {
namespace {

class Iterations {
public:
  Iterations(Function &function, const WarpCalls &leads, const LockLoops &locks)
      : function(function), locks(locks), leadsOn(leads.in(function)),
        order(function, [&](const Instruction &inst) {
          auto *call = dyn_cast<CallBase>(&inst);
          return (call && leads(*call)) ||
                 (locks.in(function) && locks.writes(inst));
        }) {}

  void keep() {
    SmallVector<bool> isLock;
    for (const auto &loop : order.loops()) {
      bodies.push_back(Body(loop->blocks.begin(), loop->blocks.end()));
      isLock.push_back(locks.isLock(loop->blocks) ||
                       (!loop->takesIn && takeInSection(bodies.back())));
    }
    if (!leadsOn && !is_contained(isLock, true))
      return;
    separate();
    bool changed = false;
    // Those within first: what they get belongs to the loops around them.
    for (unsigned i = bodies.size(); i--;)
      if (order.loops()[i]->takesIn || isLock[i])
        changed |= join(i);
    if (changed)
      restoreValues(function);
  }

private:
  using Body = SmallSetVector<BasicBlock *, 16>;
  Function &function;
  const LockLoops &locks;
  const bool leadsOn; ///< to a warp operation
  SourceOrder order;
  SmallVector<Body> bodies; ///< of order.loops()

  /// Marks the paths into loops that are within others.
  void separate() {
    FunctionCallee mark = iterationMark(*function.getParent());
    for (unsigned i = 1; i < bodies.size(); ++i) {
      const SourceOrder::Loop &loop = *order.loops()[i];
      if (any_of(ArrayRef(bodies).take_front(i), [&](const Body &around) {
            return around.contains(loop.header);
          }))
        for (BasicBlock *before : loop.before)
          CallInst::Create(mark, ConstantInt::getFalse(function.getContext()),
                           "", before->getTerminator()->getIterator());
    }
  }

  /// The only block to which paths lead that leave a loop; null if there are
  /// several, or if others lead to it.
  static BasicBlock *onlyExit(const Body &body) {
    BasicBlock *exit = nullptr;
    for (BasicBlock *block : body)
      for (BasicBlock *next : successors(block))
        if (!body.contains(next) &&
            !isa<UnreachableInst>(next->getTerminator())) {
          if (exit && exit != next)
            return nullptr;
          exit = next;
        }
    return exit && all_of(predecessors(exit),
                          [&](auto *from) { return body.contains(from); })
               ? exit
               : nullptr;
  }

  /// Takes in what follows a loop that does nothing but take a lock, up to where
  /// the lock is given back. False if that is no such loop, or if the lock is not
  /// given back on each path, or behind an operation of the warp or block.
  bool takeInSection(Body &body) {
    const LockLoops::Places taken = locks.takenIn(body.getArrayRef());
    BasicBlock *exit = taken.empty() ? nullptr : onlyExit(body);
    if (!exit)
      return false;
    Body section;
    SmallVector<Instruction *> ends;
    section.insert(exit);
    for (unsigned i = 0; i != section.size(); ++i) {
      BasicBlock *block = section[i];
      auto end = find_if(*block, [&](const Instruction &inst) {
        return locks.gives(inst, taken);
      });
      if (any_of(make_range(block->begin(), end), [&](const Instruction &inst) {
            return inst.isEHPad() || locks.isTogether(inst);
          }))
        return false;
      if (end != block->end()) {
        ends.push_back(&*end);
        continue;
      }
      if (isa<ReturnInst>(block->getTerminator()) || section.size() > 64)
        return false;
      for (BasicBlock *next : successors(block))
        if (!isa<UnreachableInst>(next->getTerminator()))
          section.insert(next);
    }
    for (BasicBlock *block : section)
      if (body.contains(block) ||
          (block != exit && any_of(predecessors(block), [&](auto *from) {
             return !section.contains(from);
           })))
        return false;
    if (ends.empty())
      return false;
    for (Instruction *end : ends)
      if (!end->isTerminator())
        SplitBlock(end->getParent(), std::next(end->getIterator()));
    body.insert_range(section);
    return true;
  }

  /// A handler in a loop that ends the loop belongs to the iteration too: its
  /// landing pad stays where it is, and what it branches to is joined.
  void takeInHandlers(Body &body) {
    for (unsigned i = 0; i != body.size(); ++i)
      for (BasicBlock *next : successors(body[i]))
        if (next->isLandingPad() && all_of(predecessors(next), [&](auto *from) {
              return body.contains(from);
            }))
          body.insert(next);
  }

  /// Joins edges that all lead to \p head, the loop's only way on.
  void joinBackEdges(BasicBlock *head, ArrayRef<Edge> edges, MDNode *wishes) {
    SmallSetVector<BasicBlock *, 4> from;
    for (const Edge &edge : edges)
      if (edge.to == head && is_contained(predecessors(head), edge.from))
        from.insert(edge.from);
    if (from.empty())
      return;
    BasicBlock *join =
        SplitBlockPredecessors(head, from.getArrayRef(), ".meet");
    if (wishes)
      join->getTerminator()->setMetadata(LLVMContext::MD_loop, wishes);
    // Nothing has to reconverge there: it only keeps the paths as they are.
    CallInst::Create(iterationMark(*function.getParent()),
                     ConstantInt::getFalse(function.getContext()), "",
                     join->getTerminator()->getIterator());
  }

  /// A block that ends the function leaves the loop as others do: by an edge.
  void splitReturns(const Body &body) {
    for (BasicBlock *block : body)
      if (auto *end = dyn_cast<ReturnInst>(block->getTerminator());
          end && !block->getTerminatingMustTailCall())
        SplitBlock(block, end);
  }

  bool join(unsigned index) {
    takeInHandlers(bodies[index]);
    splitReturns(bodies[index]);
    BasicBlock *head = order.loops()[index]->header;
    DominatorTree dominators(function);
    if (!all_of(bodies[index], [&](const BasicBlock *block) {
          return dominators.dominates(head, block);
        }))
      return false;
    SmallVector<Edge> edges;
    MDNode *wishes = nullptr;
    for (BasicBlock *block : bodies[index])
      for (BasicBlock *next :
           SmallSetVector<BasicBlock *, 4>(succ_begin(block), succ_end(block)))
        if (next == head || !bodies[index].contains(next)) {
          if (isa<UnreachableInst>(next->getTerminator()) ||
              next->isLandingPad())
            continue;
          edges.push_back({block, next});
          Instruction *end = block->getTerminator();
          if (MDNode *said = end->getMetadata(LLVMContext::MD_loop);
              said && next == head) {
            wishes = said;
            end->setMetadata(LLVMContext::MD_loop, nullptr);
          }
        }
    SmallVector<BasicBlock *> guards = joinEdges(edges, head);
    if (guards.empty()) {
      joinBackEdges(head, edges, wishes);
      return false;
    }
    BasicBlock *join = guards.front();
    if (wishes)
      join->getTerminator()->setMetadata(LLVMContext::MD_loop, wishes);
    IRBuilder<> builder(join, join->getFirstInsertionPt());
    builder.CreateCall(iterationMark(*function.getParent()), builder.getTrue());
    for (unsigned i = 0; i != index; ++i)
      if (bodies[i].contains(head)) {
        bodies[i].insert_range(guards);
        bodies[i].insert_range(predecessors(join));
      }
    return true;
  }
};

} // namespace

FunctionCallee iterationMark(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee mark = module.getOrInsertFunction(
      "__xcc_iteration", FunctionType::get(Type::getVoidTy(context),
                                           {Type::getInt1Ty(context)}, false));
  auto *function = cast<Function>(mark.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::NoCallback);
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return mark;
}

void keepIterations(Module &module, const BarrierOps &ops) {
  LockLoops locks(module);
  if (inlineLocks(module, locks))
    locks = LockLoops(module);
  WarpCalls leads(module, ops);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (leads.in(function) || locks.in(function))
      functions.push_back(&function);
  for (Function *function : functions)
    Iterations(*function, leads, locks).keep();
}

} // namespace xcc::gpu
