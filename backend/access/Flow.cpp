// The flow of addresses through instructions other than calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flow.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::access {
namespace {

/// Larger kernels are not analysed: they run so long that copies do not matter.
constexpr unsigned MaxInstructions = 200000;

/// Clang's names of types whose values are no addresses and, by its aliasing
/// rules, are not read as addresses either.
bool namesNumber(StringRef name) {
  static constexpr StringLiteral names[] = {
      "bool",     "short",    "int",    "long",       "long long", "__int128",
      "float",    "double",   "half",   "_Float16",   "__bf16",    "wchar_t",
      "char16_t", "char32_t", "__fp16", "long double"};
  return is_contained(names, name);
}

StringRef nameOf(const MDNode &type) {
  const auto *name =
      type.getNumOperands() ? dyn_cast<MDString>(type.getOperand(0)) : nullptr;
  return name ? name->getString() : StringRef();
}

/// Whether a scalar type of the aliasing rules is a pointer type.
bool namesPointer(const MDNode *type) {
  for (unsigned steps = 0; type && steps != 8; ++steps) {
    StringRef name = nameOf(*type);
    if (name == "any pointer" || name == "vtable pointer")
      return true;
    type = type->getNumOperands() > 1 ? dyn_cast<MDNode>(type->getOperand(1))
                                      : nullptr;
  }
  return false;
}

/// Whether a mask keeps an address near its target, because it only changes a
/// tag in the lowest or highest bits.
bool keepsAddress(unsigned opcode, const APInt &mask) {
  constexpr unsigned low = 12, high = 16;
  if (mask.getBitWidth() != 64)
    return false;
  APInt changed = opcode == Instruction::And ? ~mask : mask;
  APInt middle = APInt::getBitsSet(64, low, 64 - high);
  return !changed.intersects(middle);
}

bool isNumeric(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isIntegerTy() || scalar->isFloatingPointTy();
}

} // namespace

Flow::Flow(Function &entry, unsigned maxDepth)
    : objects(entry.getDataLayout(), maxDepth), entry(entry),
      layout(entry.getDataLayout()),
      target(findTargetByTriple(entry.getParent()->getTargetTriple().str())),
      libraryImpl(Triple(entry.getParent()->getTargetTriple())),
      library(libraryImpl) {
  functions.insert(&entry);
}

void Flow::bind(const Argument &parameter, const Places &places) {
  set(parameter, places);
}

void Flow::run() {
  do {
    objects.takeChanged();
    size_t instructions = 0;
    // The list grows during the loop.
    for (size_t i = 0; i != functions.size(); ++i)
      for (Instruction &inst : llvm::instructions(functions[i])) {
        if (++instructions > MaxInstructions)
          objects.fail("the kernel has too many instructions");
        if (!objects.failure.empty())
          return;
        visit(inst);
        if (!objects.failure.empty()) {
          objects.failure += " in '" + demangle(functions[i]->getName()) + "'";
          if (const DebugLoc &place = inst.getDebugLoc())
            objects.failure += ", line " + utostr(place.getLine());
        }
      }
  } while (objects.takeChanged() && objects.failure.empty());
}

void Flow::set(const Value &value, const Places &places) {
  if (!places.empty() && values[&value].merge(places))
    objects.change();
}

Places Flow::of(const Value *value) {
  if (isa<Argument, Instruction>(value)) {
    auto at = values.find(value);
    return at == values.end() ? Places() : at->second;
  }
  Places places;
  if (isa<GlobalValue>(value)) {
    objects.addressesIn(*value, places);
    if (!isa<GlobalVariable>(value))
      return places;
    Places first;
    for (Place place : places)
      first.add(place.object);
    return first;
  }
  if (const auto *expression = dyn_cast<ConstantExpr>(value))
    return computed(cast<Operator>(*expression));
  if (const auto *aggregate = dyn_cast<ConstantAggregate>(value)) {
    for (const Use &element : aggregate->operands())
      places.merge(of(element));
    return places;
  }
  if (isa<InlineAsm, MetadataAsValue, BasicBlock, BlockAddress>(value))
    return places;
  if (const auto *constant = dyn_cast<Constant>(value);
      constant && !constant->isNullValue() && !isa<UndefValue>(constant) &&
      isNumeric(constant->getType()))
    places.add(Number);
  return places;
}

Access Flow::accessOf(const Type *type, const Instruction &inst) const {
  Access how;
  TypeSize size = layout.getTypeStoreSize(const_cast<Type *>(type));
  how.size = size.isScalable() ? 0 : size.getFixedValue();
  how.pointer = !isNumeric(type);
  const MDNode *tag = inst.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return how;
  const auto *accessed = dyn_cast<MDNode>(tag->getOperand(1));
  if (!accessed)
    return how;
  how.data = !how.pointer && namesNumber(nameOf(*accessed));
  how.typed = namesPointer(accessed);
  return how;
}

Places Flow::arithmetic(const User &op) {
  Places all;
  for (const Use &operand : op.operands()) {
    Places places = of(operand);
    // An integer of the kernarg block that is used in arithmetic is no address.
    bool integer = places.contains(Copied);
    for (Place place : places)
      if (place.object != Copied &&
          !(integer && objects[place.object].kind == Kind::Path &&
            objects[place.object].depth == 1))
        all.add(place);
  }
  Places result = objects.withUnknownOffsets(all);
  result.add(Number);
  return result;
}

