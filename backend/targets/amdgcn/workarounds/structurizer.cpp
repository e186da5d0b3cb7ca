// Values of an else-block stay where they are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's structurizer moves what costs nothing, such as an element of a vector,
// out of the else-block of a branch up to the branch, and lets lanes that do
// not come to that block have it too, where their paths join. That is right if
// the two arms are all that comes together there. Where others come too, they
// would get the value in place of theirs; LLVM 22 does not ask. Such a value
// gets a block of its own, in front of an empty one that leads to the join: the
// structurizer looks at the joins behind the block alone.

#include "workarounds.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::amdgcn {
namespace {

class ElseValues : public FunctionPass {
public:
  static char id;
  ElseValues() : FunctionPass(id) {}
  StringRef getPassName() const override {
    return "Keep values of else-blocks";
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<TargetTransformInfoWrapperPass>();
  }

  bool runOnFunction(Function &function) override {
    auto &costs =
        getAnalysis<TargetTransformInfoWrapperPass>().getTTI(function);
    SmallVector<BasicBlock *> found;
    for (BasicBlock &block : function) {
      BasicBlock *join = block.getSingleSuccessor();
      if (!join || block.getTerminator()->getNumSuccessors() != 1 ||
          isTwoArms(*join))
        continue;
      for (const PHINode &phi : join->phis()) {
        auto *value =
            dyn_cast<Instruction>(phi.getIncomingValueForBlock(&block));
        if (value && value->getParent() == &block && !isa<PHINode>(value) &&
            costs.getInstructionCost(value, TargetTransformInfo::TCK_Latency) ==
                0) {
          found.push_back(&block);
          break;
        }
      }
    }
    for (BasicBlock *block : found)
      SplitBlock(block, block->getTerminator());
    return !found.empty();
  }

private:
  /// Whether two arms of one branch lead here, and nowhere else. The path into
  /// a loop and its last block do not.
  static bool isTwoArms(const BasicBlock &join) {
    const BasicBlock *branch = nullptr;
    return join.hasNPredecessors(2) &&
           all_of(predecessors(&join), [&](const BasicBlock *arm) {
             const BasicBlock *from = arm->getSinglePredecessor();
             const bool same = !branch || from == branch;
             branch = from;
             return from && same && arm->getSingleSuccessor();
           });
  }
};

char ElseValues::id;

} // namespace

void keepElseValues() {
  // LLVM asks all that are registered, of every target.
  static const RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, PassManagerBase &, TargetPassConfig *config) {
        if (!machine.getTargetTriple().isAMDGCN())
          return;
        // The last pass before the structurizer.
        std::unique_ptr<Pass> last(createUnifyLoopExitsPass());
        config->insertPass(last->getPassID(), new ElseValues);
      });
}

} // namespace xcc::amdgcn
