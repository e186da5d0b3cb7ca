// Laying out block-shared variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLayout.h"
#include "Abi.h"
#include "block/Diagnose.h"
#include "block/Intrinsics.h"
#include "support/BlockConstants.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <set>
#include <tuple>

using namespace llvm;

namespace xcc::block {

bool SharedLayout::prepare(Module &m) {
  localiseBlockConstants(m, isBlockShared);
  std::string wrong = describeBlockConstants(m, isBlockShared);
  if (!wrong.empty()) {
    reportError(m, StringRef(wrong).rtrim());
    return false;
  }
  SmallVector<Constant *, 8> variables;
  for (GlobalVariable &g : m.globals())
    if (isBlockShared(g))
      variables.push_back(&g);
  convertUsersOfConstantsToInstructions(variables);
  for (Constant *g : variables)
    g->removeDeadConstantUsers();
  return true;
}

void SharedLayout::addVariablesOf(const Function &f) {
  const DataLayout &dl = f.getDataLayout();
  for (GlobalVariable &g : const_cast<Module *>(f.getParent())->globals()) {
    if (!isBlockShared(g) || offsets.contains(&g))
      continue;
    bool used = any_of(g.users(), [&](const User *u) {
      return cast<Instruction>(u)->getFunction() == &f;
    });
    if (!used)
      continue;
    Align a = std::max(Align(16), dl.getPreferredAlign(&g));
    end = alignTo(end, a);
    offsets[&g] = end;
    end += dl.getTypeAllocSize(g.getValueType());
    if (!f.hasFnAttribute(Attribute::SanitizeAddress))
      continue;
    // The last redzone is in front of the dynamic part.
    uint64_t behind = alignTo(end + Redzone, 64);
    redzones.push_back({end, behind - end});
    end = behind;
  }
}

void SharedLayout::poisonRedzones(Function &f, Value *thread) const {
  if (redzones.empty())
    return;
  Module &m = *f.getParent();
  // The entry block holds the function's variables and ends in a branch.
  Instruction *where = f.getEntryBlock().getTerminator();
  IRBuilder<> b(where);
  if (thread) {
    Value *index = loadConstantField(
        b, thread, offsetof(xcc_cpu_thread, linear_thread), b.getInt32Ty());
    where = SplitBlockAndInsertIfThen(b.CreateIsNull(index), where,
                                      /*Unreachable=*/false);
    b.SetInsertPoint(where);
  }
  Value *shared = GroupFields{f.getArg(0)}.shared(b);
  FunctionCallee poison = m.getOrInsertFunction(
      "__asan_poison_memory_region",
      FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getInt64Ty()}, false));
  for (auto [offset, size] : redzones)
    b.CreateCall(poison, {byteOffset(b, shared, offset), b.getInt64(size)});
}

/// The debug information of a block-shared variable; null if it has none.
static DIGlobalVariable *describedBy(const GlobalVariable &g) {
  SmallVector<DIGlobalVariableExpression *, 1> found;
  g.getDebugInfo(found);
  return found.empty() ? nullptr : found.front()->getVariable();
}

namespace {

/// Lets debuggers find block-shared variables by name. Such a variable has no
/// address of its own, so it is described as a local variable of each function
/// that uses it. At -O0 a stack slot holds its address; otherwise it is
/// described by its offset in the block's memory.
class Names {
public:
  Names(Function &f, Value *shared, Instruction *where)
      : f(f), shared(shared), where(where),
        builder(*f.getParent(), /*AllowUnresolved=*/false,
                f.getSubprogram() ? f.getSubprogram()->getUnit() : nullptr) {}

  void add(const GlobalVariable &g, uint64_t offset, const Instruction &use,
           Value *address) {
    DIGlobalVariable *known = describedBy(g);
    const DILocation *at = use.getDebugLoc();
    if (!known || !at || !f.getSubprogram() || known->getName().empty())
      return;
    DISubprogram *in = at->getScope()->getSubprogram();
    if (!declared.insert({known, in, at->getInlinedAt()}).second)
      return;
    DILocalVariable *named = builder.createAutoVariable(
        in, known->getName(), known->getFile(), known->getLine(),
        known->getType(), /*AlwaysPreserve=*/false);
    DILocation *here = DILocation::get(f.getContext(), known->getLine(), 0, in,
                                       at->getInlinedAt());
    if (!f.hasOptNone()) {
      uint64_t ops[] = {dwarf::DW_OP_plus_uconst, offset, dwarf::DW_OP_deref};
      ArrayRef<uint64_t> all = ops;
      builder.insertDbgValueIntrinsic(
          shared, named,
          builder.createExpression(offset ? all : all.drop_front(2)), here,
          where->getIterator());
      return;
    }
    auto &slot = slots[&g];
    if (!slot) {
      IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
      slot =
          b.CreateAlloca(address->getType(), nullptr, g.getName() + ".address");
      b.SetInsertPoint(where);
      b.CreateStore(address, slot);
    }
    uint64_t deref[] = {dwarf::DW_OP_deref};
    builder.insertDeclare(slot, named, builder.createExpression(deref), here,
                          where->getIterator());
  }

private:
  Function &f;
  Value *shared;
  Instruction *where;
  DIBuilder builder;
  DenseMap<const GlobalVariable *, AllocaInst *> slots;
  std::set<std::tuple<DIGlobalVariable *, DISubprogram *, DILocation *>>
      declared;
};

} // namespace

void SharedLayout::replaceIn(Function &f, Value *shared,
                             Instruction *where) const {
  Names names(f, shared, where);
  for (auto [g, offset] : offsets) {
    Value *address = nullptr;
    for (Use &u : make_early_inc_range(g->uses())) {
      if (cast<Instruction>(u.getUser())->getFunction() != &f)
        continue;
      if (!address) {
        IRBuilder<> b(where);
        address = byteOffset(b, shared, offset);
      }
      names.add(*g, offset, *cast<Instruction>(u.getUser()), address);
      u.set(address);
    }
  }
}

bool SharedLayout::isUsedIn(const Function &f) const {
  return any_of(offsets, [&](const auto &entry) {
    return any_of(entry.first->users(), [&](const User *u) {
      return cast<Instruction>(u)->getFunction() == &f;
    });
  });
}

void SharedLayout::removeVariables(Module &m) {
  SmallPtrSet<const DIGlobalVariable *, 8> gone;
  for (GlobalVariable &g : make_early_inc_range(m.globals()))
    if (isBlockShared(g) && g.use_empty()) {
      if (DIGlobalVariable *known = describedBy(g))
        gone.insert(known);
      g.eraseFromParent();
    }
  // Debuggers would show these variables as optimized out.
  for (DICompileUnit *unit : m.debug_compile_units()) {
    SmallVector<Metadata *> left;
    for (DIGlobalVariableExpression *each : unit->getGlobalVariables())
      if (!gone.contains(each->getVariable()))
        left.push_back(each);
    if (left.size() != unit->getGlobalVariables().size())
      unit->replaceGlobalVariables(MDTuple::get(m.getContext(), left));
  }
}

} // namespace xcc::block
