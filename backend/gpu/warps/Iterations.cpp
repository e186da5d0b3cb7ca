// Keeps the iterations of loops as the source has them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the source, code before a `break` or `return` belongs to an iteration of
// the loop. In the control flow graph it is outside the loop, because no path
// leads back. GPUs make the lanes that leave a loop wait for its last lane:
//
//      head <------+                  head <---------+
//     /    \       |                 /    \          |
//   arm    rest ---+               arm    rest       |
//    |                               \    /          |
//   out                               meet ----------+
//                                      |
//                                     out
//
// If such an arm leads to a warp operation, all paths of an iteration are
// joined. Then every later pass sees the arm in the loop. The same is done for
// loops in which lanes take a lock from each other (LockLoops.h). If an arm of
// such a loop leads back to the loop's head, as with a flag that ends the loop,
// the paths back are joined: otherwise LLVM, which knows the flag there, would
// move the arm out of the loop. If the loop only takes the lock, the code after
// it is included, up to the release of the lock.
//
// LLVM merges an empty loop head with the head of an inner loop, which makes
// one loop of two. So a mark is put between them. Another mark is put where the
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
      : function(function), locks(locks), leadsToWarpOp(leads.in(function)),
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
    if (!leadsToWarpOp && !is_contained(isLock, true))
      return;
    separate();
    bool changed = false;
    // Inner loops first: blocks added to them also belong to the outer loops.
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
  const bool leadsToWarpOp; ///< the function leads to a warp operation
  SourceOrder order;
  SmallVector<Body> bodies; ///< one for each of order.loops()

  /// Marks the paths into inner loops.
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

  /// The only block that follows a loop. Null if there are several, or if other
  /// paths lead to it.
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

  /// Extends a loop that only takes a lock by the code after it, up to the
  /// release of the lock. Returns false if the loop is another, if a path does
  /// not release the lock, or if an operation of the warp or block comes before
  /// the release.
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
        return locks.releases(inst, taken);
      });
      if (any_of(make_range(block->begin(), end), [&](const Instruction &inst) {
            return locks.isTogether(inst);
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

  /// Includes handlers that end the loop: the landing pad stays in place, and
  /// the edges out of the handler are joined.
  void takeInHandlers(Body &body) {
    for (unsigned i = 0; i != body.size(); ++i)
      for (BasicBlock *next : successors(body[i]))
        if (next->isLandingPad() && all_of(predecessors(next), [&](auto *from) {
              return body.contains(from);
            }))
          body.insert(next);
  }

  /// Joins the edges that lead back to \p head, if the loop has no other exit.
  void joinBackEdges(BasicBlock *head, ArrayRef<Edge> edges,
                     MDNode *loopMetadata) {
    SmallSetVector<BasicBlock *, 4> from;
    for (const Edge &edge : edges)
      if (edge.to == head && is_contained(predecessors(head), edge.from))
        from.insert(edge.from);
    if (from.empty())
      return;
    BasicBlock *join =
        SplitBlockPredecessors(head, from.getArrayRef(), ".meet");
    if (loopMetadata)
      join->getTerminator()->setMetadata(LLVMContext::MD_loop, loopMetadata);
    // No lanes need to reconverge there: the mark only keeps the paths.
    CallInst::Create(iterationMark(*function.getParent()),
                     ConstantInt::getFalse(function.getContext()), "",
                     join->getTerminator()->getIterator());
  }

  /// Splits returns from their blocks, so that they leave the loop by an edge.
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
    MDNode *loopMetadata = nullptr;
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
            loopMetadata = said;
            end->setMetadata(LLVMContext::MD_loop, nullptr);
          }
        }
    SmallVector<BasicBlock *> guards = joinEdges(edges, head);
    if (guards.empty()) {
      joinBackEdges(head, edges, loopMetadata);
      return false;
    }
    BasicBlock *join = guards.front();
    if (loopMetadata)
      join->getTerminator()->setMetadata(LLVMContext::MD_loop, loopMetadata);
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
  LockLoops locks(module, ops.kernels);
  if (inlineLocks(module, locks))
    locks = LockLoops(module, ops.kernels);
  WarpCalls leads(module, ops);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (leads.in(function) || locks.in(function))
      functions.push_back(&function);
  for (Function *function : functions)
    Iterations(*function, leads, locks).keep();
}

} // namespace xcc::gpu
