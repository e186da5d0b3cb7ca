// Estimates the stack of threads before code generation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/checks/Checks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// Sums the bytes of local variables along the deepest chain of direct calls. A
/// recursive function counts once.
class Depths {
public:
  uint64_t of(const Function &function) {
    auto [found, isNew] = known.try_emplace(&function, 0);
    if (!isNew)
      return found->second;
    uint64_t own = 0, called = 0;
    for (const Instruction &inst : instructions(function)) {
      if (const auto *variable = dyn_cast<AllocaInst>(&inst)) {
        auto size = variable->getAllocationSize(function.getDataLayout());
        if (size && !size->isScalable())
          own += size->getFixedValue();
      } else if (const auto *call = dyn_cast<CallBase>(&inst)) {
        if (const Function *callee = call->getCalledFunction())
          called = std::max(called, of(*callee));
      }
    }
    return known[&function] = own + called;
  }

private:
  DenseMap<const Function *, uint64_t> known;
};

} // namespace

std::vector<LargeStack> findLargeStacks(const Module &module, uint64_t limit,
                                        const KernelTable &kernels) {
  Depths depths;
  std::vector<LargeStack> large;
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol))
      if (uint64_t size = depths.of(*entry); size > limit)
        large.push_back({entry, size, limit});
  return large;
}

} // namespace xcc::gpu
