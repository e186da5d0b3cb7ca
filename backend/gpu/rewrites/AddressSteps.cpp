// Replaces addresses by stepping variables in loops that are fully unrolled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (int j = 0; j < 4; ++j)
//       tile[j] = in[(y + 8 * j) * width + x];
//
// The index has 32 bits, the address 64. C++ guarantees that no sum overflows,
// so an iteration's address is that of the iteration before plus 32 * width
// bytes: one instruction. But Reassociate drops this guarantee (nsw) before the
// loop is unrolled. Then each iteration computes its own index, and from it its
// own address. So addresses become variables of such loops before that:
//
//     p = &in[y * width + x]
//     for (...) { tile[j] = *p; p += 8 * (long)width; }
//
// In the first iteration, the address is the one of the first access. This
// proves that the sums do not overflow, because the access would be undefined
// otherwise. So each iteration must execute the access.

#include "gpu/Passes.h"
#include "support/Preserved.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::gpu {
namespace {

constexpr unsigned MostIterations = 64, MostInstructions = 400, MostDepth = 12;

/// A sum of values with factors that does not overflow. The null value stands
/// for a constant term.
using Sum = SmallMapVector<Value *, int64_t, 4>;

void add(Sum &sum, Value *value, int64_t factor) {
  // Addresses are numbers modulo 2^64, also those of pointers.
  int64_t &old = sum[value];
  old = int64_t(uint64_t(old) + uint64_t(factor));
  if (!old)
    sum.erase(value);
}

int64_t product(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}

bool areEqual(const Sum &a, const Sum &b) {
  return a.size() == b.size() && all_of(a, [&](const auto &term) {
           auto found = b.find(term.first);
           return found != b.end() && found->second == term.second;
         });
}

/// A use of a pointer that is undefined if the pointer is not valid.
struct Access {
  Use *pointer;
  Instruction *where;
};

/// Accesses at addresses with constant distances.
struct Group {
  Value *base;
  Sum leaves, stride;
  struct Member {
    Access access;
    int64_t offset;
  };
  SmallVector<Member, 4> members;
};

class LoopAddresses {
public:
  LoopAddresses(Loop &loop, DominatorTree &tree, const DataLayout &layout)
      : loop(loop), tree(tree), layout(layout), header(loop.getHeader()),
        latch(loop.getLoopLatch()), preheader(loop.getLoopPreheader()) {}

  /// Makes variables of addresses. Returns their initial values as accesses of
  /// the enclosing loop.
  SmallVector<Access> step(ArrayRef<Access> accesses) {
    for (const Access &access : accesses)
      addToGroups(access);
    SmallVector<Access> outer;
    for (Group &group : groups)
      outer.push_back(makeVariable(group));
    return outer;
  }

private:
  Loop &loop;
  DominatorTree &tree;
  const DataLayout &layout;
  BasicBlock *header, *latch, *preheader;
  SmallVector<Group, 4> groups;
  DenseMap<Value *, Value *> firsts;

  /// Whether a value is the same in each iteration, or can be computed before
  /// the loop.
  bool isFixed(Value *value, unsigned depth = 0) const {
    if (loop.isLoopInvariant(value))
      return true;
    auto *inst = dyn_cast<Instruction>(value);
    if (auto *call = dyn_cast_or_null<CallBase>(inst);
        call && call->isConvergent())
      return false;
    return inst && depth < MostDepth && !isa<PHINode>(inst) &&
           !inst->mayReadFromMemory() && isSafeToSpeculativelyExecute(inst) &&
           all_of(
               inst->operands(),
               [&](Value *each) { return isFixed(each, depth + 1); });
  }

