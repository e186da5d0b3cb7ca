// Several indices of a loop for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that loads one float and stores one keeps too few bytes on their way
// to fill the memory of a large GPU: on an H200, 3,390 GB/s of 4,800; a thread that
// takes four floats reaches 4,356. The entry of xcc::parallel_for
//
//     x = block_idx * threads + thread_idx;
//     if (x < count) body(x);
//
// becomes
//
//     if (grid_dim * threads >= count) {        // one index for each thread
//       if (x < count) body(x);
//     } else {                                  // K, where the runtime says so
//       begin = block_idx * threads * K;
//       if (begin + threads * K > count)        // the last block
//         for (k = 0; k < K; ++k) { x = begin + k * threads + thread_idx;
//                                   if (x < count) body(x); }
//       else if (contiguous and aligned)        // K neighbours: accesses of 16 bytes
//         x = begin + thread_idx * K;           body(x), ..., body(x + K - 1);
//       else                                    // neighbouring threads share lines
//         x = begin + thread_idx;               body(x), body(x + threads), ...
//     }
//
// The last two do each instruction of the body for all K indices before the next:
// K loads are on their way at once. Two indices of a loop that use one place, one
// of them to write, are a data race, so nobody can tell. The back end makes wide
// accesses of what is next to each other. All conditions but the innermost are the
// same for all threads of a block.
//
// The body is one basic block of loads, stores and plain arithmetic, and reads
// nothing of where its thread is but the index. The kernel's row says elements=K;
// without that column a grid has a thread for each index.

#include "elements.h"
#include "Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx {
namespace {

/// How an integer or an address grows with the index, modulo 2^64.
struct Growth {
  int64_t step = 0;
  /// Only if no narrower integer on the way wraps, which is looked at.
  bool assumed = false;
};

/// A load or store of the body.
struct Access {
  Instruction *inst;
  Value *address;
  uint64_t size; ///< bytes
  std::optional<Growth> growth;

