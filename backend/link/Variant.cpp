// A kernel otherwise than the compiler would make it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variant.h"
#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {
namespace {

/// Bytes as a value of a number's type; null: they are none.
Constant *valueOf(StringRef bytes, Type *type, const DataLayout &layout) {
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return nullptr;
  if (layout.getTypeStoreSize(type) != bytes.size() || bytes.size() > 8)
    return nullptr;
  char raw[8] = {};
  copy(bytes, raw);
  unsigned bits = unsigned(type->getPrimitiveSizeInBits());
  APInt number(64, support::endian::read64le(raw));
  number = number.trunc(bits);
  if (type->isIntegerTy())
    return ConstantInt::get(type, number);
  return ConstantFP::get(type->getContext(),
                         APFloat(type->getFltSemantics(), number));
}

/// GPUs' kernels get their parameters one by one.
void fixParameters(Function &entry, const Kernel &kernel,
                   ArrayRef<KernelConstant> constants) {
  if (entry.arg_size() != kernel.params.size())
    return;
  for (const KernelConstant &constant : constants)
    for (const auto &[param, arg] : zip(kernel.params, entry.args()))
      if (param.offset == constant.offset)
        if (Constant *value =
                valueOf(constant.bytes, arg.getType(), entry.getDataLayout()))
          arg.replaceAllUsesWith(value);
}

/// For addConstantsToPipeline.
void noteConstants(Function &entry, ArrayRef<KernelConstant> constants) {
  std::string text;
  for (const KernelConstant &constant : constants)
    text += utostr(constant.offset) + (constant.shared ? "*:" : ":") +
            toHex(constant.bytes) + ",";
  entry.addFnAttr(attribute::Constants, text);
}

std::vector<KernelConstant> notedConstants(const Function &entry) {
  std::vector<KernelConstant> list;
  StringRef text =
      entry.getFnAttribute(attribute::Constants).getValueAsString();
  while (!text.empty()) {
    auto [one, rest] = text.split(',');
    auto [offset, bytes] = one.split(':');
    KernelConstant constant{};
    constant.shared = offset.consume_back("*");
    if (!offset.getAsInteger(10, constant.offset) &&
        tryGetFromHex(bytes, constant.bytes))
      list.push_back(std::move(constant));
    text = rest;
  }
  return list;
}

/// What device code asks for the shape of a launch.
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

/// Where kernels are loops over a block's threads, the loops want to know too.
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

/// Whether all that is done with memory at an address is reading, as far as can
/// be seen here.
bool isOnlyRead(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst, ICmpInst>(user))
      return true;
    if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator>(user))
      return isOnlyRead(*user);
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->isArgOperand(&use) &&
           call->onlyReadsMemory(call->getArgOperandNo(&use)) &&
           call->doesNotCapture(call->getArgOperandNo(&use));
  });
}

struct FoldConstantsPass : PassInfoMixin<FoldConstantsPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    // Only of launches is the segment what it was noted to be.
    if (!function.hasFnAttribute(attribute::Constants) ||
        !function.hasFnAttribute(attribute::CPUKernel) ||
        any_of(function.users(), IsaPred<Instruction>) || function.arg_empty())
      return PreservedAnalyses::all();
    const DataLayout &layout = function.getDataLayout();
    std::vector<KernelConstant> constants = notedConstants(function);
    const Value *segment = function.getArg(0);
    const bool onlyRead = isOnlyRead(*segment);
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
      if (base != segment)
        continue;
      for (const KernelConstant &constant : constants)
        if (offset == constant.offset && (onlyRead || !constant.shared))
          if (Constant *value =
                  valueOf(constant.bytes, load->getType(), layout)) {
            load->replaceAllUsesWith(value);
            load->eraseFromParent();
            changed = true;
            break;
          }
    }
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
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
      });
}

} // namespace xcc
