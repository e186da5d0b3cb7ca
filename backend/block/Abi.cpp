// Records of xcc/abi.h in IR
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace xcc::block {

Value *byteOffset(IRBuilderBase &B, Value *Base, uint64_t Offset) {
  if (Offset == 0)
    return Base;
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
}

LoadInst *loadConstantField(IRBuilderBase &B, Value *Record, uint64_t Offset,
                            Type *T, const Twine &Name) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  LoadInst *Load = B.CreateAlignedLoad(T, byteOffset(B, Record, Offset),
                                       DL.getABITypeAlign(T), Name);
  MDNode *Empty = MDNode::get(B.getContext(), {});
  Load->setMetadata(LLVMContext::MD_invariant_load, Empty);
  Load->setMetadata(LLVMContext::MD_noundef, Empty);
  return Load;
}

static void setRange(LoadInst *Load, uint64_t Low, uint64_t High) {
  unsigned Bits = Load->getType()->getIntegerBitWidth();
  MDBuilder MDB(Load->getContext());
  Load->setMetadata(LLVMContext::MD_range,
                    MDB.createRange(APInt(Bits, Low), APInt(Bits, High)));
}

static void setPointerFacts(LoadInst *Load, uint64_t Align) {
  LLVMContext &C = Load->getContext();
  auto *A = ConstantInt::get(Type::getInt64Ty(C), Align);
  Load->setMetadata(LLVMContext::MD_align,
                    MDNode::get(C, {ConstantAsMetadata::get(A)}));
}

Value *GroupFields::kernarg(IRBuilderBase &B) const {
  LoadInst *L = loadConstantField(B, Group, offsetof(xcc_cpu_group, kernarg),
                                  B.getPtrTy(), "kernarg");
  setPointerFacts(L, 64);
  return L;
}

Value *GroupFields::shared(IRBuilderBase &B) const {
  LoadInst *L = loadConstantField(B, Group, offsetof(xcc_cpu_group, shared),
                                  B.getPtrTy(), "shared");
  setPointerFacts(L, 64);
  return L;
}

Value *GroupFields::scratch(IRBuilderBase &B) const {
  LoadInst *L = loadConstantField(B, Group, offsetof(xcc_cpu_group, scratch),
                                  B.getPtrTy(), "scratch");
  setPointerFacts(L, 64);
  return L;
}

Value *GroupFields::exchange(IRBuilderBase &B) const {
  return loadConstantField(B, Group, offsetof(xcc_cpu_group, exchange),
                           B.getPtrTy(), "exchange");
}

Value *GroupFields::thread(IRBuilderBase &B) const {
  return loadConstantField(B, Group, offsetof(xcc_cpu_group, thread),
                           B.getPtrTy(), "thread.record");
}

static const char *const Axis[] = {"x", "y", "z"};

Value *GroupFields::gridDim(IRBuilderBase &B, unsigned Dim) const {
  LoadInst *L =
      loadConstantField(B, Group, offsetof(xcc_cpu_group, grid_dim) + 4 * Dim,
                        B.getInt32Ty(), Twine("grid.dim.") + Axis[Dim]);
  setRange(L, 1, 0); // wraps: everything but zero
  return L;
}

Value *GroupFields::blockDim(IRBuilderBase &B, unsigned Dim) const {
  LoadInst *L =
      loadConstantField(B, Group, offsetof(xcc_cpu_group, block_dim) + 4 * Dim,
                        B.getInt32Ty(), Twine("block.dim.") + Axis[Dim]);
  setRange(L, 1, XCC_CPU_MAX_BLOCK + 1);
  return L;
}

Value *GroupFields::dynamicShared(IRBuilderBase &B) const {
  Value *Offset =
      loadConstantField(B, Group, offsetof(xcc_cpu_group, dynamic_offset),
                        B.getInt32Ty(), "dynamic.offset");
  return B.CreateInBoundsGEP(B.getInt8Ty(), shared(B),
                             B.CreateZExt(Offset, B.getInt64Ty()),
                             "dynamic.shared");
}

Value *GroupFields::dynamicSharedSize(IRBuilderBase &B) const {
  return loadConstantField(B, Group, offsetof(xcc_cpu_group, dynamic_size),
                           B.getInt32Ty(), "dynamic.size");
}

