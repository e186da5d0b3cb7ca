// The code of a thread with several indices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "copies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace xcc::nvptx::coarsen {
namespace {

class CopyBuilder {
public:
  CopyBuilder(const IndexedKernel &kernel, ArrayRef<Comparison> guard)
      : kernel(kernel), guard(guard), entry(*kernel.head->getParent()),
        context(entry.getContext()), number(Type::getInt64Ty(context)) {}

  void run() {
    BasicBlock *several = kernel.count ? beginLoop() : beginGrid();
    IRBuilder<> builder(several);
    step = builder.CreateMul(kernel.threads, constant(kernel.indices));
    begin = builder.CreateMul(kernel.block, step, "begin");
    Value *stop = builder.CreateAdd(begin, step);
    BasicBlock *last = block("last"), *full = block("full");
    BasicBlock *within = guard.empty() ? full : block("within");
    builder.CreateCondBr(builder.CreateICmpULE(stop, limit), within, last);
    if (within != full) {
      builder.SetInsertPoint(within);
      builder.CreateCondBr(holdsForAll(builder), full, last);
    }
    makeLast(last);
    emitFull(full);
    if (!kernel.count)
      removeOne();
    for (BasicBlock &block : entry)
      for (Instruction &inst : make_early_inc_range(reverse(block)))
        if (isInstructionTriviallyDead(&inst))
          inst.eraseFromParent();
  }

private:
  const IndexedKernel &kernel;
  const ArrayRef<Comparison> guard;
  Function &entry;
  LLVMContext &context;
  Type *number;
  /// A block's first index, the number of its indices, and the end of all
  /// indices.
  Value *begin = nullptr, *step = nullptr, *limit = nullptr;

  BasicBlock *block(const Twine &name) {
    return BasicBlock::Create(context, name, &entry, kernel.end);
  }
  ConstantInt *constant(uint64_t value) {
    return ConstantInt::get(context, APInt(64, value));
  }
  Instruction *behindHead() { return kernel.head->getTerminator(); }

  /// The original code stays for grids that have a thread for each index.
  BasicBlock *beginLoop() {
    BasicBlock *one =
        kernel.head->splitBasicBlock(behindHead()->getIterator(), "one");
    BasicBlock *several = block("several");
    behindHead()->eraseFromParent();
    IRBuilder<> head(kernel.head);
    Value *blocks = head.CreateZExt(
        head.CreateIntrinsic(head.getInt32Ty(),
                             Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}),
        number);
    limit = kernel.count;
    head.CreateCondBr(
        head.CreateICmpULT(head.CreateMul(blocks, kernel.threads), limit),
        several, one);
    return several;
  }

  BasicBlock *beginGrid() {
    BasicBlock *several = block("several");
    behindHead()->eraseFromParent();
    IRBuilder<> head(kernel.head);
    limit = head.CreateMul(kernel.blocks, kernel.threads, "limit");
    head.CreateBr(several);
    return several;
  }

  /// Removes the original code for one index.
  void removeOne() {
    kernel.body->dropAllReferences();
    kernel.body->eraseFromParent();
  }

  /// Converts to the type of the index in the body.
  Value *asIndex(IRBuilder<> &builder, Value *value) {
    return builder.CreateTrunc(value, kernel.index->getType());
  }

