// Groups kernels that must be in one image
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelGroups.h"
#include "Copies.h"
#include "Names.h"
#include "Reached.h"
#include "formats/grid_symbol.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc {
namespace {

/// Whether a program could tell two copies of a variable apart.
bool isShared(const GlobalVariable &variable) {
  // Each image has its own; the runtime sets it.
  if (variable.getName() == XCC_SYMBOL_RPC ||
      variable.getName() == XCC_SYMBOL_GRID ||
      variable.getName() == XCC_SYMBOL_TRAP_REPORT)
    return false;
  return !variable.getName().starts_with("llvm.") && !isSameInCopies(variable);
}

bool callsThroughPointers(const Function &function) {
  return any_of(instructions(function), [](const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call && call->isIndirectCall() && !call->isInlineAsm();
  });
}

/// For a global value, the key that its kernels share: the value itself, one
/// key for all function pointers, or null.
class Ties {
public:
  explicit Ties(const Module &module) : pointers(&module) {}

  const void *of(const GlobalValue &value) {
    auto [known, fresh] = ties.try_emplace(&value, nullptr);
    if (fresh)
      known->second = find(value);
    return known->second;
  }

private:
  const void *const pointers; ///< the key for all functions called through
                              ///< pointers
  DenseMap<const GlobalValue *, const void *> ties;

  const void *find(const GlobalValue &value) const {
    if (const auto *variable = dyn_cast<GlobalVariable>(&value))
      return isShared(*variable) ? variable : nullptr;
    // Constants that used it (an erased llvm.used) may be left without users.
    if (!isa<GlobalVariable>(value))
      value.removeDeadConstantUsers();
    if (const auto *function = dyn_cast<Function>(&value))
      return !function->isIntrinsic() && (function->hasAddressTaken() ||
                                          callsThroughPointers(*function))
                 ? pointers
                 : nullptr;
    return &value;
  }
};

} // namespace

std::vector<unsigned> groupKernels(const Module &module,
                                   const KernelTable &kernels,
                                   std::vector<bool> *tied) {
  EquivalenceClasses<const void *> classes;
  DenseMap<const GlobalValue *, SetVector<const GlobalValue *>> named;
  Ties ties(module);
  for (const Kernel &kernel : kernels) {
    classes.insert(&kernel);
    const Function *entry = module.getFunction(kernel.symbol);
    bool isTied = false;
    SetVector<const GlobalValue *> reached;
    if (entry)
      reached.insert(entry);
    for (size_t i = 0; i < reached.size(); ++i) {
      const GlobalValue *at = reached[i];
      if (const void *tie = ties.of(*at)) {
        classes.unionSets(&kernel, tie);
        isTied = true;
      }
      auto [names, fresh] = named.try_emplace(at);
      if (fresh)
        names->second = namedBy(*at);
      reached.insert(names->second.begin(), names->second.end());
    }
    if (tied)
      tied->push_back(isTied);
  }
  DenseMap<const void *, unsigned> numbers;
  std::vector<unsigned> groups;
  for (const Kernel &kernel : kernels)
    groups.push_back(
        numbers.try_emplace(classes.getLeaderValue(&kernel), numbers.size())
            .first->second);
  return groups;
}

} // namespace xcc
