// Records of xcc/abi.h in IR
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Abi.h"
#include "Names.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace xcc::block {

Value *byteOffset(IRBuilderBase &b, Value *base, uint64_t offset) {
  if (offset == 0)
    return base;
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
}

LoadInst *loadConstantField(IRBuilderBase &b, Value *record, uint64_t offset,
                            Type *t, const Twine &name) {
  const DataLayout &dl = b.GetInsertBlock()->getDataLayout();
  LoadInst *load = b.CreateAlignedLoad(t, byteOffset(b, record, offset),
                                       dl.getABITypeAlign(t), name);
  MDNode *empty = MDNode::get(b.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, empty);
  load->setMetadata(LLVMContext::MD_noundef, empty);
  return load;
}

static void setRange(LoadInst *load, uint64_t low, uint64_t high) {
  unsigned bits = load->getType()->getIntegerBitWidth();
  MDBuilder mdb(load->getContext());
  load->setMetadata(LLVMContext::MD_range,
                    mdb.createRange(APInt(bits, low), APInt(bits, high)));
}

static void setPointerFacts(LoadInst *load, uint64_t align) {
  LLVMContext &c = load->getContext();
  auto *a = ConstantInt::get(Type::getInt64Ty(c), align);
  load->setMetadata(LLVMContext::MD_align,
                    MDNode::get(c, {ConstantAsMetadata::get(a)}));
}

Value *GroupFields::kernarg(IRBuilderBase &b) const {
  LoadInst *l = loadConstantField(b, group, offsetof(xcc_cpu_group, kernarg),
                                  b.getPtrTy(), "kernarg");
  setPointerFacts(l, 64);
  return l;
}

Value *GroupFields::shared(IRBuilderBase &b) const {
  LoadInst *l = loadConstantField(b, group, offsetof(xcc_cpu_group, shared),
                                  b.getPtrTy(), "shared");
  setPointerFacts(l, 64);
  return l;
}

Value *GroupFields::scratch(IRBuilderBase &b) const {
  LoadInst *l = loadConstantField(b, group, offsetof(xcc_cpu_group, scratch),
                                  b.getPtrTy(), "scratch");
  setPointerFacts(l, 64);
  return l;
}

Value *GroupFields::exchange(IRBuilderBase &b) const {
  return loadConstantField(b, group, offsetof(xcc_cpu_group, exchange),
                           b.getPtrTy(), "exchange");
}

Value *GroupFields::thread(IRBuilderBase &b) const {
  return loadConstantField(b, group, offsetof(xcc_cpu_group, thread),
                           b.getPtrTy(), "thread.record");
}

static const char *const Axis[] = {"x", "y", "z"};

/// The constant size of the block (numbers 0 to 2) or the grid (3 to 5), if all
/// launches of this module's kernel have the same; otherwise null.
static Value *knownShape(IRBuilderBase &b, unsigned number) {
  const Module *module = b.GetInsertBlock()->getModule();
  const NamedMDNode *shape = module->getNamedMetadata(attribute::Shape);
  if (!shape || shape->getNumOperands() != 1 ||
      shape->getOperand(0)->getNumOperands() != 6)
    return nullptr;
  auto *known = mdconst::dyn_extract<ConstantInt>(
      shape->getOperand(0)->getOperand(number));
  return known && !known->isZero() ? known : nullptr;
}

Value *GroupFields::gridDim(IRBuilderBase &b, unsigned dim) const {
  if (Value *known = knownShape(b, 3 + dim))
    return known;
  LoadInst *l =
      loadConstantField(b, group, offsetof(xcc_cpu_group, grid_dim) + 4 * dim,
                        b.getInt32Ty(), Twine("grid.dim.") + Axis[dim]);
  setRange(l, 1, 0); // wraps: everything but zero
  return l;
}

Value *GroupFields::blockDim(IRBuilderBase &b, unsigned dim) const {
  if (Value *known = knownShape(b, dim))
    return known;
  LoadInst *l =
      loadConstantField(b, group, offsetof(xcc_cpu_group, block_dim) + 4 * dim,
                        b.getInt32Ty(), Twine("block.dim.") + Axis[dim]);
  setRange(l, 1, XCC_CPU_MAX_BLOCK + 1);
  return l;
}

Value *GroupFields::dynamicShared(IRBuilderBase &b) const {
  Value *offset =
      loadConstantField(b, group, offsetof(xcc_cpu_group, dynamic_offset),
                        b.getInt32Ty(), "dynamic.offset");
  return b.CreateInBoundsGEP(b.getInt8Ty(), shared(b),
                             b.CreateZExt(offset, b.getInt64Ty()),
                             "dynamic.shared");
}

Value *GroupFields::dynamicSharedSize(IRBuilderBase &b) const {
  return loadConstantField(b, group, offsetof(xcc_cpu_group, dynamic_size),
                           b.getInt32Ty(), "dynamic.size");
}

static StructType *imageType(LLVMContext &c) {
  Type *i32 = Type::getInt32Ty(c);
  return StructType::get(c, {i32, i32, PointerType::getUnqual(c)});
}

