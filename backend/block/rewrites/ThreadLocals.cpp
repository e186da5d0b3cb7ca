// Records of thread_local variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLocals.h"
#include "Names.h"
#include "block/Diagnose.h"
#include "block/Intrinsics.h"
#include "block/abi/Abi.h"
#include "block/fibers/FunctionNeeds.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// The record of the device thread that this machine thread runs.
constexpr StringLiteral Current = "__xcc_thread_locals";

using Globals = SmallSetVector<const GlobalValue *, 8>;

/// The globals that kernels reach: all that are named and, for calls of unknown
/// code, all functions whose address is taken.
class References {
public:
  explicit References(const Module &m) {
    for (const Function &f : m)
      if (mayBeCalledBack(f))
        taken.push_back(&f);
  }

  /// All functions, variables and aliases that \p f reaches.
  Globals from(const Function &f) {
    Globals found;
    found.insert(&f);
    for (size_t i = 0; i < found.size(); ++i)
      found.insert_range(of(*found[i]));
    return found;
  }

private:
  SmallVector<const Function *, 8> taken;
  DenseMap<const GlobalValue *, Globals> known;

  const Globals &of(const GlobalValue &value) {
    auto [at, fresh] = known.try_emplace(&value);
    if (!fresh)
      return at->second;
    Globals named;
    SmallPtrSet<const Value *, 16> seen;
    auto look = [&](const User &user) {
      SmallVector<const User *> work = {&user};
      while (!work.empty())
        for (const Value *operand : work.pop_back_val()->operands()) {
          const auto *constant = dyn_cast<Constant>(operand);
          if (!constant || isa<ConstantData>(constant))
            continue;
          if (const auto *global = dyn_cast<GlobalValue>(constant))
            named.insert(global);
          else if (seen.insert(constant).second)
            work.push_back(constant);
        }
    };
    look(value);
    if (const auto *f = dyn_cast<Function>(&value))
      for (const Instruction &i : instructions(*f)) {
        look(i);
        if (auto *call = dyn_cast<CallBase>(&i); call && mayCallBack(*call))
          named.insert_range(taken);
      }
    return known[&value] = std::move(named);
  }
};

SmallVector<Function *, 8> kernelsOf(Module &m) {
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (!f.isDeclaration() && f.hasFnAttribute(attribute::CPUKernel))
      kernels.push_back(&f);
  return kernels;
}

class Records {
public:
  explicit Records(Module &m) : m(m), dl(m.getDataLayout()) {}
  void lower();

private:
  Module &m;
  const DataLayout &dl;
  MapVector<GlobalVariable *, uint64_t> offsets;
  GlobalVariable *current = nullptr;
  DenseMap<const Function *, Value *> recordOf; ///< by kernel

  void layOut(ArrayRef<GlobalVariable *> variables);
  void makeRecord(Function &kernel, const Globals &reached);
  void initialise(IRBuilderBase &b, Value *record, GlobalVariable &variable);
  Value *record(IRBuilderBase &b);
  void replaceUses(GlobalVariable &variable, uint64_t offset);
  Function *makeFinder(GlobalVariable &variable, uint64_t offset);
  void keepAcrossBarriers(Function &f);
};

} // namespace

/// Puts small variables first. A kernel's record ends behind the last variable
/// that it reaches, so larger ones cost it nothing.
void Records::layOut(ArrayRef<GlobalVariable *> variables) {
  auto sizeOf = [&](const GlobalVariable *g) {
    return dl.getTypeAllocSize(g->getValueType()).getFixedValue();
  };
  SmallVector<std::pair<uint64_t, size_t>, 8> order; // by size, then as given
  for (auto [number, g] : enumerate(variables))
    order.push_back({sizeOf(g), number});
  sort(order);
  uint64_t end = 0;
  for (auto [size, number] : order) {
    GlobalVariable *g = variables[number];
    uint64_t offset = alignTo(end, dl.getPreferredAlign(g));
    offsets[g] = offset;
    end = offset + size;
  }
}

/// The record of the device thread that runs; null if it belongs to no kernel
/// of this image.
Value *Records::record(IRBuilderBase &b) {
  if (Value *own = recordOf.lookup(b.GetInsertBlock()->getParent()))
    return own;
  return b.CreateLoad(b.getPtrTy(), b.CreateThreadLocalAddress(current), "own");
}

