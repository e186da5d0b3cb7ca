// The address space and the alignment of parameters
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's parameters are in constant memory, after 0x160 to 0x380 bytes of
// the driver. ptxas aligns their addresses in that memory, not their offsets
// from the first parameter. The driver copies a launch's buffer to where the
// parameters begin. These start addresses are all multiples of 16, and only
// some are multiples of more. So with an alignment of 32 or more, a parameter
// may have another address than its bytes. The host's layout (xcc/abi.h) only
// uses offsets.
//
// So no parameter of an entry is aligned to more than 16 bytes. If the host
// places a parameter behind padding, the parameter in PTX begins with that
// padding. Code that needs the original alignment gets a copy in the thread's
// own memory. The optimiser removes the copy if nothing depends on its address.
//
// Parameters and results of functions belong to the thread. ptxas aligns them
// correctly, but to at most 128 bytes. Neither kind can have zero bytes.

#include "workarounds.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

constexpr Align MostOfFunctions = Align::Constant<128>();

bool isEntry(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel;
}

AllocaInst *createVariable(Function &function, Type *type, Align align) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *variable = builder.CreateAlloca(type);
  variable->setAlignment(align);
  return variable;
}

//===----------------------------------------------------------------------===//
// Before code is optimised
//===----------------------------------------------------------------------===//

/// An entry's parameter is aligned to only 16 bytes. If the code expects more,
/// this makes a copy with that alignment.
void copyAligned(Argument &arg) {
  Align wanted = arg.getParamAlign().valueOrOne();
  Type *type = arg.getParamByValType();
  if (!type || wanted <= MostOfEntries)
    return;
  Function &entry = *arg.getParent();
  AllocaInst *copy = createVariable(entry, type, wanted);
  copy->setName(arg.getName());
  arg.replaceAllUsesWith(copy);
  IRBuilder<> builder(copy->getNextNode());
  builder.CreateMemCpy(copy, wanted, &arg, MostOfEntries,
                       entry.getDataLayout().getTypeAllocSize(type));
  arg.removeAttr(Attribute::Alignment);
  arg.addAttr(Attribute::getWithAlignment(entry.getContext(), MostOfEntries));
}

/// Whether PTX can pass such an object only by its address.
bool isByAddress(Type *copied, MaybeAlign align, const DataLayout &layout) {
  return copied && (align.valueOrOne() > MostOfFunctions ||
                    layout.getTypeAllocSize(copied).isZero());
}

/// Copies the argument in the caller and passes the copy's address, where the
/// callee would have received a copy.
void passCopies(CallBase &call) {
  for (unsigned i = 0; i != call.arg_size(); ++i) {
    Type *type = call.getParamByValType(i);
    MaybeAlign wanted = call.getParamAlign(i);
    if (!isByAddress(type, wanted, call.getDataLayout()))
      continue;
    Align align = wanted.valueOrOne();
    AllocaInst *copy = createVariable(*call.getFunction(), type, align);
    IRBuilder<> builder(&call);
    builder.CreateMemCpy(copy, align, call.getArgOperand(i), align,
                         call.getDataLayout().getTypeAllocSize(type));
    call.setArgOperand(i, copy);
    call.removeParamAttr(i, Attribute::ByVal);
    if (auto *direct = dyn_cast<CallInst>(&call))
      direct->setTailCall(false);
  }
}

/// The alignment of a type in memory. It is 1 for void and other types without
/// a size.
Align alignOf(Type *type, const DataLayout &layout) {
  return type->isSized() ? layout.getABITypeAlign(type) : Align(1);
}

} // namespace

void limitAlignments(Module &module) {
  for (Function &function : module) {
    if (isEntry(function)) {
      if (!function.isDeclaration())
        for (Argument &arg : function.args())
          copyAligned(arg);
    } else {
      for (Argument &arg : function.args())
        if (isByAddress(arg.getParamByValType(), arg.getParamAlign(),
                        module.getDataLayout()))
          arg.removeAttr(Attribute::ByVal);
    }
    SmallVector<CallBase *> calls;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst))
        calls.push_back(call);
    for (CallBase *call : calls)
      passCopies(*call);
  }
}

//===----------------------------------------------------------------------===//
// Before code is generated
//===----------------------------------------------------------------------===//

