// Assembly without text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs write asm("" : "+r"(x)) to keep the compiler from knowing x. The front
// end leaves operands of all types in "registers" (frontend/kernels/
// EmptyAssembly.cpp); here each value goes through registers of 32 bits, which
// every GPU has, by an assembly without text of its own. What is in memory has
// its address go that way.

#include "gpu/GPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

class Hider {
public:
  Hider(CallInst &call, StringRef letter, bool effects)
      : builder(&call), layout(call.getModule()->getDataLayout()),
        letter(letter), effects(effects) {}

  /// The value, which nobody knows.
  Value *hidden(Value *value) {
    Type *type = value->getType();
    Value *parts = toParts(value);
    FunctionType *function = FunctionType::get(
        builder.getInt32Ty(), builder.getInt32Ty(), /*isVarArg=*/false);
    InlineAsm *assembly =
        InlineAsm::get(function, "", "=" + letter + ",0", effects);
    for (unsigned i = 0; i < count(parts); ++i)
      parts = builder.CreateInsertElement(
          parts,
          builder.CreateCall(assembly, builder.CreateExtractElement(parts, i)),
          i);
    return fromParts(parts, type);
  }
  /// As if it were read.
  void used(Value *value) {
    Value *parts = toParts(value);
    FunctionType *function = FunctionType::get(
        builder.getVoidTy(), builder.getInt32Ty(), /*isVarArg=*/false);
    InlineAsm *assembly =
        InlineAsm::get(function, "", letter, /*hasSideEffects=*/true);
    for (unsigned i = 0; i < count(parts); ++i)
      builder.CreateCall(assembly, builder.CreateExtractElement(parts, i));
  }
  /// As if all memory whose address is known elsewhere were written.
  void memory() {
    builder.CreateCall(
        InlineAsm::get(FunctionType::get(builder.getVoidTy(), false), "",
                       "~{memory}", /*hasSideEffects=*/true));
  }
  Value *resized(Value *value, Type *type) {
    if (value->getType() == type)
      return value;
    return fromParts(toParts(value), type);
  }

  IRBuilder<> builder;

private:
  const DataLayout &layout;
  std::string letter;
  bool effects;

  static unsigned count(Value *parts) {
    return cast<FixedVectorType>(parts->getType())->getNumElements();
  }
  Type *integer(Type *type) {
    return builder.getIntNTy(layout.getTypeSizeInBits(type));
  }
  Value *toParts(Value *value) {
    Type *type = value->getType();
    if (type->isPtrOrPtrVectorTy())
      value = builder.CreatePtrToInt(value, layout.getIntPtrType(type));
    Value *bits = builder.CreateBitCast(value, integer(value->getType()));
    unsigned size = bits->getType()->getIntegerBitWidth();
    unsigned words = divideCeil(size, 32);
    bits = builder.CreateZExt(bits, builder.getIntNTy(words * 32));
    return builder.CreateBitCast(
        bits, FixedVectorType::get(builder.getInt32Ty(), words));
  }
  Value *fromParts(Value *parts, Type *type) {
    Type *plain =
        type->isPtrOrPtrVectorTy() ? layout.getIntPtrType(type) : type;
    Value *bits =
        builder.CreateBitCast(parts, builder.getIntNTy(count(parts) * 32));
    bits = builder.CreateZExtOrTrunc(bits, integer(plain));
    Value *value = builder.CreateBitCast(bits, plain);
    return type == plain ? value : builder.CreateIntToPtr(value, type);
  }
};

void lower(CallInst &call, const InlineAsm &assembly, StringRef letter) {
  InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  Hider hider(call, letter, assembly.hasSideEffects());
  // Arguments in the order of what takes one; outputs' first values.
  SmallVector<Type *> types;
  if (auto *several = dyn_cast<StructType>(call.getType()))
    types.append(several->element_begin(), several->element_end());
  else if (!call.getType()->isVoidTy())
    types.push_back(call.getType());
  SmallVector<Value *> values;
  for (Type *type : types)
    values.push_back(PoisonValue::get(type));
  DenseMap<unsigned, unsigned> results; // constraint -> result
  bool memory = false;
  unsigned argument = 0;
  for (auto [number, constraint] : enumerate(constraints)) {
    if (constraint.Type == InlineAsm::isClobber) {
      memory |= is_contained(constraint.Codes, "{memory}");
      continue;
    }
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      results[number] = results.size();
      continue;
    }
    Value *value = call.getArgOperand(argument++);
    if (constraint.isIndirect) {
      memory = true;
      hider.used(value);
    } else if (unsigned output;
               constraint.Codes.size() == 1 &&
               !StringRef(constraint.Codes.front()).getAsInteger(10, output)) {
      if (auto found = results.find(output); found != results.end())
        values[found->second] = hider.resized(value, types[found->second]);
    } else if (assembly.hasSideEffects()) {
      hider.used(value);
    }
  }
  if (memory)
    hider.memory();
  for (Value *&value : values)
    value = hider.hidden(isa<PoisonValue>(value)
                             ? Constant::getNullValue(value->getType())
                             : value);
  if (isa<StructType>(call.getType())) {
    Value *all = PoisonValue::get(call.getType());
    for (auto [i, value] : enumerate(values))
      all = hider.builder.CreateInsertValue(all, value, i);
    call.replaceAllUsesWith(all);
  } else if (!values.empty()) {
    call.replaceAllUsesWith(values.front());
  }
  call.eraseFromParent();
}

} // namespace

void lowerEmptyAssembly(Module &module, StringRef letter) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
            assembly && assembly->getAsmString().empty())
          lower(*call, *assembly, letter);
}

} // namespace xcc::gpu
