// The names of all instructions that LLVM can write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own, because LLVM's folder of headers has others, too.

#include "llvm_names.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>

extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();

std::set<std::string> namesInLLVM() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return {};
  std::unique_ptr<llvm::MCRegisterInfo> registers(
      target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> assembly(
      target->createMCAsmInfo(*registers, triple, llvm::MCTargetOptions()));
  std::unique_ptr<llvm::MCInstrInfo> all(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCInstPrinter> printer(
      target->createMCInstPrinter(triple, 0, *assembly, *all, *registers));
  std::set<std::string> names;
  for (unsigned n = 0; n != all->getNumOpcodes(); ++n) {
    llvm::MCInst instruction;
    instruction.setOpcode(n);
    const char *text = printer->getMnemonic(instruction).first;
    std::string name;
    // Others are pseudo instructions, labels and braces.
    while (text &&
           ((*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9')))
      name += *text++;
    if (!name.empty())
      names.insert(name);
  }
  return names;
}