  bool isContiguous() const { return growth && growth->step == int64_t(size); }
};

/// The entry of a loop, taken apart.
struct Loop {
  BasicBlock *head = nullptr, *body = nullptr, *end = nullptr;
  Value *index = nullptr, *count = nullptr; ///< i64
  Value *block = nullptr, *threads = nullptr, *thread = nullptr;
  SetVector<Instruction *> varying; ///< of the body: what the index decides
  SmallVector<Access, 8> accesses;  ///< of the varying
  unsigned indices = 0;             ///< that a thread is to take
  bool contiguous = false;          ///< may these be neighbours?
};

constexpr unsigned MostIndices = 16;   ///< for a thread
constexpr unsigned MostRegisters = 32; ///< for what the body loads
constexpr unsigned MostCopies = 256;   ///< instructions
constexpr uint64_t Wide = 16;          ///< bytes of the widest access

bool isPlace(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getCalledFunction()->getName().starts_with(
                     "llvm.nvvm.read.ptx.sreg.");
}

/// A number of where a thread is: an intrinsic that is read once, for this alone.
Value *placeOf(Value *value, Intrinsic::ID id) {
  Value *read;
  if (!match(value, m_ZExt(m_Value(read))) ||
      !value->getType()->isIntegerTy(64))
    return nullptr;
  auto *call = dyn_cast<IntrinsicInst>(read);
  return call && call->getIntrinsicID() == id && call->hasOneUse() ? value
                                                                   : nullptr;
}

/// block_idx * threads + thread_idx.
bool matchIndex(Loop &loop) {
  Value *other, *a, *b;
  if (!match(loop.index,
             m_c_Add(m_OneUse(m_Mul(m_Value(a), m_Value(b))), m_Value(other))))
    return false;
  loop.thread = placeOf(other, Intrinsic::nvvm_read_ptx_sreg_tid_x);
  for (auto [block, threads] : {std::pair(a, b), std::pair(b, a)}) {
    loop.block = placeOf(block, Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
    loop.threads = placeOf(threads, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    if (loop.block && loop.threads)
      break;
  }
  return loop.thread && loop.block && loop.threads &&
         loop.thread->hasOneUse() && loop.block->hasOneUse() &&
         loop.threads->hasOneUse();
}

/// if (index < count) body; and nothing else.
bool matchShape(Function &entry, Loop &loop) {
  loop.head = &entry.getEntryBlock();
  auto *branch = dyn_cast<BranchInst>(loop.head->getTerminator());
  if (entry.size() != 3 || !branch || !branch->isConditional())
    return false;
  loop.body = branch->getSuccessor(0);
  loop.end = branch->getSuccessor(1);
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || compare->getPredicate() != ICmpInst::ICMP_ULT ||
      loop.body->getSingleSuccessor() != loop.end ||
      loop.body->getSinglePredecessor() != loop.head ||
      !isa<ReturnInst>(loop.end->front()))
    return false;
  loop.index = compare->getOperand(0);
  loop.count = compare->getOperand(1);
  if (!loop.index->getType()->isIntegerTy(64) || !matchIndex(loop))
    return false;
  for (const User *user : loop.index->users())
    if (user != compare && cast<Instruction>(user)->getParent() != loop.body)
      return false;
  // What the head does besides is done once.
  unsigned places = 0;
  for (const BasicBlock &block : entry)
    for (const Instruction &inst : block) {
      places += isPlace(inst);
      if (&block == loop.head && inst.mayHaveSideEffects())
        return false;
    }
  return places == 3;
}

/// What says something of other instructions and does nothing.
bool isNote(const Instruction &inst) {
  return isa<AssumeInst, NoAliasScopeDeclInst>(inst);
}

bool mayRepeat(const Instruction &inst) {
  if (const auto *load = dyn_cast<LoadInst>(&inst))
    return load->isSimple();
  if (const auto *store = dyn_cast<StoreInst>(&inst))
    return store->isSimple();
  if (const auto *call = dyn_cast<CallInst>(&inst))
    return isa<IntrinsicInst>(call) && !call->isConvergent() &&
           call->doesNotAccessMemory() && call->willReturn();
  return !isa<AllocaInst>(inst) && !inst.mayHaveSideEffects() &&
         !inst.mayReadOrWriteMemory() && !isa<PHINode>(inst);
}

/// How a value grows with the index, if that is always by the same.
class Growths {
public:
  explicit Growths(const Loop &loop, const DataLayout &layout)
      : loop(loop), layout(layout) {}

  std::optional<Growth> of(Value *value) const {
    if (value == loop.index)
      return Growth{1, false};
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !loop.varying.contains(inst))
      return Growth{};
    if (auto *step = dyn_cast<GetElementPtrInst>(inst))
      return ofAddress(*step);
    if (!inst->getType()->isIntegerTy())
      return std::nullopt;
    return ofInteger(*inst);
  }

private:
  const Loop &loop;
  const DataLayout &layout;

  static std::optional<Growth> sum(std::optional<Growth> a,
                                   std::optional<Growth> b, int64_t times) {
    // Two that wrap could do so one after the other, and nobody would see it.
    if (!a || !b || (a->assumed && b->assumed))
      return std::nullopt;
    return Growth{int64_t(uint64_t(a->step) + uint64_t(b->step) * times),
                  a->assumed || b->assumed};
  }

  std::optional<Growth> ofInteger(Instruction &inst) const {
    Value *a, *b;
    const APInt *c, *d;
    std::optional<Growth> out;
    if (match(&inst, m_AddLike(m_Value(a), m_Value(b))))
      out = sum(of(a), of(b), 1);
    else if (match(&inst, m_Sub(m_Value(a), m_Value(b))))
      out = sum(of(a), of(b), -1);
    else if (match(&inst, m_Mul(m_Value(a), m_APInt(c))))
      out = sum(Growth{}, of(a), c->getSExtValue());
    else if (match(&inst, m_Shl(m_Value(a), m_APInt(c))) && c->ult(63))
      out = sum(Growth{}, of(a), int64_t(1) << c->getZExtValue());
    else if (match(&inst, m_AShr(m_Value(a), m_APInt(d))) && inst.isExact() &&
             d->ult(63)) {
      out = of(a);
      const int64_t unit = int64_t(1) << d->getZExtValue();
      if (!out || out->step % unit)
        return std::nullopt;
      out = Growth{out->step / unit, true};
    } else if (match(&inst, m_ZExtOrSExt(m_Value(a))) ||
               match(&inst, m_Trunc(m_Value(a))))
      out = of(a);
    if (out && out->step && inst.getType()->getIntegerBitWidth() < 64)
      out->assumed = true;
    return out;
  }

  std::optional<Growth> ofAddress(GetElementPtrInst &inst) const {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!inst.getType()->isPointerTy() ||
        layout.getIndexTypeSizeInBits(inst.getType()) != 64 ||
        !inst.collectOffset(layout, 64, variable, constant))
      return std::nullopt;
    std::optional<Growth> out = of(inst.getPointerOperand());
    for (auto &[index, scale] : variable) {
      out = sum(out, of(index), scale.getSExtValue());
      if (out && index->getType()->getIntegerBitWidth() < 64)
        out->assumed = true;
    }
    return out;
  }
};

