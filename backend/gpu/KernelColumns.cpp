// Columns of the kernel table for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/KernelColumns.h"
#include "formats/grid_symbol.h"
#include "gpu/checks/Uses.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

/// Adds a column with value 1 for kernels that reach objects for which `holds`
/// is true.
static void markKernels(std::vector<KernelColumn> &columns,
                        const Module &module, const KernelTable &kernels,
                        StringRef column,
                        function_ref<bool(const UsedObjects &)> holds) {
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol);
        entry && holds(usedBy(*entry)))
      columns.push_back({kernel.symbol, column.str(), "1"});
}

void markCalls(std::vector<KernelColumn> &columns, const Module &module,
               const KernelTable &kernels) {
  const GlobalVariable *rpc = module.getNamedGlobal(XCC_SYMBOL_RPC);
  if (rpc)
    markKernels(columns, module, kernels, "calls",
                [&](const auto &used) { return used.contains(rpc); });
  if (const GlobalVariable *grid = module.getNamedGlobal(XCC_SYMBOL_GRID))
    markKernels(columns, module, kernels, "grid",
                [&](const auto &used) { return used.contains(grid); });
}

void markStacks(std::vector<KernelColumn> &columns, const Module &module,
                const KernelTable &kernels) {
  SmallPtrSet<const Function *, 8> unknown;
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      const auto *variable = dyn_cast<AllocaInst>(&inst);
      const auto *call = dyn_cast<CallBase>(&inst);
      if ((variable && !variable->isStaticAlloca()) ||
          (call && call->isIndirectCall()))
        unknown.insert(&function);
    }
  CallGraph graph(const_cast<Module &>(module));
  for (auto at = scc_begin(&graph); !at.isAtEnd(); ++at)
    if (at.hasCycle())
      for (const CallGraphNode *node : *at)
        if (node->getFunction())
          unknown.insert(node->getFunction());
  if (!unknown.empty())
    markKernels(columns, module, kernels, "dynamic_stack",
                [&](const auto &used) {
                  return any_of(used, [&](const GlobalObject *object) {
                    const auto *function = dyn_cast<Function>(object);
                    return function && unknown.contains(function);
                  });
                });
}

} // namespace xcc::gpu