namespace {

/// A parameter that the back end would place at another offset than the host.
struct Moved {
  unsigned index;
  uint64_t padding; ///< bytes at the start
  uint64_t size;    ///< bytes after the padding
  Align align;
};

/// The alignment that the back end gives a parameter.
Align naturalAlign(const Argument &arg) {
  const DataLayout &layout = arg.getParent()->getDataLayout();
  if (Type *copied = arg.getParamByValType())
    return std::max(arg.getParamAlign().valueOrOne(), alignOf(copied, layout));
  return alignOf(arg.getType(), layout);
}

SmallVector<Moved> movedOf(const Function &entry, const Kernel &kernel) {
  SmallVector<Moved> list;
  uint64_t end = 0;
  for (const Argument &arg : entry.args()) {
    const KernelParam &param = kernel.params[arg.getArgNo()];
    Align natural = naturalAlign(arg);
    Align align = std::min(MostOfEntries, Align(param.alignment));
    uint64_t begin = alignTo(end, align);
    if (!param.size ||
        ((natural > MostOfEntries || alignTo(end, natural) != param.offset) &&
         begin <= param.offset))
      list.push_back({arg.getArgNo(), param.offset - begin, param.size, align});
    end = uint64_t(param.offset) + param.size;
  }
  return list;
}

/// Replaces the entry by one with byte arrays for those parameters, and without
/// parameters of zero bytes.
void replaceEntry(Function &entry, ArrayRef<Moved> list) {
  LLVMContext &context = entry.getContext();
  AttributeList old = entry.getAttributes();
  SmallVector<const Moved *> moved(entry.arg_size(), nullptr);
  for (const Moved &each : list)
    moved[each.index] = &each;
  SmallVector<Type *> types;
  SmallVector<AttributeSet> attributes;
  for (const auto &[index, from] : enumerate(moved)) {
    if (!from) {
      types.push_back(entry.getArg(index)->getType());
      attributes.push_back(old.getParamAttrs(index));
    } else if (from->size) {
      AttrBuilder bytes(context);
      bytes.addByValAttr(
          ArrayType::get(Type::getInt8Ty(context), from->padding + from->size));
      bytes.addAlignmentAttr(from->align);
      bytes.addAttribute("nvvm.grid_constant");
      types.push_back(PointerType::getUnqual(context));
      attributes.push_back(AttributeSet::get(context, bytes));
    }
  }
  auto *changed = Function::Create(
      FunctionType::get(entry.getReturnType(), types, /*isVarArg=*/false),
      entry.getLinkage(), entry.getAddressSpace());
  entry.getParent()->getFunctionList().insert(entry.getIterator(), changed);
  changed->copyAttributesFrom(&entry);
  changed->setAttributes(AttributeList::get(context, old.getFnAttrs(),
                                            old.getRetAttrs(), attributes));
  changed->setComdat(entry.getComdat());
  changed->takeName(&entry);
  changed->splice(changed->begin(), &entry);
  changed->copyMetadata(&entry, 0);
  BasicBlock &block = changed->getEntryBlock();
  IRBuilder<> builder(&block, block.begin());
  auto arg = changed->arg_begin();
  for (const auto &[index, from] : enumerate(moved)) {
    Argument &before = *entry.getArg(index);
    if (from && !from->size) {
      before.replaceAllUsesWith(builder.CreateAlloca(builder.getInt8Ty()));
      continue;
    }
    arg->takeName(&before);
    Value *value = &*arg++;
    if (from) {
      value = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), value,
                                                 from->padding);
      if (!before.hasByValAttr())
        value = builder.CreateAlignedLoad(
            before.getType(), value,
            commonAlignment(from->align, from->padding));
    }
    before.replaceAllUsesWith(value);
  }
  entry.replaceAllUsesWith(changed);
  entry.eraseFromParent();
}

/// For calls through pointers, the back end aligns arguments like their types.
/// Its attribute "callalign" overrides that, for the result (0) and for each
/// argument.
void limitCall(CallInst &call) {
  const DataLayout &layout = call.getDataLayout();
  SmallVector<Metadata *> words;
  auto limit = [&](unsigned index, Type *type) {
    if (alignOf(type, layout) > MostOfFunctions)
      words.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Type::getInt32Ty(call.getContext()),
                           index << 16 | MostOfFunctions.value())));
  };
  limit(0, call.getType());
  for (unsigned i = 0; i != call.arg_size(); ++i)
    if (!call.isByValArgument(i))
      limit(i + 1, call.getArgOperand(i)->getType());
  if (!words.empty())
    call.setMetadata("callalign", MDNode::get(call.getContext(), words));
}

} // namespace

void placeParameters(Module &module, const KernelTable &kernels) {
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration() ||
        entry->arg_size() != kernel.params.size())
      continue;
    if (auto list = movedOf(*entry, kernel); !list.empty())
      replaceEntry(*entry, list);
  }
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && call->isIndirectCall())
        limitCall(*call);
}

} // namespace xcc::nvptx
