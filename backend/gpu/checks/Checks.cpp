// Errors for code that no GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/checks/Checks.h"
#include "Uses.h"
#include "gpu/AddressSpaces.h"
#include "link/LinkErrors.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xcc::gpu {

Error checkDefined(const Module &module, const KernelTable &kernels,
                   const DeviceCodegenOptions &options) {
  std::string missing;
  for (const GlobalObject &object : module.global_objects())
    if (isUndefined(object))
      missing += describeUndefined(object.getName(),
                                   kernelsThatUse(object, kernels), options);
  if (missing.empty())
    return Error::success();
  return createStringError(missing + adviceForUndefined());
}

namespace {

/// Whether an instruction computes with 128-bit floating-point numbers; moving
/// them is allowed.
bool computesQuads(const Instruction &inst) {
  auto isQuad = [](const Type *type) {
    return type->getScalarType()->isFP128Ty();
  };
  if (!isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, IntrinsicInst>(
          inst) ||
      isa<BitCastInst>(inst) || isa<MemIntrinsic>(inst))
    return false;
  return isQuad(inst.getType()) || any_of(inst.operands(), [&](const Use &use) {
           return isQuad(use->getType());
         });
}

} // namespace

Error checkQuads(const Module &module, StringRef arch,
                 const KernelTable &kernels) {
  std::string wrong;
  for (const Function &function : module) {
    if (none_of(instructions(function), computesQuads))
      continue;
    std::string users = kernelsThatUse(function, kernels);
    if (users.empty())
      continue;
    wrong += formatv("'{0}', which {1} leads to, computes with __float128, "
                     "which {2} has no code for\n",
                     demangle(function.getName()), users, arch)
                 .str();
  }
  if (wrong.empty())
    return Error::success();
  return createStringError(
      wrong + "note: such numbers can be passed and stored there; compute with "
              "double, or in a kernel of the CPU device\n");
}

Error checkArguments(StringRef arch, uint64_t limit,
                     const KernelTable &kernels) {
  std::string wrong;
  for (const Kernel &kernel : kernels)
    if (kernel.kernargSize > limit)
      wrong += formatv("{0}:{1}: kernel '{2}' takes {3} bytes of arguments and "
                       "captures, and on {4} a kernel can take {5}\n",
                       kernel.file, kernel.line, kernel.name,
                       kernel.kernargSize, arch, limit)
                   .str();
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong +
                           "note: put what is large into memory, and pass its "
                           "address: xcc::buffer\n");
}

namespace {

/// "'tile' in 'f(int)'" as far as known; leaves out a kernel's entry.
std::string nameOf(const AllocaInst &variable, const Function &kernel) {
  std::string name;
  for (const DbgVariableRecord *record :
       findDVRDeclares(const_cast<AllocaInst *>(&variable)))
    name = (" '" + record->getVariable()->getName() + "'").str();
  if (const Function *function = variable.getFunction(); function != &kernel)
    name += " in '" + demangle(function->getName()) + "'";
  return name;
}

/// Describes the largest local variable of a kernel and of the functions it
/// reaches.
std::string largestVariable(const Function &kernel) {
  const AllocaInst *largest = nullptr;
  uint64_t bytes = 0;
  for (const GlobalObject *object : usedBy(kernel))
    if (const auto *function = dyn_cast<Function>(object))
      for (const Instruction &inst : instructions(function))
        if (const auto *variable = dyn_cast<AllocaInst>(&inst))
          if (auto size = variable->getAllocationSize(kernel.getDataLayout());
              size && !size->isScalable() && size->getFixedValue() > bytes) {
            largest = variable;
            bytes = size->getFixedValue();
          }
  if (!largest)
    return "";
  return formatv("; its largest local variable{0} has {1} bytes",
                 nameOf(*largest, kernel), bytes);
}

} // namespace

Error checkStacks(StringRef arch, ArrayRef<LargeStack> stacks,
                  const KernelTable &kernels) {
  std::string wrong;
  for (const LargeStack &stack : stacks) {
    auto kernel = find_if(kernels, [&](const Kernel &each) {
      return each.symbol == stack.kernel->getName();
    });
    if (kernel != kernels.end())
      wrong += formatv("{0}:{1}: kernel '{2}'", kernel->file, kernel->line,
                       kernel->name);
    else
      wrong += "'" + demangle(stack.kernel->getName()) + "'";
    wrong +=
        formatv(" needs {0} bytes of stack for each thread, and on {1} a "
                "thread has at most {2}{3}\n",
                stack.size, arch, stack.limit, largestVariable(*stack.kernel));
  }
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong + "note: put what is large into memory: "
                                   "xcc::buffer, malloc\n");
}

Error checkShared(const Module &module, StringRef arch, uint64_t limit,
                  const KernelTable &kernels) {
  std::string wrong;
  for (const Kernel &kernel : kernels) {
    const Function *entry = module.getFunction(kernel.symbol);
    if (!entry)
      continue;
    uint64_t bytes = 0;
    for (const GlobalObject *object : usedBy(*entry))
      if (const auto *variable = dyn_cast<GlobalVariable>(object);
          variable && variable->getAddressSpace() == SharedAddressSpace)
        bytes =
            alignTo(bytes, variable->getAlign().valueOrOne()) +
            module.getDataLayout().getTypeAllocSize(variable->getValueType());
    if (bytes > limit)
      wrong +=
          formatv("{0}:{1}: kernel '{2}' has {3} bytes of block-shared "
                  "variables, and on {4} a block has {5}\n",
                  kernel.file, kernel.line, kernel.name, bytes, arch, limit)
              .str();
  }
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong + "note: make them smaller, or let the launch "
                                   "ask for memory: xcc::dynamic_shared\n");
}

} // namespace xcc::gpu
