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
// joined. The arm is then in the loop for every later pass.
//
// LLVM merges the empty head of a loop with the head of a loop within, which would
// make one loop of two. So a mark is put between them. Another mark is where the
// paths of an iteration are joined. ReconvergencePass removes both.

#include "LanePaths.h"
#include "WarpCalls.h"
#include "block/fibers/SourceOrder.h"
#include "gpu/Passes.h"
#include "gpu/stages/BeforeLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using xcc::block::SourceOrder;

namespace xcc::gpu {
namespace {

class Iterations {
public:
  Iterations(Function &function, const WarpCalls &leads)
      : function(function),
        order(function, [&](const CallBase &call) { return leads(call); }) {}

  void keep() {
    for (const auto &loop : order.loops())
      bodies.push_back(Body(loop->blocks.begin(), loop->blocks.end()));
    separate();
    bool changed = false;
    // Those within first: what they get belongs to the loops around them.
    for (unsigned i = bodies.size(); i--;)
      if (order.loops()[i]->takesIn)
        changed |= join(i);
    if (changed)
      restoreValues(function);
  }

private:
  using Body = SmallSetVector<BasicBlock *, 16>;
  Function &function;
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

  bool join(unsigned index) {
    takeInHandlers(bodies[index]);
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
    if (guards.empty())
      return false;
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
  WarpCalls leads(module, ops);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (leads.in(function))
      functions.push_back(&function);
  for (Function *function : functions)
    Iterations(*function, leads).keep();
}

} // namespace xcc::gpu
