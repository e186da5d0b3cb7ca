// Variables of integer types that PTX does not have
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser splits structures, so bit-fields of 24 or 40 bits become
// separate variables. The back end writes `.u24` for such a variable. It places
// the elements of an array of such integers without the padding that loads
// expect. Of 65 bits it writes only 64. So this changes these integers into
// arrays of bytes.

#include "workarounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

/// Whether a type contains such integers.
bool isOdd(const Type *type) {
  if (const auto *integer = dyn_cast<IntegerType>(type)) {
    unsigned bits = integer->getBitWidth();
    return bits < 8 || bits > 128 || !isPowerOf2_32(bits);
  }
  return any_of(type->subtypes(), isOdd);
}

/// Replaces such integers by bytes in types and values.
class Bytes {
public:
  explicit Bytes(const Module &module)
      : context(module.getContext()), layout(module.getDataLayout()) {}

  Type *type(Type *old) {
    if (!isOdd(old))
      return old;
    if (auto *array = dyn_cast<ArrayType>(old))
      return ArrayType::get(type(array->getElementType()),
                            array->getNumElements());
    auto *structure = dyn_cast<StructType>(old);
    if (!structure)
      return bytes(layout.getTypeAllocSize(old));
    SmallVector<Type *> members;
    inPlaces(structure, [&](unsigned member, uint64_t padding) {
      members.push_back(type(structure->getElementType(member)));
      members.push_back(bytes(padding));
    });
    return StructType::get(context, members, /*isPacked=*/true);
  }

  /// Returns null if the value is not a kind that this handles.
  Constant *value(Constant *old) {
    if (!isOdd(old->getType()))
      return old;
    Type *wanted = type(old->getType());
    if (isa<UndefValue>(old))
      return UndefValue::get(wanted);
    if (old->isNullValue())
      return Constant::getNullValue(wanted);
    if (auto *structure = dyn_cast<StructType>(old->getType())) {
      SmallVector<Constant *> members;
      inPlaces(structure, [&](unsigned member, uint64_t padding) {
        members.push_back(value(old->getAggregateElement(member)));
        members.push_back(UndefValue::get(bytes(padding)));
      });
      return is_contained(members, nullptr)
                 ? nullptr
                 : ConstantStruct::get(cast<StructType>(wanted), members);
    }
    if (auto *array = dyn_cast<ArrayType>(old->getType())) {
      SmallVector<Constant *> elements;
      for (uint64_t i = 0; i != array->getNumElements(); ++i)
        elements.push_back(value(old->getAggregateElement(i)));
      return is_contained(elements, nullptr)
                 ? nullptr
                 : ConstantArray::get(cast<ArrayType>(wanted), elements);
    }
    return bits(old);
  }

private:
  LLVMContext &context;
  const DataLayout &layout;

  ArrayType *bytes(uint64_t count) {
    return ArrayType::get(Type::getInt8Ty(context), count);
  }

  /// Calls f(member, bytes of padding behind it).
  void inPlaces(StructType *structure,
                function_ref<void(unsigned, uint64_t)> f) {
    const StructLayout *places = layout.getStructLayout(structure);
    for (unsigned i = 0, count = structure->getNumElements(); i != count; ++i) {
      uint64_t next = i + 1 == count
                          ? uint64_t(places->getSizeInBytes())
                          : uint64_t(places->getElementOffset(i + 1));
      f(i, next - places->getElementOffset(i) -
               layout.getTypeAllocSize(structure->getElementType(i)));
    }
  }

  /// The same bits of an integer, or of a vector of integers, as bytes.
  Constant *bits(Constant *old) {
    Type *type = old->getType();
    uint64_t size = layout.getTypeAllocSize(type);
    APInt all(size * 8, 0);
    unsigned width = type->getScalarSizeInBits();
    auto *vector = dyn_cast<FixedVectorType>(type);
    for (unsigned i = 0, count = vector ? vector->getNumElements() : 1;
         i != count; ++i) {
      Constant *element = vector ? old->getAggregateElement(i) : old;
      if (auto *integer = dyn_cast_or_null<ConstantInt>(element))
        all.insertBits(integer->getValue(), i * width);
      else if (!isa_and_nonnull<UndefValue>(element))
        return nullptr;
    }
    SmallVector<uint8_t> found;
    for (uint64_t i = 0; i != size; ++i)
      found.push_back(all.extractBitsAsZExtValue(8, i * 8));
    return ConstantDataArray::get(context, found);
  }
};

} // namespace

void integersToBytes(Module &module) {
  Bytes bytes(module);
  for (GlobalVariable &old : make_early_inc_range(module.globals())) {
    if (!isOdd(old.getValueType()) || old.getName().starts_with("llvm."))
      continue;
    Constant *value = nullptr;
    if (old.hasInitializer() && !(value = bytes.value(old.getInitializer())))
      continue;
    auto *same = new GlobalVariable(
        module, bytes.type(old.getValueType()), old.isConstant(),
        old.getLinkage(), value, "", &old, old.getThreadLocalMode(),
        old.getAddressSpace(), old.isExternallyInitialized());
    same->takeName(&old);
    same->copyAttributesFrom(&old);
    same->setAlignment(module.getDataLayout().getPreferredAlign(&old));
    same->setComdat(old.getComdat());
    same->copyMetadata(&old, 0);
    old.replaceAllUsesWith(same);
    old.eraseFromParent();
  }
}

} // namespace xcc::nvptx