/// Finds what the index decides, and the accesses of that.
bool readBody(Loop &loop, const DataLayout &layout) {
  for (Instruction &inst : *loop.body) {
    if (inst.isTerminator() || isNote(inst))
      continue;
    if (!mayRepeat(inst))
      return false;
    if (any_of(inst.operands(), [&](Value *operand) {
          auto *from = dyn_cast<Instruction>(operand);
          return operand == loop.index || (from && loop.varying.contains(from));
        }))
      loop.varying.insert(&inst);
    else if (isa<StoreInst>(inst))
      return false;
  }
  Growths growths(loop, layout);
  for (Instruction *inst : loop.varying) {
    Value *address = getLoadStorePointerOperand(inst);
    if (!address)
      continue;
    Type *type = getLoadStoreType(inst);
    const TypeSize size = layout.getTypeStoreSize(type);
    if (type->isAggregateType() || size.isScalable() || !isPowerOf2_64(size) ||
        size > Wide || layout.getTypeSizeInBits(type) != size * 8)
      return false;
    Access access{inst, address, size, growths.of(address)};
    // One place that all write.
    if (isa<StoreInst>(inst) && access.growth && !access.growth->step)
      return false;
    loop.accesses.push_back(access);
  }
  return !loop.accesses.empty();
}

/// How many indices, and whether they may be neighbours.
bool choose(Loop &loop) {
  uint64_t widest = 0;
  unsigned registers = 0;
  loop.contiguous = true;
  for (const Access &access : loop.accesses) {
    if (access.isContiguous())
      widest = std::max(widest, access.size);
    else if (access.growth && access.growth->step)
      loop.contiguous = false;
    if (isa<LoadInst>(access.inst))
      registers += divideCeil(access.size, 4);
  }
  loop.contiguous &= widest != 0 && widest < Wide;
  loop.indices =
      widest ? std::clamp<unsigned>(Wide / widest, 2, MostIndices) : 4;
  while (loop.indices > 1 && registers * loop.indices > MostRegisters)
    loop.indices /= 2;
  // A body that computes has enough to do.
  const unsigned computes = count_if(loop.varying, [](Instruction *inst) {
    return !isa<GetElementPtrInst, CastInst>(inst);
  });
  return loop.indices > 1 && computes <= 8 * loop.accesses.size() &&
         loop.varying.size() * loop.indices <= MostCopies;
}

/// Makes the code of a loop whose grid is too small.
class Maker {
public:
  explicit Maker(Loop &loop)
      : loop(loop), entry(*loop.head->getParent()), context(entry.getContext()),
        number(Type::getInt64Ty(context)) {}

