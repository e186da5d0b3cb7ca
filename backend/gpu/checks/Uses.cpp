// What kernels reach, and which kernels reach an object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

static void collect(const Value &from, UsedObjects &used) {
  if (const auto *object = dyn_cast<GlobalObject>(&from)) {
    if (!used.insert(object))
      return;
    if (const auto *function = dyn_cast<Function>(object)) {
      for (const Instruction &inst : instructions(function))
        for (const Value *operand : inst.operands())
          if (isa<Constant>(operand))
            collect(*operand, used);
      return;
    }
  }
  if (const auto *constant = dyn_cast<Constant>(&from))
    for (const Value *operand : constant->operands())
      collect(*operand, used);
}

UsedObjects usedBy(const Function &function) {
  UsedObjects used;
  collect(function, used);
  return used;
}

bool leadsTo(const Module &module, const Kernel &kernel,
             const Function &function) {
  const Function *entry = module.getFunction(kernel.symbol);
  return entry && usedBy(*entry).contains(&function);
}

std::string kernelsThatUse(const GlobalObject &object,
                           const KernelTable &kernels) {
  SmallSetVector<const Value *, 16> seen;
  seen.insert(&object);
  for (unsigned i = 0; i < seen.size(); ++i)
    for (const User *user : seen[i]->users()) {
      if (const auto *inst = dyn_cast<Instruction>(user))
        seen.insert(inst->getFunction());
      else
        seen.insert(user);
    }
  std::string names;
  for (const Kernel &kernel : kernels)
    if (any_of(seen, [&](const Value *value) {
          return isa<Function>(value) && value->getName() == kernel.symbol;
        }))
      names += (names.empty() ? "kernel '" : ", kernel '") + kernel.name + "'";
  return names;
}

} // namespace xcc::gpu