Places Flow::shifted(Places base, const Operator &op) {
  const auto &gep = cast<GEPOperator>(op);
  APInt offset(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  bool known = gep.accumulateConstantOffset(layout, offset);
  Places result;
  for (Place place : base) {
    if (objects[place.object].kind != Kind::Special)
      place.offset = known && place.offset != Any
                         ? int64_t(uint64_t(place.offset) +
                                   uint64_t(offset.getSExtValue()))
                         : Any;
    result.add(place);
  }
  // An integer written as an offset from null.
  if (isa<ConstantPointerNull>(gep.getPointerOperand()))
    result.add(Unknown);
  return result;
}

Places Flow::computed(const Operator &op) {
  Type *type = op.getType();
  auto first = [&] { return of(op.getOperand(0)); };
  auto all = [&] {
    Places places;
    for (const Use &operand : op.operands())
      places.merge(of(operand));
    return places;
  };
  auto constant = [&]() -> const APInt * {
    const auto *number = dyn_cast<ConstantInt>(op.getOperand(1));
    return number ? &number->getValue() : nullptr;
  };
  unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  switch (op.getOpcode()) {
  case Instruction::GetElementPtr:
    return shifted(first(), op);
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::ExtractElement:
  case Instruction::FNeg:
    return first();
  case Instruction::IntToPtr: {
    // Only a value that was an address becomes an address again.
    Places result;
    for (Place place : first())
      result.add(place.object == Number || place.object == Copied
                     ? Place{Unknown, 0}
                     : place);
    return result;
  }
  case Instruction::PHI:
  case Instruction::InsertValue:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return all();
  case Instruction::Select: {
    Places places = of(op.getOperand(1));
    places.merge(of(op.getOperand(2)));
    return places;
  }
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    Places number;
    number.add(Number);
    return number;
  }
  // What is computed with floating-point numbers is one.
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return {};
  case Instruction::ZExt:
    if (op.getOperand(0)->getType()->getScalarSizeInBits() >= 64)
      return first();
    return arithmetic(op);
  case Instruction::Trunc:
    if (type->getScalarSizeInBits() >= 64)
      return first();
    return arithmetic(op);
  case Instruction::Shl:
  case Instruction::LShr:
    // Whole addresses in wider integers.
    if (const APInt *bits = constant(); bits && width > 64 && *bits == 64)
      return first();
    return arithmetic(op);
  case Instruction::Or:
    if (width > 64)
      return all();
    [[fallthrough]];
  case Instruction::And:
  case Instruction::Xor: {
    const APInt *mask = constant();
    if (!mask || !keepsAddress(op.getOpcode(), *mask))
      return arithmetic(op);
    Places result;
    for (Place place : first()) {
      if (objects[place.object].kind != Kind::Special)
        place.offset = Any;
      result.add(place);
    }
    return result;
  }
  default:
    return arithmetic(op);
  }
}

void Flow::storeAt(const Value *address, const Value *value,
                   const Instruction &inst) {
  Places at = of(address);
  objects.markWritten(at);
  Access how = accessOf(value->getType(), inst);
  objects.markOffset(at, how.size);
  Places stored = of(value);
  for (Place place : at)
    objects.store(place, how, stored);
}

void Flow::visit(Instruction &inst) {
  auto loadFrom = [&](const Value *address, const Type *type) {
    Places at = of(address), found;
    objects.markRead(at);
    Access how = accessOf(type, inst);
    objects.markOffset(at, how.size);
    for (Place place : at)
      objects.load(place, how, found);
    set(inst, found);
  };
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    visitCall(*call);
  } else if (isa<AllocaInst>(inst)) {
    set(inst, fresh(inst));
  } else if (auto *load = dyn_cast<LoadInst>(&inst)) {
    loadFrom(load->getPointerOperand(), load->getType());
  } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
    storeAt(store->getPointerOperand(), store->getValueOperand(), inst);
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&inst)) {
    loadFrom(update->getPointerOperand(), update->getType());
    // Any operation on both values but an exchange results in a number.
    storeAt(update->getPointerOperand(), update->getValOperand(), inst);
    if (update->getOperation() != AtomicRMWInst::Xchg &&
        !update->isFloatingPointOperation()) {
      Places result = objects.withUnknownOffsets(of(update->getValOperand()));
      result.merge(objects.withUnknownOffsets(of(update)));
      result.add(Number);
      Places at = of(update->getPointerOperand());
      Access how = accessOf(update->getType(), inst);
      for (Place place : at)
        objects.store(place, how, result);
    }
  } else if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&inst)) {
    loadFrom(swap->getPointerOperand(), swap->getNewValOperand()->getType());
    storeAt(swap->getPointerOperand(), swap->getNewValOperand(), inst);
  } else if (auto *back = dyn_cast<ReturnInst>(&inst)) {
    if (const Value *value = back->getReturnValue())
      if (results[back->getFunction()].merge(of(value)))
        objects.change();
  } else if (isa<VAArgInst>(inst)) {
    objects.fail("takes a variable number of arguments");
  } else if (inst.isTerminator() || isa<FenceInst>(inst)) {
    if (!inst.getType()->isVoidTy())
      objects.fail("the analysis does not know an instruction");
  } else if (isa<Operator>(inst)) {
    set(inst, computed(cast<Operator>(inst)));
  } else {
    objects.fail("the analysis does not know an instruction");
  }
}

} // namespace xcc::access
