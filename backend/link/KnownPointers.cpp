// Facts about the pointers that a kernel is given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownPointers.h"
#include "Names.h"
#include "support/Preserved.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include <map>
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

/// Used as an offset: the parameter itself is the pointer.
constexpr uint32_t Itself = ~0u;

/// Appends "parameter+offset:allocation:alignment,"; the offset is followed by
/// * if threads share the object.
void note(std::string &text, unsigned param, uint32_t offset,
          const KernelPointer &pointer) {
  text += utostr(param) + "+" + utostr(offset) + (pointer.shared ? "*:" : ":") +
          utostr(pointer.allocation) + ":" + utostr(pointer.alignment) + ",";
}

struct Known {
  uint32_t allocation = 0, alignment = 1;
  bool shared = false;
};

/// The pointers of an entry by their places: arguments, or offsets in the
/// memory to which an argument points.
class Pointers {
public:
  explicit Pointers(Function &entry) : layout(entry.getDataLayout()) {
    StringRef text =
        entry.getFnAttribute(attribute::Pointers).getValueAsString();
    while (!text.empty()) {
      auto [one, rest] = text.split(',');
      text = rest;
      auto [place, facts] = one.split(':');
      auto [number, at] = place.split('+');
      auto [allocation, alignment] = facts.split(':');
      Known known;
      known.shared = at.consume_back("*");
      unsigned param = 0;
      uint64_t offset = 0;
      if (number.getAsInteger(10, param) || at.getAsInteger(10, offset) ||
          allocation.getAsInteger(10, known.allocation) ||
          alignment.getAsInteger(10, known.alignment) ||
          param >= entry.arg_size())
        continue;
      Argument *arg = entry.getArg(param);
      if (known.shared && !isRead(arg))
        continue;
      all[{arg, offset}] = known;
    }
  }

  bool empty() const { return all.empty(); }

  /// The facts about a value, or null.
  const Known *find(const Value *value) const {
    if (auto *arg = dyn_cast<Argument>(value))
      // The argument is memory, not a pointer.
      return arg->hasByValAttr() || arg->hasByRefAttr() ? nullptr
                                                        : at(arg, Itself);
    auto *load = dyn_cast<LoadInst>(value);
    if (!load || !load->isSimple() || !load->getType()->isPointerTy())
      return nullptr;
    APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()),
                 0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true);
    return offset.isNegative() ? nullptr : at(base, offset.getZExtValue());
  }

  /// The number of allocations.
  uint32_t allocations() const {
    uint32_t most = 0;
    for (const auto &each : all)
      most = std::max(most, each.second.allocation);
    return most;
  }

  /// The allocations to which an address may belong, or nothing if it is
  /// unknown.
  std::optional<SmallVector<uint32_t, 2>> of(const Value *address) const {
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(address, objects);
    SmallVector<uint32_t, 2> found;
    for (const Value *object : objects) {
      const Known *known = find(object);
      if (!known || !known->allocation)
        return std::nullopt;
      if (!is_contained(found, known->allocation))
        found.push_back(known->allocation);
    }
    if (found.empty())
      return std::nullopt;
    return found;
  }

private:
  const DataLayout &layout;
  std::map<std::pair<const Value *, uint64_t>, Known> all;
  std::map<const Value *, bool> onlyRead;

  const Known *at(const Value *base, uint64_t offset) const {
    auto found = all.find({base, offset});
    return found == all.end() ? nullptr : &found->second;
  }

  bool isRead(const Value *base) {
    auto [at, isNew] = onlyRead.try_emplace(base, false);
    if (isNew)
      at->second = isOnlyRead(*base);
    return at->second;
  }
};