/// Keeps AddressSanitizer from padding \p g, whose layout the runtime knows.
static void leaveUnpadded(GlobalVariable &g) {
  GlobalValue::SanitizerMetadata none{};
  none.NoAddress = true;
  g.setSanitizerMetadata(none);
}

GlobalVariable *imageHeader(Module &m) {
  if (GlobalVariable *g = m.getGlobalVariable(XCC_SYMBOL_IMAGE))
    if (g->hasInitializer())
      return g;
  LLVMContext &c = m.getContext();
  StructType *t = imageType(c);
  Type *i32 = Type::getInt32Ty(c);
  Constant *init = ConstantStruct::get(
      t, {ConstantInt::get(i32, XCC_ABI_VERSION), ConstantInt::get(i32, 0),
          ConstantPointerNull::get(PointerType::getUnqual(c))});
  // Not constant: the loader writes the services' address.
  auto *g = new GlobalVariable(m, t, /*isConstant=*/false,
                               GlobalValue::ExternalLinkage, init, "");
  if (GlobalVariable *declared = m.getGlobalVariable(XCC_SYMBOL_IMAGE)) {
    declared->replaceAllUsesWith(g);
    g->takeName(declared);
    declared->eraseFromParent();
  } else {
    g->setName(XCC_SYMBOL_IMAGE);
  }
  g->setExternallyInitialized(true);
  g->setAlignment(Align(8));
  leaveUnpadded(*g);
  return g;
}

std::optional<KernelObject> readKernelObject(const GlobalVariable *variable) {
  const auto *init = variable && variable->hasInitializer()
                         ? dyn_cast<ConstantStruct>(variable->getInitializer())
                         : nullptr;
  if (!init || init->getNumOperands() % 8 != 0)
    return std::nullopt;
  auto field = [&](unsigned index) {
    return cast<ConstantInt>(init->getOperand(index))->getZExtValue();
  };
  // In the order of createKernelObject.
  KernelObject o;
  o.flags = field(1);
  o.groupSegmentSize = field(3);
  o.privateSegmentSize = field(4);
  o.kernargSize = field(5);
  o.maxThreads = field(6);
  o.fingerprint = field(7);
  return o;
}

Value *loadService(IRBuilderBase &b, Module &m, uint64_t offset,
                   const Twine &name) {
  Value *services =
      loadConstantField(b, imageHeader(m), offsetof(xcc_cpu_image, services),
                        b.getPtrTy(), "services");
  return loadConstantField(b, services, offset, b.getPtrTy(), name);
}

Value *callCurrentThread(IRBuilderBase &b, Module &m) {
  Value *callee = loadService(b, m, offsetof(xcc_cpu_services, current_thread),
                              "current_thread");
  auto *t = FunctionType::get(b.getPtrTy(), false);
  CallInst *call = b.CreateCall(t, callee, {}, "thread");
  call->setDoesNotThrow();
  return call;
}

Value *callBarrier(IRBuilderBase &b, Module &m, xcc_cpu_scope scope) {
  Value *callee =
      loadService(b, m, offsetof(xcc_cpu_services, barrier), "barrier");
  auto *t = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, false);
  CallInst *call = b.CreateCall(t, callee, {b.getInt32(scope)}, "released");
  call->setDoesNotThrow();
  call->setConvergent();
  return call;
}

GlobalVariable *createKernelObject(Module &m, Function *entry,
                                   const KernelObject &object, Function *warps,
                                   const KernelObject &ofWarps,
                                   Function *test) {
  LLVMContext &c = m.getContext();
  Type *i32 = Type::getInt32Ty(c), *i64 = Type::getInt64Ty(c);
  auto word = [&](uint32_t v) { return ConstantInt::get(i32, v); };
  SmallVector<Constant *, 24> fields;
  auto add = [&](Function *f, const KernelObject &o, uint32_t flags) {
    fields.append({word(XCC_ABI_VERSION), word(o.flags | flags), f,
                   word(o.groupSegmentSize), word(o.privateSegmentSize),
                   word(o.kernargSize), word(o.maxThreads),
                   ConstantInt::get(i64, o.fingerprint)});
  };
  add(entry, object,
      test    ? XCC_CPU_KERNEL_TESTED_WARPS
      : warps ? XCC_CPU_KERNEL_WARPS
              : 0);
  if (warps)
    add(warps, ofWarps, 0);
  if (test)
    add(test, {}, 0);
  Constant *init = ConstantStruct::getAnon(c, fields);
  assert(m.getDataLayout().getTypeAllocSize(init->getType()) ==
         sizeof(xcc_cpu_kernel) * (test    ? 3
                                   : warps ? 2
                                           : 1));
  auto *g = new GlobalVariable(m, init->getType(), /*isConstant=*/true,
                               GlobalValue::ExternalLinkage, init);
  g->setAlignment(Align(8));
  leaveUnpadded(*g);
  return g;
}

} // namespace xcc::block