/// Creates a function that returns the address of the running thread's
/// variable. If that thread runs another image's kernel, or was started by a
/// kernel, the function asks the runtime.
Function *Records::makeFinder(GlobalVariable &variable, uint64_t offset) {
  IRBuilder<> b(m.getContext());
  auto *finder = Function::Create(
      FunctionType::get(b.getPtrTy(), false), GlobalValue::InternalLinkage,
      "__xcc_thread_local." + variable.getName(), m);
  finder->setDoesNotThrow();
  GlobalVariable *record = makeThreadLocalRecord(
      variable, GlobalValue::InternalLinkage, variable.getName() + ".record");
  auto *entry = BasicBlock::Create(m.getContext(), "", finder);
  auto *ours = BasicBlock::Create(m.getContext(), "ours", finder);
  auto *others = BasicBlock::Create(m.getContext(), "others", finder);
  b.SetInsertPoint(entry);
  Value *own = this->record(b);
  b.CreateCondBr(b.CreateIsNull(own), others, ours,
                 MDBuilder(m.getContext()).createUnlikelyBranchWeights());
  b.SetInsertPoint(ours);
  b.CreateRet(byteOffset(b, own, offset));
  b.SetInsertPoint(others);
  b.CreateRet(
      b.CreateCall(m.getOrInsertFunction(
                       "__xcc_foreign_thread_local",
                       FunctionType::get(b.getPtrTy(), {b.getPtrTy()}, false)),
                   {record}));
  return finder;
}

void Records::initialise(IRBuilderBase &b, Value *record,
                         GlobalVariable &variable) {
  Constant *value = variable.getInitializer();
  Value *address = byteOffset(b, record, offsets[&variable]);
  Align align = dl.getPreferredAlign(&variable);
  Type *type = variable.getValueType();
  uint64_t size = dl.getTypeAllocSize(type);
  if (isa<UndefValue>(value) || !size)
    return;
  if (type->isSingleValueType()) {
    b.CreateAlignedStore(value, address, align);
  } else if (value->isNullValue()) {
    b.CreateMemSet(address, b.getInt8(0), size, align);
  } else {
    auto *initial = new GlobalVariable(m, type, /*isConstant=*/true,
                                       GlobalValue::PrivateLinkage, value,
                                       variable.getName() + ".initial");
    initial->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    initial->setAlignment(align);
    b.CreateMemCpy(address, align, initial, align, size);
  }
}

void Records::makeRecord(Function &kernel, const Globals &reached) {
  uint64_t size = 0;
  Align align(1);
  SmallVector<GlobalVariable *, 8> own;
  for (auto [g, offset] : offsets)
    if (reached.contains(g)) {
      own.push_back(g);
      size = offset + dl.getTypeAllocSize(g->getValueType());
      align = std::max(align, dl.getPreferredAlign(g));
    }
  if (own.empty())
    return;
  IRBuilder<> b(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *record =
      b.CreateAlloca(ArrayType::get(b.getInt8Ty(), std::max<uint64_t>(size, 1)),
                     nullptr, "threadlocals");
  record->setAlignment(align);
  recordOf[&kernel] = record;
  for (GlobalVariable *g : own)
    initialise(b, record, *g);
  enterThread(b, record);
  for (Instruction &i : instructions(kernel))
    if (isa<ReturnInst>(i)) {
      b.SetInsertPoint(&i);
      leaveThread(b);
    }
}

void Records::replaceUses(GlobalVariable &variable, uint64_t offset) {
  Function *finder = nullptr;
  auto addressBefore = [&](Instruction *where) -> Value * {
    IRBuilder<> b(where);
    if (Value *own = recordOf.lookup(where->getFunction()))
      return byteOffset(b, own, offset);
    if (!finder)
      finder = makeFinder(variable, offset);
    return b.CreateCall(finder);
  };
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *call = dyn_cast<IntrinsicInst>(user);
        call &&
        call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) {
      call->replaceAllUsesWith(addressBefore(call));
      call->eraseFromParent();
      continue;
    }
    auto *phi = dyn_cast<PHINode>(user);
    use.set(addressBefore(phi ? phi->getIncomingBlock(use)->getTerminator()
                              : user));
  }
}

/// Sets the pointer to the record again behind barriers and yields, because
/// other threads run while a thread waits.
void Records::keepAcrossBarriers(Function &f) {
  for (Instruction &i : make_early_inc_range(instructions(f))) {
    Intrinsic in = intrinsicCalledBy(i);
    if (!in.isBarrier() && !in.yields())
      continue;
    IRBuilder<> b(&i);
    Value *own = record(b);
    b.SetInsertPoint(i.getNextNode());
    enterThread(b, own);
  }
}

void Records::lower() {
  SmallVector<GlobalVariable *, 8> variables;
  SmallVector<Constant *, 8> constants;
  for (GlobalVariable &g : m.globals())
    if (g.isThreadLocal() && g.hasInitializer() && !g.use_empty() &&
        g.getName() != Current) {
      variables.push_back(&g);
      constants.push_back(&g);
    }
  if (variables.empty())
    return;
  convertUsersOfConstantsToInstructions(constants);
  for (GlobalVariable *g : variables) {
    g->removeDeadConstantUsers();
    if (any_of(g->users(), [](User *u) { return !isa<Instruction>(u); }))
      return reportError(m, "the address of thread_local variable '" +
                                g->getName() + "' is not a constant");
  }
  layOut(variables);
  Type *pointer = PointerType::getUnqual(m.getContext());
  current = m.getGlobalVariable(Current, true);
  if (!current)
    current =
        new GlobalVariable(m, pointer, false, GlobalValue::InternalLinkage,
                           Constant::getNullValue(pointer), Current, nullptr,
                           GlobalValue::GeneralDynamicTLSModel);
  References references(m);
  Globals touched;
  for (Function *kernel : kernelsOf(m)) {
    Globals reached = references.from(*kernel);
    makeRecord(*kernel, reached);
    if (recordOf.contains(kernel))
      touched.insert_range(reached);
  }
  for (const GlobalValue *value : touched)
    if (auto *f = dyn_cast<Function>(value))
      keepAcrossBarriers(*const_cast<Function *>(f));
  for (auto [g, offset] : offsets) {
    replaceUses(*g, offset);
    g->eraseFromParent();
  }
}

