// A result of a call is not what its register held before
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 22's SIShrinkInstructions makes a v_swap_b32 of three moves: t = x, x = y,
// y = t. Between them it looks for instructions that write t, x or y, but only
// at their explicit results. A call has none: its results, and what it does not
// preserve, are implicit. Inline assembly has none either. So an argument that
// was moved to v1 is taken for the result that a call returns there. The pass
// looks for moves in their short encoding: those behind a call get the long one,
// which it makes short again when it comes to them.

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
  /// The numbers are in none of LLVM's installed headers.
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
  // LLVM asks all that are registered, of every target.
  static const RegisterTargetPassConfigCallback callback(
      [](TargetMachine &machine, PassManagerBase &, TargetPassConfig *config) {
        if (machine.getTargetTriple().isAMDGCN() &&
            machine.getOptLevel() != CodeGenOptLevel::None)
          config->insertPass(&ExpandPostRAPseudosID, new MovesBehindCalls);
      });
}

} // namespace xcc::amdgcn