  /// Copies an instruction of the body.
  static Instruction *copy(IRBuilder<> &builder, Instruction *inst,
                           ValueToValueMapTy &values) {
    Instruction *made = inst->clone();
    builder.Insert(made, inst->getName());
    RemapInstruction(made, values,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    values[inst] = made;
    return made;
  }

  /// Computes a value of the body or the guard for another index.
  Value *valueAt(IRBuilder<> &builder, Value *value, Value *index,
                 const ValueToValueMapTy &same) {
    ValueToValueMapTy values;
    for (const auto &[from, to] : same)
      values[from] = to;
    values[kernel.index] = asIndex(builder, index);
    SmallVector<Instruction *> wanted;
    collect(value, wanted);
    for (Instruction *inst : kernel.varying)
      if (is_contained(wanted, inst))
        copy(builder, inst, values);
    auto found = values.find(value);
    return found == values.end() ? value : &*found->second;
  }
  void collect(Value *value, SmallVectorImpl<Instruction *> &wanted) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !kernel.varying.contains(inst) || is_contained(wanted, inst))
      return;
    wanted.push_back(inst);
    for (Value *operand : inst->operands())
      collect(operand, wanted);
  }

  /// Whether the guard holds for all indices of the block. All of them must be
  /// below the limit.
  Value *holdsForAll(IRBuilder<> &builder) {
    Value *all = builder.getTrue();
    Value *behind = builder.CreateSub(step, constant(1));
    Value *last = builder.CreateAdd(begin, behind);
    const ValueToValueMapTy none;
    for (const Comparison &each : guard) {
      auto at = [&](Value *side, Value *index) {
        return valueAt(builder, side, index, none);
      };
      auto holds = [&](Value *index) {
        return builder.CreateICmp(each.predicate, at(each.left, index),
                                  at(each.right, index));
      };
      all = builder.CreateAnd(all, holds(begin));
      if (!each.step)
        continue;
      all = builder.CreateAnd(all, holds(last));
      Value *side = each.leftGrows ? each.left : each.right;
      const int64_t step = each.leftGrows ? each.step : -each.step;
      const bool isSigned = ICmpInst::isSigned(each.predicate);
      auto wide = [&](Value *index) {
        return builder.CreateIntCast(at(side, index), number, isSigned);
      };
      Value *from = wide(begin), *to = wide(last);
      all = builder.CreateAnd(
          all, builder.CreateICmpEQ(
                   builder.CreateSub(to, from),
                   builder.CreateMul(behind, constant(uint64_t(step)))));
      if (side->getType()->isIntegerTy(64))
        all = builder.CreateAnd(
            all, builder.CreateICmp(
                     isSigned ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE,
                     step > 0 ? from : to, step > 0 ? to : from));
    }
    return all;
  }

  /// Whether the index is below the limit and the guard holds for it.
  Value *holds(IRBuilder<> &builder, Value *index) {
    Value *is = builder.CreateICmpULT(index, limit);
    if (!kernel.guard)
      return is;
    const ValueToValueMapTy none;
    Value *guard = valueAt(builder, kernel.guard, index, none);
    return builder.CreateLogicalAnd(
        is, kernel.whenFalse ? builder.CreateNot(guard) : guard);
  }

  /// Handles one index after the other: for the last block, and for a block
  /// where the guard changes.
  void makeLast(BasicBlock *last) {
    BasicBlock *iterations = block("iterations"), *inside = block("inside"),
               *next = block("next");
    IRBuilder<> builder(last);
    Value *first = builder.CreateAdd(begin, kernel.thread);
    builder.CreateBr(iterations);
    builder.SetInsertPoint(iterations);
    PHINode *iteration = builder.CreatePHI(number, 2);
    iteration->addIncoming(constant(0), last);
    Value *index =
        builder.CreateAdd(first, builder.CreateMul(iteration, kernel.threads));
    builder.CreateCondBr(holds(builder, index), inside, next);
    builder.SetInsertPoint(inside);
    ValueToValueMapTy values;
    values[kernel.index] = asIndex(builder, index);
    for (Instruction *inst : kernel.varying)
      if (inst->getParent() == kernel.head)
        copy(builder, inst, values);
    for (Instruction &inst : *kernel.body)
      if (!inst.isTerminator() && !isNote(inst))
        copy(builder, &inst, values);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    Value *more = builder.CreateAdd(iteration, constant(1));
    iteration->addIncoming(more, next);
    builder.CreateCondBr(builder.CreateICmpULT(more, constant(kernel.indices)),
                         iterations, kernel.end);
  }

  void emitFull(BasicBlock *full) {
    IRBuilder<> builder(full);
    // All threads of the block get here, so values that do not depend on the
    // index can be computed here.
    ValueToValueMapTy same;
    for (Instruction &inst : *kernel.body)
      if (!inst.isTerminator() && !isNote(inst) &&
          !kernel.varying.contains(&inst))
        copy(builder, &inst, same);
    BasicBlock *apart = block("apart");
    if (kernel.contiguous) {
      BasicBlock *wide = block("wide");
      builder.CreateCondBr(makeTest(builder, same), wide, apart);
      builder.SetInsertPoint(wide);
      Value *first = builder.CreateAdd(
          begin, builder.CreateMul(kernel.thread, constant(kernel.indices)));
      makeEach(builder, first, constant(1), same, true);
    } else {
      builder.CreateBr(apart);
    }
    builder.SetInsertPoint(apart);
    makeEach(builder, builder.CreateAdd(begin, kernel.thread), kernel.threads,
             same, false);
  }

  /// Whether the block's addresses are aligned and contiguous.
  Value *makeTest(IRBuilder<> &builder, const ValueToValueMapTy &same) {
    Value *test = builder.getTrue();
    SmallPtrSet<Value *, 8> seen;
    for (const Access &access : kernel.accesses) {
      if (!access.isContiguous() || !seen.insert(access.address).second)
        continue;
      auto at = [&](Value *index) {
        return builder.CreatePtrToInt(
            valueAt(builder, access.address, index, same), number);
      };
      Value *first = at(begin);
      const uint64_t size = std::min(Wide, access.size * kernel.indices);
      test = builder.CreateAnd(
          test, builder.CreateICmpEQ(
                    builder.CreateAnd(first, constant(size - 1)), constant(0)));
      if (!access.growth->assumed)
        continue;
      Value *behind = builder.CreateSub(step, constant(1));
      test = builder.CreateAnd(
          test,
          builder.CreateICmpEQ(
              builder.CreateSub(at(builder.CreateAdd(begin, behind)), first),
              builder.CreateMul(behind, constant(access.size))));
    }
    return test;
  }

  /// Executes each instruction of the body for all indices, then the next
  /// instruction.
  void makeEach(IRBuilder<> &builder, Value *first, Value *distance,
                const ValueToValueMapTy &same, bool wide) {
    SmallVector<std::unique_ptr<ValueToValueMapTy>, MostIndices> each;
    Value *index = first;
    for (unsigned k = 0; k != kernel.indices; ++k) {
      each.push_back(std::make_unique<ValueToValueMapTy>());
      for (const auto &[from, to] : same)
        (*each[k])[from] = to;
      if (k)
        index = builder.CreateAdd(index, distance);
      (*each[k])[kernel.index] = asIndex(builder, index);
    }
    for (Instruction *inst : kernel.varying) {
      const Access *access = wide ? contiguous(inst) : nullptr;
      Value *before = nullptr;
      for (auto &values : each) {
        Instruction *made = copy(builder, inst, *values);
        if (access)
          before = makeWide(builder, *access, made, before);
      }
    }
    builder.CreateBr(kernel.end);
  }
  const Access *contiguous(Instruction *inst) const {
    for (const Access &access : kernel.accesses)
      if (access.inst == inst && access.isContiguous())
        return &access;
    return nullptr;
  }
  /// Makes an access adjacent to the access for the previous index, or sets the
  /// alignment of the first access. Returns the access's address.
  Value *makeWide(IRBuilder<> &builder, const Access &access, Instruction *made,
                  Value *before) {
    const unsigned operand = isa<StoreInst>(made) ? 1 : 0;
    if (!before) {
      setLoadStoreAlignment(
          made, Align(std::min(Wide, access.size * kernel.indices)));
      return made->getOperand(operand);
    }
    builder.SetInsertPoint(made);
    Value *address =
        builder.CreateInBoundsPtrAdd(before, constant(access.size));
    builder.SetInsertPoint(made->getParent());
    made->setOperand(operand, address);
    return address;
  }
};

} // namespace

void makeCopies(const IndexedKernel &kernel, ArrayRef<Comparison> guard) {
  CopyBuilder(kernel, guard).run();
}

} // namespace xcc::nvptx::coarsen