  void run() {
    BasicBlock *one = loop.head->splitBasicBlock(
        loop.head->getTerminator()->getIterator(), "one");
    BasicBlock *several = block("several"), *full = block("full"),
               *last = block("last");
    loop.head->getTerminator()->eraseFromParent();
    IRBuilder<> head(loop.head);
    Value *blocks = head.CreateZExt(
        head.CreateIntrinsic(head.getInt32Ty(),
                             Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}),
        number);
    head.CreateCondBr(
        head.CreateICmpULT(head.CreateMul(blocks, loop.threads), loop.count),
        several, one);

    IRBuilder<> begins(several);
    step = begins.CreateMul(loop.threads, constant(loop.indices));
    begin = begins.CreateMul(loop.block, step, "begin");
    Value *stop = begins.CreateAdd(begin, step);
    begins.CreateCondBr(begins.CreateICmpULE(stop, loop.count), full, last);
    makeLast(last, several);
    makeFull(full);
    for (BasicBlock &block : entry)
      for (Instruction &inst : make_early_inc_range(reverse(block)))
        if (isInstructionTriviallyDead(&inst))
          inst.eraseFromParent();
  }

private:
  Loop &loop;
  Function &entry;
  LLVMContext &context;
  Type *number;
  Value *begin = nullptr, *step = nullptr;

  BasicBlock *block(const Twine &name) {
    return BasicBlock::Create(context, name, &entry, loop.end);
  }
  ConstantInt *constant(uint64_t value) {
    return ConstantInt::get(context, APInt(64, value));
  }

  /// A copy of an instruction of the body.
  static Instruction *copy(IRBuilder<> &builder, Instruction *inst,
                           ValueToValueMapTy &values) {
    Instruction *made = inst->clone();
    builder.Insert(made, inst->getName());
    RemapInstruction(made, values,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    values[inst] = made;
    return made;
  }

  /// The last block: one index after the other.
  void makeLast(BasicBlock *last, BasicBlock *before) {
    BasicBlock *inside = block("inside"), *next = block("next");
    IRBuilder<> builder(last);
    PHINode *turn = builder.CreatePHI(number, 2);
    turn->addIncoming(constant(0), before);
    Value *index = builder.CreateAdd(builder.CreateAdd(begin, loop.thread),
                                     builder.CreateMul(turn, loop.threads));
    builder.CreateCondBr(builder.CreateICmpULT(index, loop.count), inside,
                         next);
    builder.SetInsertPoint(inside);
    ValueToValueMapTy values;
    values[loop.index] = index;
    for (Instruction &inst : *loop.body)
      if (!inst.isTerminator() && !isNote(inst))
        copy(builder, &inst, values);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    Value *more = builder.CreateAdd(turn, constant(1));
    turn->addIncoming(more, next);
    builder.CreateCondBr(builder.CreateICmpULT(more, constant(loop.indices)),
                         last, loop.end);
  }

  void makeFull(BasicBlock *full) {
    IRBuilder<> builder(full);
    // All threads of the block come here, so what is the same for all is too.
    ValueToValueMapTy same;
    for (Instruction &inst : *loop.body)
      if (!inst.isTerminator() && !isNote(inst) &&
          !loop.varying.contains(&inst))
        copy(builder, &inst, same);
    BasicBlock *apart = block("apart");
    if (loop.contiguous) {
      BasicBlock *wide = block("wide");
      builder.CreateCondBr(makeTest(builder, same), wide, apart);
      builder.SetInsertPoint(wide);
      Value *first = builder.CreateAdd(
          begin, builder.CreateMul(loop.thread, constant(loop.indices)));
      makeCopies(builder, first, constant(1), same, true);
    } else {
      builder.CreateBr(apart);
    }
    builder.SetInsertPoint(apart);
    makeCopies(builder, builder.CreateAdd(begin, loop.thread), loop.threads,
               same, false);
  }

  /// An address of the body, with another index.
  Value *addressAt(IRBuilder<> &builder, Value *address, Value *index,
                   const ValueToValueMapTy &same) {
    ValueToValueMapTy values;
    for (const auto &[from, to] : same)
      values[from] = to;
    values[loop.index] = index;
    SmallVector<Instruction *> wanted;
    collect(address, wanted);
    for (Instruction *inst : loop.varying)
      if (is_contained(wanted, inst))
        copy(builder, inst, values);
    auto found = values.find(address);
    return found == values.end() ? address : &*found->second;
  }
  void collect(Value *value, SmallVectorImpl<Instruction *> &wanted) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !loop.varying.contains(inst) || is_contained(wanted, inst))
      return;
    wanted.push_back(inst);
    for (Value *operand : inst->operands())
      collect(operand, wanted);
  }

  /// Are the block's addresses aligned, and next to each other?
  Value *makeTest(IRBuilder<> &builder, const ValueToValueMapTy &same) {
    Value *test = builder.getTrue();
    SmallPtrSet<Value *, 8> seen;
    for (const Access &access : loop.accesses) {
      if (!access.isContiguous() || !seen.insert(access.address).second)
        continue;
      auto at = [&](Value *index) {
        return builder.CreatePtrToInt(
            addressAt(builder, access.address, index, same), number);
      };
      Value *first = at(begin);
      const uint64_t size = std::min(Wide, access.size * loop.indices);
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

  /// Each instruction of the body for all indices, then the next.
  void makeCopies(IRBuilder<> &builder, Value *first, Value *distance,
                  const ValueToValueMapTy &same, bool wide) {
    SmallVector<std::unique_ptr<ValueToValueMapTy>, MostIndices> each;
    Value *index = first;
    for (unsigned k = 0; k != loop.indices; ++k) {
      each.push_back(std::make_unique<ValueToValueMapTy>());
      for (const auto &[from, to] : same)
        (*each[k])[from] = to;
      if (k)
        index = builder.CreateAdd(index, distance);
      (*each[k])[loop.index] = index;
    }
    for (Instruction *inst : loop.varying) {
      const Access *access = wide ? contiguous(inst) : nullptr;
      Value *before = nullptr;
      for (auto &values : each) {
        Instruction *made = copy(builder, inst, *values);
        if (access)
          before = makeWide(builder, *access, made, before);
      }
    }
    builder.CreateBr(loop.end);
  }
  const Access *contiguous(Instruction *inst) const {
    for (const Access &access : loop.accesses)
      if (access.inst == inst && access.isContiguous())
        return &access;
    return nullptr;
  }
  /// Says that an access is behind that of the index before, and how the first
  /// is aligned. Its address comes back.
  Value *makeWide(IRBuilder<> &builder, const Access &access, Instruction *made,
                  Value *before) {
    const unsigned operand = isa<StoreInst>(made) ? 1 : 0;
    if (!before) {
      setLoadStoreAlignment(made,
                            Align(std::min(Wide, access.size * loop.indices)));
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

PreservedAnalyses ElementsPass::run(Function &entry,
                                    FunctionAnalysisManager &) {
  Loop loop;
  // Code for one shape of launches is asked for by those.
  if (!entry.hasFnAttribute(attribute::Loop) ||
      entry.getParent()->getNamedMetadata(attribute::Shape) ||
      !matchShape(entry, loop) || !readBody(loop, entry.getDataLayout()) ||
      !choose(loop))
    return PreservedAnalyses::all();
  Maker(loop).run();
  entry.addFnAttr(attribute::Elements, utostr(loop.indices));
  return PreservedAnalyses::none();
}

void markElements(std::vector<KernelColumn> &columns, const Module &module,
                  const KernelTable &kernels) {
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol))
      if (Attribute number = entry->getFnAttribute(attribute::Elements);
          number.isValid())
        columns.push_back(
            {kernel.symbol, "elements", number.getValueAsString().str()});
}

} // namespace xcc::nvptx
