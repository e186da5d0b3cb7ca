// Variants of a kernel, generated at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variant.h"
#include "Names.h"
#include "support/Preserved.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace xcc {
namespace {

/// The bytes as a constant of a numeric type; null if the type is another, or
/// has another size.
Constant *valueOf(StringRef bytes, Type *type, const DataLayout &layout) {
  constexpr size_t most = 16;
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return nullptr;
  if (layout.getTypeStoreSize(type) != bytes.size() || bytes.size() > most)
    return nullptr;
  char raw[most] = {};
  copy(bytes, raw);
  uint64_t words[] = {support::endian::read64le(raw),
                      support::endian::read64le(raw + 8)};
  APInt number =
      APInt(128, words).trunc(unsigned(type->getPrimitiveSizeInBits()));
  if (type->isIntegerTy())
    return ConstantInt::get(type, number);
  return ConstantFP::get(type->getContext(),
                         APFloat(type->getFltSemantics(), number));
}

/// Appends "parameter+offset:hexadecimal," for FoldConstantsPass.
void noteConstant(std::string &text, unsigned param, uint32_t offset,
                  const KernelConstant &constant) {
  text += utostr(param) + "+" + utostr(offset) +
          (constant.shared ? "*:" : ":") + toHex(constant.bytes) + ",";
}

/// On GPUs, a kernel's parameters are passed one by one. Replaces numbers by
/// constants, and notes constants in parameters that are passed by address.
void fixParameters(Function &entry, const Kernel &kernel,
                   ArrayRef<KernelConstant> constants) {
  if (entry.arg_size() != kernel.params.size())
    return;
  std::string text;
  for (const KernelConstant &constant : constants)
    for (const auto &[param, arg] : zip(kernel.params, entry.args())) {
      if (constant.offset < param.offset ||
          constant.offset - param.offset >= param.size)
        continue;
      if (arg.hasByValAttr() || arg.hasByRefAttr())
        noteConstant(text, arg.getArgNo(), constant.offset - param.offset,
                     constant);
      else if (param.offset == constant.offset)
        if (Constant *value =
                valueOf(constant.bytes, arg.getType(), entry.getDataLayout()))
          arg.replaceAllUsesWith(value);
    }
  if (!text.empty())
    entry.addFnAttr(attribute::Constants, text);
}

/// Notes constants in the kernarg segment, whose address is the only parameter.
void noteConstants(Function &entry, ArrayRef<KernelConstant> constants) {
  std::string text;
  for (const KernelConstant &constant : constants)
    noteConstant(text, 0, constant.offset, constant);
  entry.addFnAttr(attribute::Constants, text);
}

/// The known bytes in the memory to which a kernel's parameter points.
struct KnownBytes {
  struct Byte {
    uint8_t value;
    bool shared;
  };
  DenseMap<uint64_t, Byte> bytes;
  bool onlyRead = false;

  /// The value of a load, or null if some bytes are unknown.
  Constant *at(uint64_t offset, Type *type, const DataLayout &layout) const {
    TypeSize size = layout.getTypeStoreSize(type);
    std::string value;
    for (uint64_t i = 0; !size.isScalable() && i != size.getFixedValue(); ++i) {
      auto known = bytes.find(offset + i);
      if (known == bytes.end() || (known->second.shared && !onlyRead))
        return nullptr;
      value.push_back(char(known->second.value));
    }
    return valueOf(value, type, layout);
  }
};

/// The noted constants of each parameter.
std::map<const Value *, KnownBytes> notedConstants(const Function &entry) {
  std::map<const Value *, KnownBytes> known;
  StringRef text =
      entry.getFnAttribute(attribute::Constants).getValueAsString();
  while (!text.empty()) {
    auto [one, rest] = text.split(',');
    auto [place, digits] = one.split(':');
    auto [number, at] = place.split('+');
    bool shared = at.consume_back("*");
    unsigned param = 0;
    uint64_t offset = 0;
    std::string bytes;
    if (!number.getAsInteger(10, param) && !at.getAsInteger(10, offset) &&
        tryGetFromHex(digits, bytes) && param < entry.arg_size())
      for (char byte : bytes)
        known[entry.getArg(param)].bytes[offset++] = {uint8_t(byte), shared};
    text = rest;
  }
  return known;
}

/// Replaces queries of the launch's shape by constants.
void fixShape(Module &module, StringRef query, const uint32_t *shape) {
  for (unsigned dim = 0; dim != 3; ++dim) {
    Function *function =
        module.getFunction((query + StringRef("xyz").substr(dim, 1)).str());
    if (!function || !shape[dim])
      continue;
    for (User *user : make_early_inc_range(function->users()))
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledOperand() == function) {
        call->replaceAllUsesWith(ConstantInt::get(call->getType(), shape[dim]));
        if (isa<CallInst>(call))
          call->eraseFromParent();
      }
  }
}