  /// Adds factor * value, split into terms as far as nothing can overflow.
  void addExactly(Value *value, int64_t factor, Sum &sum, unsigned depth = 0) {
    Value *a, *b;
    const APInt *number;
    auto *inst = dyn_cast<Instruction>(value);
    bool isWide = value->getType()->getScalarSizeInBits() == 64;
    auto isExact = [&] {
      auto *operation = dyn_cast<OverflowingBinaryOperator>(inst);
      return operation && (isWide || operation->hasNoSignedWrap());
    };
    if (!value->getType()->isIntegerTy() ||
        value->getType()->getIntegerBitWidth() > 64)
      return add(sum, value, factor);
    if (match(value, m_APInt(number)))
      return add(sum, nullptr, product(factor, number->getSExtValue()));
    if (!inst || depth > MostDepth || loop.isLoopInvariant(value))
      return add(sum, value, factor);
    if ((match(inst, m_Add(m_Value(a), m_Value(b))) && isExact()) ||
        match(inst, m_DisjointOr(m_Value(a), m_Value(b)))) {
      addExactly(a, factor, sum, depth + 1);
      addExactly(b, factor, sum, depth + 1);
    } else if (match(inst, m_Sub(m_Value(a), m_Value(b))) && isExact()) {
      addExactly(a, factor, sum, depth + 1);
      addExactly(b, product(factor, -1), sum, depth + 1);
    } else if (match(inst, m_Mul(m_Value(a), m_APInt(number))) && isExact()) {
      addExactly(a, product(factor, number->getSExtValue()), sum, depth + 1);
    } else if (match(inst, m_Shl(m_Value(a), m_APInt(number))) && isExact() &&
               number->ult(31)) {
      addExactly(a, product(factor, 1 << number->getZExtValue()), sum,
                 depth + 1);
    } else if (match(inst, m_SExt(m_Value(a))) ||
               match(inst, m_NNegZExt(m_Value(a)))) {
      addExactly(a, factor, sum, depth + 1);
    } else {
      add(sum, value, factor);
    }
  }

  /// By how much a value grows in each iteration, if that is known.
  std::optional<Sum> strideOf(Value *value) {
    Sum stride;
    Value *a, *b;
    if (!value || isFixed(value))
      return stride;
    if (auto *phi = dyn_cast<PHINode>(value)) {
      const APInt *number;
      auto *next = phi->getParent() == header
                       ? dyn_cast<OverflowingBinaryOperator>(
                             phi->getIncomingValueForBlock(latch))
                       : nullptr;
      if (!next || !match(next, m_Add(m_Specific(phi), m_APInt(number))) ||
          (number->getBitWidth() < 64 && !next->hasNoSignedWrap()))
        return std::nullopt;
      add(stride, nullptr, number->getSExtValue());
      return stride;
    }
    if (!match(value, m_Mul(m_Value(a), m_Value(b))) ||
        (value->getType()->getScalarSizeInBits() < 64 &&
         !cast<OverflowingBinaryOperator>(value)->hasNoSignedWrap()))
      return std::nullopt;
    if (isFixed(a))
      std::swap(a, b);
    if (!isFixed(b))
      return std::nullopt;
    Sum sum;
    addExactly(a, 1, sum);
    auto grows = strideOf(sum);
    if (!grows || any_of(*grows, [](const auto &term) { return term.first; }))
      return std::nullopt;
    add(stride, b, grows->lookup(nullptr));
    return stride;
  }
  std::optional<Sum> strideOf(const Sum &sum) {
    Sum stride;
    for (auto [value, factor] : sum) {
      auto grows = strideOf(value);
      if (!grows)
        return std::nullopt;
      for (auto [each, times] : *grows)
        add(stride, each, product(times, factor));
    }
    return stride;
  }

  void addToGroups(const Access &access) {
    Sum sum;
    bool isNarrow = false;
    Value *base = *access.pointer;
    while (!loop.isLoopInvariant(base)) {
      auto *place = dyn_cast<GetElementPtrInst>(base);
      unsigned bits = layout.getIndexTypeSizeInBits(base->getType());
      SmallMapVector<Value *, APInt, 4> variables;
      APInt number(bits, 0);
      if (!place || bits != 64 || !place->getType()->isPointerTy() ||
          !cast<GEPOperator>(place)->collectOffset(layout, bits, variables,
                                                   number))
        return;
      add(sum, nullptr, number.getSExtValue());
      for (auto &[value, factor] : variables) {
        Value *index = value;
        match(value, m_SExt(m_Value(index)));
        isNarrow |= index->getType()->getScalarSizeInBits() < 64 &&
                    isa<BinaryOperator>(index);
        addExactly(value, factor.getSExtValue(), sum);
      }
      base = place->getPointerOperand();
    }
    if (!isNarrow || isa<AllocaInst>(getUnderlyingObject(base)))
      return;
    auto stride = strideOf(sum);
    if (!stride || stride->empty())
      return;
    int64_t offset = sum.lookup(nullptr);
    sum.erase(static_cast<Value *>(nullptr));
    for (Group &group : groups)
      if (group.base == base && areEqual(group.leaves, sum) &&
          tree.dominates(group.members.front().access.where, access.where)) {
        group.members.push_back({access, offset});
        return;
      }
    groups.push_back({base, sum, *stride, {{access, offset}}});
  }