void endThreads(Module &m) {
  const Function *registrar = m.getFunction("__cxa_thread_atexit");
  if (!registrar)
    return;
  References references(m);
  for (Function *kernel : kernelsOf(m)) {
    if (!references.from(*kernel).contains(registrar))
      continue;
    FunctionCallee end = m.getOrInsertFunction(
        "__xcc_end_thread",
        FunctionType::get(Type::getVoidTy(m.getContext()), false));
    for (Instruction &i : make_early_inc_range(instructions(*kernel)))
      if (isa<ReturnInst>(i))
        IRBuilder<>(&i).CreateCall(end);
  }
}

void lowerThreadLocals(Module &m) {
  // If a variable needs no initialiser at run time, nothing defines its _ZTH
  // function.
  for (Function &f : make_early_inc_range(m))
    if (f.hasExternalWeakLinkage() && f.getName().starts_with("_ZTH")) {
      f.replaceAllUsesWith(Constant::getNullValue(f.getType()));
      f.eraseFromParent();
    }
  Records(m).lower();
}

void enterThread(IRBuilderBase &b, Value *record) {
  GlobalVariable *current =
      b.GetInsertBlock()->getModule()->getGlobalVariable(Current, true);
  b.CreateStore(record, b.CreateThreadLocalAddress(current));
}

static StructType *recordType(LLVMContext &c) {
  Type *word = Type::getInt64Ty(c);
  return StructType::get(c, {word, word, PointerType::getUnqual(c)});
}

GlobalVariable *makeThreadLocalRecord(GlobalVariable &variable,
                                      GlobalValue::LinkageTypes linkage,
                                      const Twine &name) {
  Module &m = *variable.getParent();
  LLVMContext &c = m.getContext();
  const DataLayout &dl = m.getDataLayout();
  StructType *type = recordType(c);
  Constant *value = variable.getInitializer();
  Constant *initial = Constant::getNullValue(PointerType::getUnqual(c));
  Align align = dl.getPreferredAlign(&variable);
  if (!isa<UndefValue>(value) && !value->isNullValue()) {
    auto *bytes = new GlobalVariable(m, value->getType(), /*isConstant=*/true,
                                     GlobalValue::PrivateLinkage, value,
                                     variable.getName() + ".initial");
    bytes->setAlignment(align);
    initial = bytes;
  }
  Type *word = Type::getInt64Ty(c);
  Constant *fields = ConstantStruct::get(
      type, {ConstantInt::get(word, dl.getTypeAllocSize(value->getType())),
             ConstantInt::get(word, align.value()), initial});
  // The runtime identifies the variable by the record's address.
  auto *record =
      new GlobalVariable(m, type, /*isConstant=*/false, linkage, fields, name);
  record->setAlignment(Align(8));
  return record;
}

GlobalVariable *declareThreadLocalRecord(Module &m, const Twine &name) {
  auto *record =
      new GlobalVariable(m, recordType(m.getContext()), /*isConstant=*/false,
                         GlobalValue::ExternalLinkage, nullptr, name);
  record->setAlignment(Align(8));
  return record;
}

Value *callThreadLocal(IRBuilderBase &b, GlobalVariable &record) {
  Module &m = *b.GetInsertBlock()->getModule();
  FunctionCallee find = m.getOrInsertFunction(
      "__xcc_thread_local",
      FunctionType::get(b.getPtrTy(), {b.getPtrTy()}, false));
  CallInst *call = b.CreateCall(find, {&record});
  call->setDoesNotThrow();
  return call;
}

void leaveThread(IRBuilderBase &b) {
  if (b.GetInsertBlock()->getModule()->getGlobalVariable(Current, true))
    enterThread(b, Constant::getNullValue(b.getPtrTy()));
}

AllocaInst *threadRecordOf(Function &kernel) {
  GlobalVariable *current =
      kernel.getParent()->getGlobalVariable(Current, true);
  if (!current)
    return nullptr;
  for (Instruction &i : instructions(kernel))
    if (auto *store = dyn_cast<StoreInst>(&i))
      if (auto *record = dyn_cast<AllocaInst>(store->getValueOperand()))
        if (auto *address = dyn_cast<IntrinsicInst>(store->getPointerOperand());
            address &&
            address->getIntrinsicID() == llvm::Intrinsic::threadlocal_address &&
            address->getArgOperand(0) == current)
          return record;
  return nullptr;
}

} // namespace xcc::block
