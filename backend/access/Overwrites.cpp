// Memory that a kernel overwrites
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Overwrites.h"
#include "block/Intrinsics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <map>
#include <optional>
#include <tuple>

using namespace llvm;

namespace xcc::access {
namespace {

/// The runtime's limit (formats/kernel_access.cpp).
constexpr uint64_t MaxElement = 1 << 16;

/// An address: bytes from where the last address of a path points.
struct Address {
  SmallVector<int64_t, 3> path;
  int64_t offset = 0;
};

/// A numeric argument.
struct Number {
  int64_t offset;
  unsigned bytes;
  bool isSigned;
  auto operator<=>(const Number &) const = default;
  std::string text() const {
    return std::to_string(offset) + (isSigned ? 's' : 'u') +
           std::to_string(bytes);
  }
};

/// A sum: scales of block_idx * block_dim and of thread_idx, which together are
/// a thread's position along x, and of an argument; and a constant.
struct Sum {
  uint64_t scale = 0, threadScale = 0, firstScale = 0;
  std::optional<Number> first;
  uint64_t constant = 0;
};

/// The elements of which a store writes one.
struct Elements {
  SmallVector<int64_t, 3> path;
  uint64_t size;
  std::optional<Number> first;
  bool operator<(const Elements &o) const {
    return std::tie(path, size, first) < std::tie(o.path, o.size, o.first);
  }
};
/// A range of bytes of an element.
using Part = std::pair<uint64_t, uint64_t>;
using Blocks = SmallPtrSet<const BasicBlock *, 4>;

/// \p v without conversions, for a number that is in [0, 2^31) in every thread.
const Value *withoutConversions(const Value *v) {
  while (isa<ZExtInst>(v) || isa<SExtInst>(v) ||
         (isa<TruncInst>(v) && v->getType()->getIntegerBitWidth() >= 32))
    v = cast<CastInst>(v)->getOperand(0);
  return v;
}

class Finder {
public:
  Finder(const Function &entry, const Kernel &kernel, KernelArguments arguments)
      : entry(entry), layout(entry.getDataLayout()), kernel(kernel),
        arguments(arguments),
        target(findTargetByTriple(entry.getParent()->getTargetTriple().str())) {
  }

  std::string find(const Objects &objects);

private:
  const Function &entry;
  const DataLayout &layout;
  const Kernel &kernel;
  KernelArguments arguments;
  const Target *target; ///< null if the module is of none
  std::map<Elements, std::map<Part, Blocks>> stores;
  SmallVector<std::optional<Number>, 4> limits{std::nullopt};

