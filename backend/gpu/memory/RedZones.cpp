// Zones around variables that a simulator looks at
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine has one stack frame for all variables of a function, and one piece of
// shared memory for those of a block. Nothing in its code says where one ends. So
// each becomes an array of bytes with a zone on both sides, and stores say where
// these are (formats/red_zones.h): at the begin of the function and of the kernel.
// Where a function returns, its zones are taken back.

#include "formats/red_zones.h"
#include "gpu/AddressSpaces.h"
#include "gpu/stages/AfterPipeline.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

namespace zones = rt::zones;

namespace {

/// Where a variable lies in the array of bytes that it becomes.
struct Layout {
  Layout(uint64_t size, Align align)
      : first(alignTo(zones::Size, align)), end(first + size),
        behind(alignTo(end, zones::Align)), bytes(behind + zones::Size),
        align(std::max(align, Align(zones::Align))) {}
  uint64_t first, end; ///< of the variable
  uint64_t behind;     ///< the address that the zone behind it is told by
  uint64_t bytes;
  Align align;
};

void storeZone(IRBuilder<> &builder, Value *base, uint64_t at, uint32_t word) {
  auto store = [&](uint64_t offset, uint32_t value) {
    Value *to =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    builder.CreateAlignedStore(builder.getInt32(value), to, Align(4),
                               /*isVolatile=*/true);
  };
  store(at, zones::Begin);
  store(at + 4, word);
}

void storeZones(IRBuilder<> &builder, Value *base, const Layout &at,
                bool clear) {
  auto word = [&](zones::Kind kind, uint64_t before) {
    return zones::word(clear ? zones::Clear : kind, uint32_t(before));
  };
  // Of what an alignment leaves in front, the zone is the last part.
  storeZone(builder, base, at.first - zones::Size, word(zones::Before, 0));
  storeZone(builder, base, at.behind, word(zones::Behind, at.behind - at.end));
}

/// Whether the use leaves no address of the variable. A va_list becomes loads and
/// stores later, and a register where it can: zones alone would stay of it.
bool isHarmless(const User &user) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
  return isa<LoadInst>(user) ||
         (intrinsic && (intrinsic->isLifetimeStartOrEnd() ||
                        isa<VAStartInst, VAEndInst, VACopyInst>(intrinsic)));
}

/// Whether something computes an address from that of the variable.
bool isReached(const AllocaInst &variable) {
  if (variable.getAllocatedType()->isAggregateType())
    return true;
  return any_of(variable.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &variable;
    return !isHarmless(*user);
  });
}

/// The variable as a part of an array with zones.
std::pair<AllocaInst *, Layout> widen(AllocaInst &old, uint64_t size) {
  const Layout at(size, old.getAlign());
  for (User *user : make_early_inc_range(old.users()))
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(user))
      if (intrinsic->isLifetimeStartOrEnd())
        intrinsic->eraseFromParent(); // no other variable gets the place
  IRBuilder<> builder(&old);
  AllocaInst *all = builder.CreateAlloca(
      ArrayType::get(builder.getInt8Ty(), at.bytes), old.getAddressSpace());
  all->setAlignment(at.align);
  all->takeName(&old);
  old.replaceAllUsesWith(
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), all, at.first));
  old.eraseFromParent();
  return {all, at};
}

void zoneLocals(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<AllocaInst *> variables;
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : function) {
    if (block.getTerminatingMustTailCall())
      return;
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(end);
  }
  for (Instruction &inst : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst))
      if (variable->isStaticAlloca() && !variable->isSwiftError() &&
          isReached(*variable))
        variables.push_back(variable);
  SmallVector<std::pair<AllocaInst *, Layout>> zoned;
  for (AllocaInst *variable : variables)
    if (auto size = variable->getAllocationSize(layout);
        size && !size->isScalable() && size->getFixedValue())
      zoned.push_back(widen(*variable, size->getFixedValue()));
  if (zoned.empty())
    return;
  // They are in their order in the block, though not always side by side.
  IRBuilder<> begin(zoned.back().first->getNextNode());
  for (auto &[all, at] : zoned)
    storeZones(begin, all, at, /*clear=*/false);
  for (ReturnInst *end : returns) {
    IRBuilder<> builder(end);
    for (auto &[all, at] : zoned)
      storeZones(builder, all, at, /*clear=*/true);
  }
}

/// All that a kernel's code names, to any depth.
SmallPtrSet<const Value *, 32> reachedBy(const Function &kernel) {
  SmallPtrSet<const Value *, 32> seen;
  SmallVector<const Value *> left = {&kernel};
  while (!left.empty()) {
    const Value *next = left.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto *function = dyn_cast<Function>(next)) {
      for (const BasicBlock &block : *function)
        for (const Instruction &inst : block)
          for (const Value *operand : inst.operands())
            if (isa<Constant>(operand))
              left.push_back(operand);
    } else if (auto *user = dyn_cast<Constant>(next)) {
      for (const Value *operand : user->operands())
        left.push_back(operand);
    }
  }
  return seen;
}

} // namespace

void zoneShared(Module &module, const KernelTable &kernels) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<std::pair<GlobalVariable *, Layout>> zoned;
  for (GlobalVariable &old : make_early_inc_range(module.globals())) {
    if (old.getAddressSpace() != SharedAddressSpace || old.isDeclaration() ||
        !old.hasLocalLinkage())
      continue;
    const uint64_t size = layout.getTypeAllocSize(old.getValueType());
    if (!size)
      continue; // what the launch gives
    const Layout at(size, layout.getValueOrABITypeAlignment(
                              old.getAlign(), old.getValueType()));
    auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), at.bytes);
    auto *all =
        new GlobalVariable(module, type, /*isConstant=*/false, old.getLinkage(),
                           PoisonValue::get(type), "", &old,
                           GlobalValue::NotThreadLocal, SharedAddressSpace);
    all->takeName(&old);
    all->setAlignment(at.align);
    old.replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(
        Type::getInt8Ty(module.getContext()), all,
        ConstantInt::get(Type::getInt64Ty(module.getContext()), at.first)));
    old.eraseFromParent();
    zoned.emplace_back(all, at);
  }
  if (zoned.empty())
    return;
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration())
      continue;
    const auto reached = reachedBy(*entry);
    BasicBlock &block = entry->getEntryBlock();
    IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
    for (auto &[all, at] : zoned)
      if (reached.contains(all))
        storeZones(builder, all, at, /*clear=*/false);
  }
}

void zoneStacks(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      zoneLocals(function);
}

} // namespace xcc::gpu