  /// The value of the first iteration, computed before the loop.
  Value *first(Value *value) {
    if (loop.isLoopInvariant(value))
      return value;
    Value *&known = firsts[value];
    if (known)
      return known;
    auto *inst = cast<Instruction>(value);
    if (auto *phi = dyn_cast<PHINode>(inst))
      return known = phi->getIncomingValueForBlock(preheader);
    Instruction *copy = inst->clone();
    copy->setName(inst->getName());
    for (Use &operand : copy->operands())
      operand = first(operand);
    copy->insertBefore(preheader->getTerminator()->getIterator());
    copy->setDebugLoc(DebugLoc::getDropped());
    return firsts[value] = copy;
  }

  Access makeVariable(Group &group) {
    const Group::Member &leader = group.members.front();
    IRBuilder<> before(preheader->getTerminator());
    Value *start = first(*leader.access.pointer);
    Value *stride = nullptr;
    for (auto [value, factor] : group.stride) {
      Value *term = before.getInt64(factor);
      if (value)
        term = before.CreateMul(
            before.CreateSExt(first(value), before.getInt64Ty()), term);
      stride = stride ? before.CreateAdd(stride, term) : term;
    }
    IRBuilder<> builder(header, header->begin());
    PHINode *variable = builder.CreatePHI(start->getType(), 2, "address");
    builder.SetInsertPoint(latch->getTerminator());
    variable->addIncoming(start, preheader);
    variable->addIncoming(builder.CreatePtrAdd(variable, stride), latch);
    for (const Group::Member &member : group.members) {
      Value *old = *member.access.pointer;
      Value *place = variable;
      if (int64_t apart = member.offset - leader.offset) {
        builder.SetInsertPoint(header, header->getFirstInsertionPt());
        place = builder.CreatePtrAdd(variable, builder.getInt64(apart));
      }
      member.access.pointer->set(place);
      RecursivelyDeleteTriviallyDeadInstructions(old);
    }
    return {&variable->getOperandUse(0), preheader->getTerminator()};
  }
};

/// Whether LLVM will fully unroll a loop.
bool isUnrolled(const Loop &loop, ScalarEvolution &evolution) {
  unsigned iterations = evolution.getSmallConstantTripCount(&loop);
  if (iterations < 2 || iterations > MostIterations ||
      findStringMetadataForLoop(&loop, "llvm.loop.unroll.disable"))
    return false;
  if (findStringMetadataForLoop(&loop, "llvm.loop.unroll.enable") ||
      findStringMetadataForLoop(&loop, "llvm.loop.unroll.full"))
    return true;
  unsigned instructions = 0;
  for (const BasicBlock *block : loop.blocks())
    instructions += block->size();
  return instructions * iterations <= MostInstructions;
}

} // namespace

PreservedAnalyses AddressStepsPass::run(Function &function,
                                        FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  // Inner loops first: their initial addresses are accesses of the outer loop.
  DenseMap<Loop *, SmallVector<Access>> found;
  bool changed = false;
  SmallVector<Loop *, 4> inOrder = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(inOrder)) {
    BasicBlock *latch = loop->getLoopLatch();
    if (!latch || !loop->getLoopPreheader() || !isUnrolled(*loop, evolution))
      continue;
    SmallVector<Access> accesses;
    for (BasicBlock *block : loop->blocks())
      if (loops.getLoopFor(block) == loop && tree.dominates(block, latch))
        for (Instruction &inst : *block)
          if (isa<LoadInst, StoreInst>(inst))
            accesses.push_back(
                {&inst.getOperandUse(isa<LoadInst>(inst) ? 0 : 1), &inst});
    for (const Access &access : found[loop])
      if (tree.dominates(access.where->getParent(), latch))
        accesses.push_back(access);
    LoopAddresses addresses(*loop, tree, function.getDataLayout());
    auto outer = addresses.step(accesses);
    changed |= !outer.empty();
    if (Loop *parent = loop->getParentLoop())
      append_range(found[parent], outer);
  }
  return keepingBranches(changed);
}

} // namespace xcc::gpu