/// Notes the shape of launches. Kernels that are loops over a block's threads
/// use it too.
void noteShape(Module &module, const KernelVariant &variant) {
  SmallVector<Metadata *> numbers;
  for (const uint32_t *shape : {variant.block, variant.grid})
    for (unsigned dim = 0; dim != 3; ++dim)
      numbers.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Type::getInt32Ty(module.getContext()), shape[dim])));
  module.getOrInsertNamedMetadata(attribute::Shape)
      ->addOperand(MDNode::get(module.getContext(), numbers));
}

void allowFastMath(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isa<FPMathOperator>(inst))
        inst.setFast(true);
}

Error transform(Module &module, const Kernel &kernel,
                const KernelVariant &variant) {
  if (!variant.transform(module))
    return createStringError("the transform of kernel '" + kernel.name +
                             "' gave up");
  std::string words;
  raw_string_ostream os(words);
  if (verifyModule(module, &os))
    return createStringError("the transform of kernel '" + kernel.name +
                             "' broke its module: " + StringRef(words).rtrim());
  Function *entry = module.getFunction(kernel.symbol);
  if (!entry || entry->isDeclaration())
    return createStringError("the transform of kernel '" + kernel.name +
                             "' left no function '" + kernel.symbol + "'");
  return Error::success();
}

struct FoldConstantsPass : PassInfoMixin<FoldConstantsPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    // The notes apply only to arguments of launches.
    if (!function.hasFnAttribute(attribute::Constants) ||
        !isEntryOfLaunches(function) || function.arg_empty())
      return PreservedAnalyses::all();
    const DataLayout &layout = function.getDataLayout();
    auto known = notedConstants(function);
    for (auto &[param, bytes] : known)
      bytes.onlyRead = isOnlyRead(*param);
    bool changed = false;
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<LoadInst>(&inst);
      if (!load || !load->isSimple())
        continue;
      APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()),
                   0);
      const Value *base =
          load->getPointerOperand()->stripAndAccumulateConstantOffsets(
              layout, offset, /*AllowNonInbounds=*/true);
      auto found = known.find(base);
      if (found == known.end() || offset.isNegative())
        continue;
      if (Constant *value = found->second.at(offset.getZExtValue(),
                                             load->getType(), layout)) {
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
        changed = true;
      }
    }
    return keepingBranches(changed);
  }
};

} // namespace

Error makeVariant(Module &module, Kernel &kernel, const Target &target,
                  const KernelVariant &variant) {
  Function *entry = module.getFunction(kernel.symbol);
  if (variant.maxThreads || variant.minBlocks) {
    if (variant.maxThreads)
      kernel.maxThreads = variant.maxThreads;
    if (variant.minBlocks)
      kernel.minBlocks = variant.minBlocks;
    target.markEntry(module, kernel);
  }
  bool segment = target.kernelArguments() == KernelArguments::Segment;
  if (segment && !variant.constants.empty())
    noteConstants(*entry, variant.constants);
  else
    fixParameters(*entry, kernel, variant.constants);
  notePointers(*entry, kernel, target.kernelArguments(), variant.pointers);
  if (segment) {
    noteShape(module, variant);
  } else {
    fixShape(module, "__xcc_block_dim_", variant.block);
    fixShape(module, "__xcc_grid_dim_", variant.grid);
  }
  if (variant.fastMath)
    allowFastMath(module);
  if (variant.transform)
    return transform(module, kernel, variant);
  return Error::success();
}

void addConstantsToPipeline(PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(FoldConstantsPass());
        passes.addPass(KnownPointersPass());
      });
}

} // namespace xcc
