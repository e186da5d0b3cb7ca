// Tables of constants
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant memory of NVIDIA GPUs gives all lanes of a warp one word at a
// time. If all lanes read the same address, it is as fast as a register. If
// they read different addresses, each needs its own access. So only tables
// whose index does not depend on the thread are moved there. Other tables stay
// in global memory and are read through the read-only cache. nvcc does the same
// with tables that are not __constant__.

#include "constants.h"
#include "gpu/warps/Uniformity.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

constexpr unsigned ConstantAddressSpace = 4;

/// Finds all loads through a variable's generic address. Returns false if
/// anything else uses the address.
bool findLoads(GlobalVariable &table, SmallVectorImpl<LoadInst *> &loads) {
  SmallVector<User *> work;
  for (User *user : table.users()) {
    auto *cast = dyn_cast<AddrSpaceCastOperator>(user);
    if (!cast || cast->getDestAddressSpace())
      return false;
    work.push_back(user);
  }
  while (!work.empty())
    for (User *user : work.pop_back_val()->users())
      if (auto *load = dyn_cast<LoadInst>(user)) {
        if (!load->isSimple())
          return false;
        loads.push_back(load);
      } else if (isa<GEPOperator>(user)) {
        work.push_back(user);
      } else {
        return false;
      }
  return !loads.empty();
}

} // namespace

PreservedAnalyses ConstantTablesPass::run(Module &module,
                                          ModuleAnalysisManager &analyses) {
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  const DataLayout &layout = module.getDataLayout();
  uint64_t used = 0;
  for (const GlobalVariable &other : module.globals())
    if (other.getAddressSpace() == ConstantAddressSpace)
      used += layout.getTypeAllocSize(other.getValueType()) + 16;

  gpu::UniformResults results;
  DenseMap<const Function *, std::unique_ptr<gpu::Uniformity>> known;
  bool changed = false;
  for (GlobalVariable &table : make_early_inc_range(module.globals())) {
    if (!table.isConstant() || !table.hasLocalLinkage() ||
        !table.hasInitializer() || table.getAddressSpace() != 1 ||
        table.getName().starts_with("llvm."))
      continue;
    uint64_t size = layout.getTypeAllocSize(table.getValueType());
    uint64_t align = layout.getPreferredAlign(&table).value();
    SmallVector<LoadInst *> loads;
    if (used + size + align > most || !findLoads(table, loads))
      continue;
    if (any_of(loads, [&](LoadInst *load) {
          auto &uniformity = known[load->getFunction()];
          if (!uniformity)
            uniformity = std::make_unique<gpu::Uniformity>(
                *load->getFunction(), functions, ops, results);
          return !uniformity->isUniform(load->getPointerOperand());
        }))
      continue;

    used += size + align;
    auto *placed = new GlobalVariable(
        module, table.getValueType(), /*isConstant=*/true, table.getLinkage(),
        table.getInitializer(), "", &table, GlobalValue::NotThreadLocal,
        ConstantAddressSpace);
    placed->takeName(&table);
    placed->copyAttributesFrom(&table);
    placed->copyMetadata(&table, 0);
    Constant *generic = ConstantExpr::getAddrSpaceCast(
        placed, PointerType::getUnqual(module.getContext()));
    for (User *user : make_early_inc_range(table.users()))
      user->replaceAllUsesWith(generic);
    table.removeDeadConstantUsers();
    for (User *user : make_early_inc_range(table.users()))
      cast<Instruction>(user)->eraseFromParent();
    table.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::nvptx