  bool everyCallReturns() const;
  std::optional<Address> addressOf(const Value *v) const;
  std::optional<Number> argument(const Value *v) const;
  LaunchQuery queryOf(const Value *v) const;
  bool isProduct(const Value *v) const;
  bool isPosition(const Value *v) const;
  bool add(const Value *v, uint64_t scale, Sum &sum) const;
  void note(const StoreInst &store);
  /// The successor's number for threads whose position is below the limit; none
  /// if the branch is no such test.
  std::optional<unsigned> branchBelow(const BranchInst &branch,
                                      Number &limit) const;
  bool always(const Blocks &blocks, const std::optional<Number> &limit) const;
  static bool isUnread(const Objects &objects, ArrayRef<int64_t> path);
};

/// Whether all calls return. A thread that ends in a call ends without its
/// stores, and without a failure.
bool Finder::everyCallReturns() const {
  for (const Instruction &inst : instructions(entry)) {
    const auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    block::Intrinsic query = block::intrinsicCalledBy(inst);
    if (query ? query.kind == block::IntrinsicKind::Trap
              : !call->hasFnAttr(Attribute::WillReturn))
      return false;
  }
  return true;
}

std::optional<Address> Finder::addressOf(const Value *v) const {
  APInt offset(layout.getIndexTypeSizeInBits(v->getType()), 0);
  const Value *base =
      v->stripAndAccumulateConstantOffsets(layout, offset, true);
  const int64_t bytes = offset.getSExtValue();
  if (const auto *arg = dyn_cast<Argument>(base)) {
    if (arguments == KernelArguments::Segment)
      return Address{{}, bytes};
    const int64_t at = kernel.params[arg->getArgNo()].offset;
    if (arg->hasByValAttr() || arg->hasByRefAttr())
      return Address{{}, at + bytes};
    return Address{{at}, bytes};
  }
  const auto *load = dyn_cast<LoadInst>(base);
  if (!load || !load->isSimple() || !load->getType()->isPointerTy() ||
      layout.getTypeStoreSize(load->getType()) != 8)
    return {};
  std::optional<Address> from = addressOf(load->getPointerOperand());
  if (!from)
    return {};
  from->path.push_back(from->offset);
  from->offset = bytes;
  return from;
}

/// The argument that \p v is, if any. Whether it is signed is not known yet.
std::optional<Number> Finder::argument(const Value *v) const {
  if (!v->getType()->isIntegerTy(32) && !v->getType()->isIntegerTy(64))
    return {};
  const unsigned bytes = v->getType()->getIntegerBitWidth() / 8;
  if (const auto *arg = dyn_cast<Argument>(v)) {
    if (arguments == KernelArguments::Segment)
      return {};
    return Number{int64_t(kernel.params[arg->getArgNo()].offset), bytes, false};
  }
  const auto *load = dyn_cast<LoadInst>(v);
  if (!load || !load->isSimple())
    return {};
  std::optional<Address> from = addressOf(load->getPointerOperand());
  if (!from || !from->path.empty() || from->offset < 0)
    return {};
  return Number{from->offset, bytes, false};
}

LaunchQuery Finder::queryOf(const Value *v) const {
  v = withoutConversions(v);
  if (const auto *inst = dyn_cast<Instruction>(v))
    if (block::Intrinsic query = block::intrinsicCalledBy(*inst)) {
      if (query.dim != 0)
        return LaunchQuery::None;
      switch (query.kind) {
      case block::IntrinsicKind::BlockIdx:
        return LaunchQuery::BlockIdx;
      case block::IntrinsicKind::BlockDim:
        return LaunchQuery::BlockDim;
      case block::IntrinsicKind::ThreadIdx:
        return LaunchQuery::ThreadIdx;
      default:
        return LaunchQuery::None;
      }
    }
  return target ? target->launchQuery(*v) : LaunchQuery::None;
}

/// Whether \p v is block_idx * block_dim. No grid has 2^31 threads.
bool Finder::isProduct(const Value *v) const {
  const auto *product = dyn_cast<BinaryOperator>(withoutConversions(v));
  if (!product || product->getOpcode() != Instruction::Mul ||
      product->getType()->getIntegerBitWidth() < 32)
    return false;
  const LaunchQuery a = queryOf(product->getOperand(0)),
                    b = queryOf(product->getOperand(1));
  return (a == LaunchQuery::BlockIdx && b == LaunchQuery::BlockDim) ||
         (a == LaunchQuery::BlockDim && b == LaunchQuery::BlockIdx);
}

/// Whether \p v is block_idx * block_dim + thread_idx.
bool Finder::isPosition(const Value *v) const {
  const auto *sum = dyn_cast<BinaryOperator>(withoutConversions(v));
  if (!sum || sum->getOpcode() != Instruction::Add ||
      sum->getType()->getIntegerBitWidth() < 32)
    return false;
  const Value *a = sum->getOperand(0), *b = sum->getOperand(1);
  return (isProduct(a) && queryOf(b) == LaunchQuery::ThreadIdx) ||
         (isProduct(b) && queryOf(a) == LaunchQuery::ThreadIdx);
}

/// Adds scale * v to \p sum, modulo 2^64 as addresses are. False if \p v is no
/// such sum.
bool Finder::add(const Value *v, uint64_t scale, Sum &sum) const {
  const bool isWhole = isPosition(v);
  if (isWhole || isProduct(v))
    sum.scale += scale;
  const bool isThread = queryOf(v) == LaunchQuery::ThreadIdx;
  if (isWhole || isThread)
    sum.threadScale += scale;
  if (isWhole || isThread || isProduct(v))
    return true;
  if (!v->getType()->isIntegerTy(64))
    return false;
  if (const auto *constant = dyn_cast<ConstantInt>(v)) {
    sum.constant += scale * constant->getZExtValue();
    return true;
  }
  if (const auto *op = dyn_cast<BinaryOperator>(v)) {
    const auto *by = dyn_cast<ConstantInt>(op->getOperand(1));
    switch (op->getOpcode()) {
    case Instruction::Add:
      return add(op->getOperand(0), scale, sum) &&
             add(op->getOperand(1), scale, sum);
    case Instruction::Mul:
      return by && add(op->getOperand(0), scale * by->getZExtValue(), sum);
    case Instruction::Shl:
      return by && by->getZExtValue() < 32 &&
             add(op->getOperand(0), scale << by->getZExtValue(), sum);
    default:
      return false;
    }
  }
  std::optional<Number> number = argument(v);
  if (!number || sum.first)
    return false;
  sum.first = number;
  sum.firstScale = scale;
  return true;
}

void Finder::note(const StoreInst &store) {
  TypeSize bytes = layout.getTypeStoreSize(store.getValueOperand()->getType());
  if (!store.isSimple() || bytes.isScalable())
    return;
  Sum sum;
  const Value *at = store.getPointerOperand();
  while (true) {
    if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(at)) {
      at = cast->getPointerOperand();
      continue;
    }
    const auto *gep = dyn_cast<GEPOperator>(at);
    if (!gep)
      break;
    const unsigned bits = layout.getIndexTypeSizeInBits(gep->getType());
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(bits, 0);
    if (bits != 64 || !gep->collectOffset(layout, bits, variable, constant))
      return;
    sum.constant += constant.getZExtValue();
    for (const auto &[index, scale] : variable)
      if (!add(index, scale.getZExtValue(), sum))
        return;
    at = gep->getPointerOperand();
  }
  std::optional<Address> address = addressOf(at);
  if (!address || address->path.empty() || !sum.scale ||
      sum.scale > MaxElement || sum.threadScale != sum.scale ||
      (sum.first && sum.firstScale != sum.scale))
    return;
  uint64_t from = sum.constant + uint64_t(address->offset);
  if (from >= sum.scale || bytes.getFixedValue() > sum.scale - from)
    return;
  stores[{address->path, sum.scale, sum.first}]
        [{from, from + bytes.getFixedValue()}]
            .insert(store.getParent());
}

std::optional<unsigned> Finder::branchBelow(const BranchInst &branch,
                                            Number &limit) const {
  const auto *compare = branch.isConditional()
                            ? dyn_cast<ICmpInst>(branch.getCondition())
                            : nullptr;
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return {};
  CmpInst::Predicate predicate = compare->getPredicate();
  const Value *position = compare->getOperand(0),
              *with = compare->getOperand(1);
  if (!isPosition(position)) {
    std::swap(position, with);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  unsigned below = 0;
  if (predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SGE) {
    below = 1;
    predicate = CmpInst::getInversePredicate(predicate);
  }
  if (!isPosition(position) ||
      (predicate != CmpInst::ICMP_ULT && predicate != CmpInst::ICMP_SLT))
    return {};
  bool isSigned = predicate == CmpInst::ICMP_SLT;
  if (isa<ZExtInst>(with) || (isa<SExtInst>(with) && isSigned)) {
    isSigned = isa<SExtInst>(with);
    with = cast<CastInst>(with)->getOperand(0);
  }
  std::optional<Number> found = argument(with);
  if (!found)
    return {};
  limit = *found;
  limit.isSigned = isSigned;
  return below;
}

/// Whether each path from the entry to a normal end, of threads whose position
/// is below the limit, contains one of the blocks.
bool Finder::always(const Blocks &blocks,
                    const std::optional<Number> &limit) const {
  SmallVector<const BasicBlock *> work{&entry.getEntryBlock()};
  SmallPtrSet<const BasicBlock *, 16> seen;
  while (!work.empty()) {
    const BasicBlock *at = work.pop_back_val();
    if (blocks.contains(at) || !seen.insert(at).second)
      continue;
    const Instruction *last = at->getTerminator();
    if (isa<ReturnInst>(last))
      return false;
    Number other;
    const auto *branch = dyn_cast<BranchInst>(last);
    std::optional<unsigned> below;
    if (limit && branch)
      below = branchBelow(*branch, other);
    if (below && other == *limit)
      work.push_back(branch->getSuccessor(*below));
    else
      append_range(work, successors(at));
  }
  return true;
}

/// Whether the memory at \p path is not read, and the addresses that lead to it
/// are not written.
bool Finder::isUnread(const Objects &objects, ArrayRef<int64_t> path) {
  unsigned at = Kernarg;
  for (int64_t component : path) {
    if (objects[at].written)
      return false;
    auto child = objects[at].children.find(component);
    if (child == objects[at].children.end())
      return false;
    at = child->second;
  }
  return !objects[at].read;
}

std::string Finder::find(const Objects &objects) {
  if (!everyCallReturns())
    return {};
  for (const Instruction &inst : instructions(entry)) {
    if (const auto *store = dyn_cast<StoreInst>(&inst))
      note(*store);
    Number limit;
    if (const auto *branch = dyn_cast<BranchInst>(&inst);
        branch && branchBelow(*branch, limit) && !is_contained(limits, limit))
      limits.push_back(limit);
  }
  std::string text;
  for (const auto &[elements, parts] : stores) {
    if (!isUnread(objects, elements.path))
      continue;
    for (const std::optional<Number> &limit : limits) {
      uint64_t covered = 0;
      for (const auto &[part, blocks] : parts) // by their begin
        if (part.first <= covered && always(blocks, limit))
          covered = std::max(covered, part.second);
      if (covered != elements.size)
        continue;
      text += text.empty() ? "" : ",";
      for (size_t i = 0; i != elements.path.size(); ++i)
        text += (i ? "." : "") + std::to_string(elements.path[i]);
      text += ":" + std::to_string(elements.size);
      if (limit)
        text += "@" + limit->text();
      if (elements.first)
        text += "+" + elements.first->text();
      break;
    }
  }
  return text;
}

} // namespace

std::string overwritesOf(const Function &entry, const Kernel &kernel,
                         KernelArguments arguments, const Objects &objects) {
  return Finder(entry, kernel, arguments).find(objects);
}

} // namespace xcc::access