/// A scope for each allocation, the same in all runs of the pass.
SmallVector<Metadata *> scopesOf(Function &entry, uint32_t count) {
  if (MDNode *made = entry.getMetadata(attribute::Pointers))
    return {made->op_begin(), made->op_end()};
  MDBuilder builder(entry.getContext());
  MDNode *domain = builder.createAnonymousAliasScopeDomain(entry.getName());
  SmallVector<Metadata *> scopes;
  for (uint32_t i = 0; i != count; ++i)
    scopes.push_back(builder.createAnonymousAliasScope(
        domain, "allocation " + utostr(i + 1)));
  entry.setMetadata(attribute::Pointers,
                    MDNode::get(entry.getContext(), scopes));
  return scopes;
}

bool add(Instruction &access, unsigned kind, ArrayRef<Metadata *> scopes) {
  MDNode *before = access.getMetadata(kind);
  MDNode *after =
      MDNode::concatenate(before, MDNode::get(access.getContext(), scopes));
  access.setMetadata(kind, after);
  return after != before;
}

bool setAlignment(LoadInst &load, uint32_t alignment) {
  if (alignment <= 1 || load.hasMetadata(LLVMContext::MD_align))
    return false;
  LLVMContext &context = load.getContext();
  load.setMetadata(
      LLVMContext::MD_align,
      MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                               Type::getInt64Ty(context), alignment))));
  return true;
}

} // namespace

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

bool isEntryOfLaunches(const Function &function) {
  // GPUs' kernels have a calling convention of their own.
  return (function.hasFnAttribute(attribute::CPUKernel) ||
          function.getCallingConv() != CallingConv::C) &&
         none_of(function.users(), IsaPred<Instruction>);
}

void notePointers(Function &entry, const Kernel &kernel,
                  KernelArguments arguments, ArrayRef<KernelPointer> pointers) {
  std::string text;
  for (const KernelPointer &pointer : pointers) {
    if (arguments == KernelArguments::Segment) {
      note(text, 0, pointer.offset, pointer);
      continue;
    }
    if (entry.arg_size() != kernel.params.size())
      return;
    for (const auto &[param, arg] : zip(kernel.params, entry.args())) {
      if (pointer.offset < param.offset ||
          pointer.offset - param.offset >= param.size)
        continue;
      if (arg.hasByValAttr() || arg.hasByRefAttr()) {
        note(text, arg.getArgNo(), pointer.offset - param.offset, pointer);
      } else if (param.offset == pointer.offset &&
                 arg.getType()->isPointerTy()) {
        note(text, arg.getArgNo(), Itself, pointer);
        if (pointer.alignment > arg.getParamAlign().valueOrOne().value()) {
          arg.removeAttr(Attribute::Alignment);
          arg.addAttr(Attribute::getWithAlignment(entry.getContext(),
                                                  Align(pointer.alignment)));
        }
      }
    }
  }
  if (!text.empty())
    entry.addFnAttr(attribute::Pointers, text);
}

PreservedAnalyses KnownPointersPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  if (!function.hasFnAttribute(attribute::Pointers) ||
      !isEntryOfLaunches(function))
    return PreservedAnalyses::all();
  const Pointers pointers(function);
  if (pointers.empty())
    return PreservedAnalyses::all();
  bool changed = false;
  const uint32_t count = pointers.allocations();
  SmallVector<Metadata *> scopes;
  if (count > 1)
    scopes = scopesOf(function, count);
  for (Instruction &inst : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&inst))
      if (const Known *known = pointers.find(load))
        changed |= setAlignment(*load, known->alignment);
    const Value *address = getLoadStorePointerOperand(&inst);
    if (!address || inst.isAtomic() || scopes.size() != count)
      continue;
    auto found = pointers.of(address);
    if (!found)
      continue;
    SmallVector<Metadata *> own, others;
    for (const auto &[index, scope] : enumerate(scopes))
      (is_contained(*found, index + 1) ? own : others).push_back(scope);
    changed |= add(inst, LLVMContext::MD_alias_scope, own);
    if (!others.empty())
      changed |= add(inst, LLVMContext::MD_noalias, others);
  }
  return keepingBranches(changed);
}

} // namespace xcc
