// Lowers the host's inline assembly for a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end has kept the assembly that can be implemented without the host,
// in one spelling and with operands of all types in "registers"
// (frontend/kernels/check/HostAssembly.cpp).
//
// Programs write asm("" : "+r"(x)) so that the compiler does not know x. Here,
// each value passes through registers of 32 bits, which every GPU has, in an
// assembly without text. For an operand in memory, its address does.
//
// An instruction becomes a call of the device runtime's function for it
// (device-runtime/gpu/x86).

#include "gpu/stages/EndOfUnit.h"
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

  /// Returns the value, unknown to the optimiser.
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
  /// Makes the value look used.
  void used(Value *value) {
    Value *parts = toParts(value);
    FunctionType *function = FunctionType::get(
        builder.getVoidTy(), builder.getInt32Ty(), /*isVarArg=*/false);
    InlineAsm *assembly =
        InlineAsm::get(function, "", letter, /*hasSideEffects=*/true);
    for (unsigned i = 0; i < count(parts); ++i)
      builder.CreateCall(assembly, builder.CreateExtractElement(parts, i));
  }
  /// Makes all memory with an escaped address look written.
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

/// The operands of an inline assembly call.
struct Operands {
  SmallVector<Type *> types;      ///< of the results
  SmallVector<Value *> values;    ///< initial values of the results; null if
                                  ///< none
  SmallVector<Value *> inputs;    ///< inputs not tied to a result
  SmallVector<Value *> addresses; ///< of operands in memory
  bool memory = false;            ///< all memory may change
};

Operands operandsOf(CallInst &call, const InlineAsm &assembly, Hider &hider) {
  Operands all;
  if (auto *several = dyn_cast<StructType>(call.getType()))
    all.types.append(several->element_begin(), several->element_end());
  else if (!call.getType()->isVoidTy())
    all.types.push_back(call.getType());
  all.values.resize(all.types.size());
  DenseMap<unsigned, unsigned> results; // constraint -> result
  unsigned argument = 0;
  for (auto [number, constraint] : enumerate(assembly.ParseConstraints())) {
    if (constraint.Type == InlineAsm::isClobber) {
      all.memory |= is_contained(constraint.Codes, "{memory}");
      continue;
    }
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      unsigned next = results.size();
      results[number] = next;
      continue;
    }
    Value *value = call.getArgOperand(argument++);
    unsigned output;
    if (constraint.isIndirect)
      all.addresses.push_back(value);
    else if (constraint.Codes.size() == 1 &&
             !StringRef(constraint.Codes.front()).getAsInteger(10, output) &&
             results.contains(output))
      all.values[results[output]] =
          hider.resized(value, all.types[results[output]]);
    else
      all.inputs.push_back(value);
  }
  all.memory |= !all.addresses.empty();
  return all;
}

/// Computes an instruction from the operands whose numbers are in `text`, in
/// the order of the assembly: the last is the result's.
Value *computed(StringRef text, const Operands &all, IRBuilder<> &builder) {
  auto [name, rest] = text.split(' ');
  SmallVector<StringRef> numbers;
  rest.split(numbers, ',');
  SmallVector<Value *> values;
  for (StringRef number : numbers) {
    unsigned n = 0;
    number.trim().getAsInteger(10, n);
    values.push_back(n < all.values.size() ? all.values[n]
                                           : all.inputs[n - all.values.size()]);
  }
  Type *type = all.types.front();
  if (name.starts_with("vfmadd231"))
    return builder.CreateIntrinsic(Intrinsic::fma, type,
                                   {values[1], values[0], values[2]});
  // Assembly operands are in the opposite order.
  name.consume_front("v");
  bool wide = type->getPrimitiveSizeInBits() == 256;
  std::string function = ("__xcc_ia32_" + name + (wide ? "256" : "")).str();
  Module *module = builder.GetInsertBlock()->getModule();
  FunctionCallee callee =
      module->getOrInsertFunction(function, type, type, type);
  return builder.CreateCall(callee, {values[1], values[0]});
}

void lower(CallInst &call, const InlineAsm &assembly, StringRef letter) {
  Hider hider(call, letter, assembly.hasSideEffects());
  Operands all = operandsOf(call, assembly, hider);
  SmallVector<Value *> results = all.values;
  StringRef text = assembly.getAsmString();
  if (text.empty()) {
    if (assembly.hasSideEffects())
      for (Value *input : all.inputs)
        hider.used(input);
    for (Value *address : all.addresses)
      hider.used(address);
    if (all.memory)
      hider.memory();
    for (auto [i, result] : enumerate(results))
      result =
          hider.hidden(result ? result : Constant::getNullValue(all.types[i]));
  } else if (text == "cpuid") {
    // Report an unknown CPU without any feature.
    for (auto [i, result] : enumerate(results))
      result = Constant::getNullValue(all.types[i]);
  } else {
    results.front() = computed(text, all, hider.builder);
  }
  if (isa<StructType>(call.getType())) {
    Value *whole = PoisonValue::get(call.getType());
    for (auto [i, result] : enumerate(results))
      whole = hider.builder.CreateInsertValue(whole, result, i);
    call.replaceAllUsesWith(whole);
  } else if (!results.empty()) {
    call.replaceAllUsesWith(results.front());
  }
  call.eraseFromParent();
}

/// Whether this is assembly of the host; the device runtime has assembly of the
/// GPU itself.
bool isHosts(StringRef text) {
  return text.empty() || text == "cpuid" ||
         any_of(ArrayRef<StringRef>{"min", "max", "vmin", "vmax", "vfmadd"},
                [&](StringRef name) { return text.starts_with(name); });
}

} // namespace

void lowerHostAssembly(Module &module, StringRef letter) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
            assembly && isHosts(assembly->getAsmString()))
          lower(*call, *assembly, letter);
}

} // namespace xcc::gpu
