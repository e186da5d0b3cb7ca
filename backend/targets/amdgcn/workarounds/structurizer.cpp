// Keeps values of else-blocks in their blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's structurizer moves instructions without a cost, such as an extracted
// vector element, out of an else-block to the branch. Lanes that do not enter
// the else-block then also have the value where the paths join. That is right
// if only the two arms meet at the join. If other paths also lead to the join,
// their lanes get the value instead of their own. LLVM 22 does not check that.
// So this pass puts such a value into a block of its own, followed by an empty
// block that leads to the join. The structurizer only looks at joins directly
// behind a block.

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
  /// Whether exactly two arms of one branch lead here. The entry and the last
  /// block of a loop are not such arms.
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
  // LLVM calls all registered callbacks, for every target.
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
