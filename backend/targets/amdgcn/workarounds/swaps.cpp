// Keeps moves after a call from becoming swaps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22's SIShrinkInstructions makes a v_swap_b32 of three moves: t = x, x =
// y, y = t. It checks whether instructions between them write t, x or y, but it
// checks only explicit results. A call has only implicit ones: its results and
// the registers that it does not preserve. Inline assembly is the same. So an
// argument that was moved to v1 is mistaken for the result that a call returns
// in v1. The LLVM pass only looks at moves in their short encoding. So this
// pass gives moves after a call the long encoding. SIShrinkInstructions
// shortens it again when it reaches them.

#include "workarounds.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace xcc::amdgcn {
namespace {

class MovesBehindCalls : public MachineFunctionPass {
public:
  static char id;
  MovesBehindCalls() : MachineFunctionPass(id) {}
  StringRef getPassName() const override {
    return "Keep moves behind calls from becoming swaps";
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    const Opcodes moves = opcodesOf(info);
    if (!moves.encoded32 || !moves.encoded64)
      return false;
    bool changed = false;
    for (MachineBasicBlock &block : function) {
      bool behindCall = false;
      for (MachineInstr &i : block) {
        behindCall |= i.isCall() || i.isInlineAsm();
        if (!behindCall || i.getOpcode() != moves.encoded32 ||
            !i.getOperand(1).isReg())
          continue;
        i.setDesc(info.get(moves.encoded64));
        changed = true;
      }
    }
    return changed;
  }

private:
  struct Opcodes {
    unsigned encoded32 = 0, encoded64 = 0;
  };
  /// LLVM's installed headers do not define these opcodes.
  static const Opcodes &opcodesOf(const TargetInstrInfo &info) {
    static const Opcodes found = [&] {
      Opcodes o;
      for (unsigned i = 0; i != info.getNumOpcodes(); ++i) {
        const StringRef name = info.getName(i);
        if (name == "V_MOV_B32_e32")
          o.encoded32 = i;
        else if (name == "V_MOV_B32_e64")
          o.encoded64 = i;
      }
      return o;
    }();
    return found;
  }
};

char MovesBehindCalls::id;

} // namespace

void keepMovesBehindCalls() {
  // LLVM calls all registered callbacks, for every target.
  static const RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, PassManagerBase &, TargetPassConfig *config) {
        if (machine.getTargetTriple().isAMDGCN() &&
            machine.getOptLevel() != CodeGenOptLevel::None)
          config->insertPass(&ExpandPostRAPseudosID, new MovesBehindCalls);
      });
}

} // namespace xcc::amdgcn