static StructType *imageType(LLVMContext &C) {
  Type *I32 = Type::getInt32Ty(C);
  return StructType::get(C, {I32, I32, PointerType::getUnqual(C)});
}

GlobalVariable *imageHeader(Module &M) {
  if (GlobalVariable *G = M.getGlobalVariable(XCC_SYMBOL_IMAGE))
    if (G->hasInitializer())
      return G;
  LLVMContext &C = M.getContext();
  StructType *T = imageType(C);
  Type *I32 = Type::getInt32Ty(C);
  Constant *Init = ConstantStruct::get(
      T, {ConstantInt::get(I32, XCC_ABI_VERSION), ConstantInt::get(I32, 0),
          ConstantPointerNull::get(PointerType::getUnqual(C))});
  // Not constant: the loader writes the services' address.
  auto *G = new GlobalVariable(M, T, /*isConstant=*/false,
                               GlobalValue::ExternalLinkage, Init, "");
  if (GlobalVariable *Declared = M.getGlobalVariable(XCC_SYMBOL_IMAGE)) {
    Declared->replaceAllUsesWith(G);
    G->takeName(Declared);
    Declared->eraseFromParent();
  } else {
    G->setName(XCC_SYMBOL_IMAGE);
  }
  G->setExternallyInitialized(true);
  G->setAlignment(Align(8));
  return G;
}

std::optional<KernelObject> readKernelObject(const GlobalVariable *Variable) {
  const auto *Init = Variable && Variable->hasInitializer()
                         ? dyn_cast<ConstantStruct>(Variable->getInitializer())
                         : nullptr;
  if (!Init || Init->getNumOperands() != 8)
    return std::nullopt;
  auto Field = [&](unsigned Index) {
    return cast<ConstantInt>(Init->getOperand(Index))->getZExtValue();
  };
  // In the order of createKernelObject.
  KernelObject O;
  O.Flags = Field(1);
  O.GroupSegmentSize = Field(3);
  O.PrivateSegmentSize = Field(4);
  O.KernargSize = Field(5);
  O.MaxThreads = Field(6);
  O.Fingerprint = Field(7);
  return O;
}

Value *loadService(IRBuilderBase &B, Module &M, uint64_t Offset,
                   const Twine &Name) {
  Value *Services =
      loadConstantField(B, imageHeader(M), offsetof(xcc_cpu_image, services),
                        B.getPtrTy(), "services");
  return loadConstantField(B, Services, Offset, B.getPtrTy(), Name);
}

Value *callCurrentThread(IRBuilderBase &B, Module &M) {
  Value *Callee = loadService(B, M, offsetof(xcc_cpu_services, current_thread),
                              "current_thread");
  auto *T = FunctionType::get(B.getPtrTy(), false);
  CallInst *Call = B.CreateCall(T, Callee, {}, "thread");
  Call->setDoesNotThrow();
  return Call;
}

Value *callBarrier(IRBuilderBase &B, Module &M, xcc_cpu_scope Scope) {
  Value *Callee =
      loadService(B, M, offsetof(xcc_cpu_services, barrier), "barrier");
  auto *T = FunctionType::get(B.getInt32Ty(), {B.getInt32Ty()}, false);
  CallInst *Call = B.CreateCall(T, Callee, {B.getInt32(Scope)}, "released");
  Call->setDoesNotThrow();
  Call->setConvergent();
  return Call;
}

GlobalVariable *createKernelObject(Module &M, Function *Entry,
                                   const KernelObject &O) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  auto Word = [&](uint32_t V) { return ConstantInt::get(I32, V); };
  Constant *Fields[] = {Word(XCC_ABI_VERSION),
                        Word(O.Flags),
                        Entry,
                        Word(O.GroupSegmentSize),
                        Word(O.PrivateSegmentSize),
                        Word(O.KernargSize),
                        Word(O.MaxThreads),
                        ConstantInt::get(I64, O.Fingerprint)};
  Constant *Init = ConstantStruct::getAnon(C, Fields);
  assert(M.getDataLayout().getTypeAllocSize(Init->getType()) ==
         sizeof(xcc_cpu_kernel));
  auto *G = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                               GlobalValue::ExternalLinkage, Init);
  G->setAlignment(Align(8));
  return G;
}

} // namespace xcc::block
