// Indices that wrap only in unusual launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchIndices.h"
#include "block/Intrinsics.h"
#include "block/abi/KernelBody.h"
#include "block/abi/LowerQueries.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include "xcc/abi.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

static constexpr unsigned WarpLanes = XCC_CPU_WARP_SIZE;

/// More sums than this are not worth a test of each.
static constexpr unsigned SumLimit = 8;

namespace {

struct Term {
  enum Kind {
    Thread,   ///< thread_idx.x, or the group of threads that it is in
    GlobalId, ///< what is known not to wrap, with thread_idx.x in it
    Start,    ///< block_idx * block_dim
    Block,    ///< block_idx, times `value`
    OfLaunch, ///< `value`, the same for all threads of a launch
  } kind;
  unsigned dim = 0;
  Value *value = nullptr; ///< of OfLaunch; of Block, null for 1
  bool isNegated = false;
  Instruction *user = nullptr; ///< of `value` in the sum
};

/// A sum of thread_idx.x and other terms, of 32 or 64 bits.
struct Sum {
  BinaryOperator *whole = nullptr;
  SmallVector<Term, 4> terms;
  SmallVector<BinaryOperator *, 4> parts; ///< operations that must not wrap
};

class SumReader {
public:
  explicit SumReader(const Function &kernel) : kernel(kernel) {}
  std::optional<Sum> read(BinaryOperator &add);

private:
  bool addTerm(Value *v, bool isNegated, unsigned depth,
               Instruction *user = nullptr);
  bool addProduct(Value *v, bool isNegated);
  bool isOfLaunch(const Value *v, unsigned depth = 0) const;

  const Function &kernel;
  Sum sum;
};

class TestWriter {
public:
  TestWriter(Function &test, const Function &kernel);
  void require(const Sum &sum, bool isUnsigned);
  /// That \p number of the launch is a multiple of a warp.
  void requireWarps(Value *number) {
    Value *is = copy(number);
    require(b.CreateIsNull(
        b.CreateAnd(is, ConstantInt::get(is->getType(), WarpLanes - 1))));
  }
  /// Ends the test, in a block for either case.
  void finish();

private:
  Value *copy(Value *v);
  Value *query(StringRef what, unsigned dim);
  Value *wide(Value *v) { return b.CreateSExt(v, b.getInt64Ty()); }
  void require(Value *condition) {
    all = all ? b.CreateAnd(all, condition) : condition;
  }

  Function &test;
  const Function &kernel;
  IRBuilder<> b;
  Value *all = nullptr;
  DenseMap<Value *, Value *> copies;
};

} // namespace

static bool isKnown(const BinaryOperator &op) {
  return op.hasNoUnsignedWrap() && op.hasNoSignedWrap();
}

//===----------------------------------------------------------------------===//
// Reading sums
//===----------------------------------------------------------------------===//

/// Whether \p v can be computed before a launch: from constants, arguments and
/// the sizes of the launch.
bool SumReader::isOfLaunch(const Value *v, unsigned depth) const {
  if (isa<ConstantInt>(v))
    return true;
  auto *i = dyn_cast<Instruction>(v);
  if (!i || depth > 6 || !i->getType()->isIntegerTy())
    return false;
  if (auto *load = dyn_cast<LoadInst>(i))
    return load->isSimple() &&
           load->hasMetadata(LLVMContext::MD_invariant_load) &&
           load->getPointerOperand()->stripInBoundsConstantOffsets() ==
               kernel.getArg(0);
  Intrinsic in = intrinsicCalledBy(*i);
  if (in)
    return in.kind == IntrinsicKind::BlockDim ||
           in.kind == IntrinsicKind::GridDim;
  return (isa<CastInst>(i) || (isa<BinaryOperator>(i) && !i->isIntDivRem())) &&
         all_of(i->operand_values(),
                [&](const Value *op) { return isOfLaunch(op, depth + 1); });
}

/// Adds the term block_idx * something.
bool SumReader::addProduct(Value *v, bool isNegated) {
  Value *of = v;
  if (auto *z = dyn_cast<ZExtInst>(v))
    of = z->getOperand(0);
  auto *product = dyn_cast<BinaryOperator>(of);
  if (isNegated || !product)
    return false;
  Value *x = product->getOperand(0), *y = product->getOperand(1);
  if (product->getOpcode() == Instruction::Shl) {
    auto *count = dyn_cast<ConstantInt>(y);
    if (!count || count->getZExtValue() > 20)
      return false;
    y = ConstantInt::get(y->getType(), uint64_t(1) << count->getZExtValue());
  } else if (product->getOpcode() != Instruction::Mul) {
    return false;
  }
  if (queryOf(y).kind == IntrinsicKind::BlockIdx)
    std::swap(x, y);
  Intrinsic block = queryOf(x), size = queryOf(y);
  if (block.kind != IntrinsicKind::BlockIdx)
    return false;
  if (size.kind == IntrinsicKind::BlockDim && size.dim == block.dim) {
    sum.terms.push_back({Term::Start, block.dim});
    return true;
  }
  // A product that was widened may have wrapped in its own type.
  if (!isOfLaunch(y) || (of != v && !isKnown(*product)))
    return false;
  sum.terms.push_back({Term::Block, block.dim, y, false, product});
  sum.parts.push_back(product);
  return true;
}

bool SumReader::addTerm(Value *v, bool isNegated, unsigned depth,
                        Instruction *user) {
  if (isOfLaunch(v)) {
    sum.terms.push_back({Term::OfLaunch, 0, v, isNegated, user});
    return true;
  }
  Intrinsic in = queryOf(v);
  if (Value *thread; match(v, m_LShr(m_Value(thread), m_ConstantInt())) &&
                     queryOf(thread).kind == IntrinsicKind::ThreadIdx)
    in = queryOf(thread);
  if (in.kind == IntrinsicKind::ThreadIdx ||
      in.kind == IntrinsicKind::BlockIdx) {
    bool isThread = in.kind == IntrinsicKind::ThreadIdx;
    if (isNegated || (isThread && in.dim != 0))
      return false;
    sum.terms.push_back({isThread ? Term::Thread : Term::Block, in.dim});
    return true;
  }
  // The index in the grid, truncated.
  if (auto *narrow = dyn_cast<TruncInst>(v);
      narrow && narrow->hasNoUnsignedWrap() && narrow->hasNoSignedWrap() &&
      !isNegated) {
    std::optional<Sum> index;
    if (auto *wide = dyn_cast<BinaryOperator>(narrow->getOperand(0));
        wide && isKnown(*wide))
      index = SumReader(kernel).read(*wide);
    if (!index || index->terms.size() != 2 ||
        none_of(index->terms,
                [](const Term &term) { return term.kind == Term::Start; }))
      return false;
    sum.terms.push_back({Term::GlobalId});
    return true;
  }
  if (addProduct(v, isNegated))
    return true;
  auto *op = dyn_cast<BinaryOperator>(v);
  if (!op || depth > 4)
    return false;
  auto *disjoint = dyn_cast<PossiblyDisjointInst>(op);
  const bool isOr = disjoint && disjoint->isDisjoint();
  const bool isSub = op->getOpcode() == Instruction::Sub;
  if (!isOr && !isSub && op->getOpcode() != Instruction::Add)
    return false;
  if (!isOr)
    sum.parts.push_back(op);
  return addTerm(op->getOperand(0), isNegated, depth + 1, op) &&
         addTerm(op->getOperand(1), isNegated != isSub, depth + 1, op);
}

std::optional<Sum> SumReader::read(BinaryOperator &add) {
  sum = {};
  sum.whole = &add;
  if (!addTerm(&add, false, 0))
    return std::nullopt;
  auto isThread = [](const Term &term) {
    return term.kind == Term::Thread || term.kind == Term::GlobalId;
  };
  // The sum of two products might exceed 64 bits.
  if (count_if(sum.terms, isThread) != 1 ||
      count_if(sum.terms,
               [](const Term &term) { return term.kind == Term::Block; }) > 1)
    return std::nullopt;
  return sum;
}

//===----------------------------------------------------------------------===//
// Writing the test
//===----------------------------------------------------------------------===//

TestWriter::TestWriter(Function &test, const Function &kernel)
    : test(test), kernel(kernel),
      b(BasicBlock::Create(test.getContext(), "", &test)) {}

Value *TestWriter::copy(Value *v) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i)
    return v == kernel.getArg(0) ? test.getArg(0) : v;
  if (Value *known = copies.lookup(v))
    return known;
  Instruction *made = i->clone();
  for (Use &op : made->operands())
    if (!isa<Function>(op))
      op.set(copy(op));
  // Its flags and metadata may hold only where it was written.
  made->dropPoisonGeneratingAnnotations();
  made->dropUBImplyingAttrsAndUnknownMetadata(
      {LLVMContext::MD_invariant_load, LLVMContext::MD_tbaa});
  made->setDebugLoc(DebugLoc());
  return copies[v] = b.Insert(made);
}

Value *TestWriter::query(StringRef what, unsigned dim) {
  static const char *const names[] = {"_x", "_y", "_z"};
  FunctionCallee function = test.getParent()->getOrInsertFunction(
      ("__xcc_" + what + names[dim]).str(), b.getInt32Ty());
  return b.CreateZExt(b.CreateCall(function), b.getInt64Ty());
}

void TestWriter::require(const Sum &sum, bool isUnsigned) {
  const bool isNarrow = sum.whole->getType()->isIntegerTy(32);
  Value *zero = b.getInt64(0), *most = zero, *least = zero;
  for (const Term &term : sum.terms) {
    Value *adds;
    switch (term.kind) {
    case Term::Thread:
      adds = query("block_dim", 0);
      break;
    case Term::GlobalId:
    case Term::Start:
      // Fewer than 2^31, which the runtime checks.
      adds = b.CreateMul(query("grid_dim", term.dim),
                         query("block_dim", term.dim));
      break;
    case Term::Block: {
      Value *times = term.value ? wide(copy(term.value)) : b.getInt64(1);
      // Also rejects unsigned factors from 2^31 on, which are negative here.
      require(b.CreateICmpULT(times, b.getInt64(uint64_t(1) << 31)));
      adds = b.CreateMul(query("grid_dim", term.dim), times);
      break;
    }
    case Term::OfLaunch: {
      Value *is = wide(copy(term.value));
      if (!isNarrow)
        require(b.CreateICmpULT(b.CreateAdd(is, b.getInt64(uint64_t(1) << 61)),
                                b.getInt64(uint64_t(1) << 62)));
      if (term.isNegated)
        is = b.CreateNeg(is);
      least = b.CreateAdd(
          least, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, is, zero));
      adds = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, is, zero);
      break;
    }
    }
    most = b.CreateAdd(most, adds);
  }
  const int bits = isNarrow ? 31 : 62;
  require(b.CreateICmpSLT(most, b.getInt64(uint64_t(1) << bits)));
  require(isUnsigned
              ? b.CreateICmpEQ(least, zero)
              : b.CreateICmpSGT(least, b.getInt64(-(int64_t(1) << bits))));
}

void TestWriter::finish() {
  LLVMContext &c = test.getContext();
  BasicBlock *fitting = BasicBlock::Create(c, "fitting", &test),
             *otherwise = BasicBlock::Create(c, "otherwise", &test);
  b.CreateCondBr(b.CreateFreeze(all), fitting, otherwise,
                 MDBuilder(c).createLikelyBranchWeights());
  for (BasicBlock *end : {fitting, otherwise}) {
    b.SetInsertPoint(end);
    b.CreateRetVoid();
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether \p whole is used as an unsigned number, so that it must not wrap
/// below zero.
static bool isUsedUnsigned(const BinaryOperator &whole) {
  return any_of(whole.users(), [](const User *u) {
    if (auto *compare = dyn_cast<ICmpInst>(u))
      return compare->isUnsigned() && !compare->hasSameSign();
    return isa<ZExtInst>(u);
  });
}

static bool isNegative(const Term &term) {
  auto *constant = dyn_cast_or_null<ConstantInt>(term.value);
  return term.kind == Term::OfLaunch && constant && !constant->isZero() &&
         constant->isNegative() != term.isNegated;
}

/// Whether the sign of \p term is known at compile time.
static bool hasKnownSign(const Term &term) {
  return term.kind != Term::OfLaunch || isa<ConstantInt>(term.value);
}

/// Whether somebody divides it, as by the size of a warp.
static bool isDivided(const BinaryOperator &whole) {
  return any_of(whole.users(), [](const User *u) {
    auto *op = dyn_cast<BinaryOperator>(u);
    return op && (op->isIntDivRem() || op->isShift() ||
                  op->getOpcode() == Instruction::And);
  });
}

namespace {

/// A sum that is in question.
struct CheckedSum {
  Sum sum;
  bool isUnsigned; ///< and not negative
  bool isOfWarps;  ///< what is not the thread's must be a multiple of a warp
  SmallVector<Term, 2> numbers; ///< of which that is not known
};

} // namespace

/// Whether \p sum is in question in a kernel, or in a warp's code.
static std::optional<CheckedSum> ask(const Sum &sum, Scope scope) {
  CheckedSum checked{sum, isUsedUnsigned(*sum.whole), false, {}};
  if (scope == Scope::Warp && isDivided(*sum.whole)) {
    checked.isOfWarps = checked.isUnsigned = true;
    for (const Term &term : sum.terms)
      if (term.value && !isa<ConstantInt>(term.value)) {
        if (term.isNegated)
          return std::nullopt;
        checked.numbers.push_back(term);
      }
  }
  if (checked.numbers.empty() &&
      all_of(sum.parts, [](const BinaryOperator *part) {
        return isKnown(*part) || part->hasNoSignedWrap();
      }))
    return std::nullopt;
  // What would never fit.
  if (checked.isUnsigned && any_of(sum.terms, isNegative))
    return std::nullopt;
  return checked;
}

/// Writes \p term, of which the test says that it is a multiple of a warp and not
/// negative, as one.
static void writeAsMultiple(const Term &term) {
  IRBuilder<> b(term.user);
  Value *warps = b.CreateLShr(term.value, Log2_32(WarpLanes));
  term.user->replaceUsesOfWith(term.value,
                               b.CreateShl(warps, Log2_32(WarpLanes), "",
                                           /*HasNUW=*/true, /*HasNSW=*/true));
}

LaunchIndices::LaunchIndices(Function &kernel, Scope scope) {
  SmallVector<CheckedSum, SumLimit> all;
  for (Instruction &i : instructions(kernel)) {
    auto *op = dyn_cast<BinaryOperator>(&i);
    if (!op ||
        !(op->getType()->isIntegerTy(32) || op->getType()->isIntegerTy(64)))
      continue;
    if (op->getOpcode() != Instruction::Add &&
        op->getOpcode() != Instruction::Sub)
      continue;
    std::optional<Sum> sum = SumReader(kernel).read(*op);
    std::optional<CheckedSum> checked;
    if (sum)
      checked = ask(*sum, scope);
    if (!checked)
      continue;
    if (all.size() == SumLimit)
      return;
    isSure &= !checked->isUnsigned || all_of(sum->terms, hasKnownSign);
    all.push_back(std::move(*checked));
  }
  if (all.empty())
    return;

  test =
      Function::Create(kernel.getFunctionType(), GlobalValue::InternalLinkage,
                       kernel.getName() + ".test", kernel.getParent());
  test->copyAttributesFrom(&kernel);
  TestWriter writer(*test, kernel);
  for (const CheckedSum &checked : all) {
    writer.require(checked.sum, checked.isUnsigned);
    for (const Term &term : checked.numbers)
      writer.requireWarps(term.value);
  }
  writer.finish();

  // All that is not negative makes partial sums that do not wrap either way.
  for (const CheckedSum &checked : all) {
    const bool neverNegative =
        checked.isUnsigned || all_of(checked.sum.terms, [](const Term &term) {
          return hasKnownSign(term) && !isNegative(term);
        });
    for (BinaryOperator *part : checked.sum.parts) {
      part->setHasNoSignedWrap();
      if (neverNegative && part->getOpcode() != Instruction::Sub)
        part->setHasNoUnsignedWrap();
    }
  }
  for (const CheckedSum &checked : all)
    for_each(checked.numbers, writeAsMultiple);
}

Function *LaunchIndices::choose(Function &fitting, Function &otherwise,
                                const SharedLayout &layout, const Twine &name) {
  SmallVector<Type *, 3> params(fitting.getFunctionType()->params());
  KernelBody body = takeBody(*test, params, name);
  lowerLaunchQueries(*body.f, body.group(), layout,
                     body.entry->getTerminator());
  SmallVector<Value *, 3> args;
  for (Argument &arg : body.f->args())
    args.push_back(&arg);
  auto *branch = cast<BranchInst>(body.body->getTerminator());
  Function *callees[] = {&fitting, &otherwise};
  for (auto [block, callee] : zip_equal(successors(branch), callees))
    IRBuilder<>(block->getTerminator()).CreateCall(callee, args);
  if (isSure) {
    otherwise.addFnAttr(Attribute::OptimizeForSize);
    otherwise.addFnAttr(Attribute::NoInline);
    otherwise.addFnAttr(Attribute::Cold);
  }
  erase();
  return body.f;
}

Function *LaunchIndices::takeTest(const SharedLayout &layout,
                                  const Twine &name) {
  Type *ptr = PointerType::getUnqual(test->getContext());
  KernelBody body = takeBody(*test, {ptr, ptr}, name);
  lowerLaunchQueries(*body.f, body.group(), layout,
                     body.entry->getTerminator());
  auto *branch = cast<BranchInst>(body.body->getTerminator());
  for (unsigned n : {0u, 1u}) {
    IRBuilder<> b(branch->getSuccessor(n)->getTerminator());
    b.CreateStore(b.getInt64(n == 0), body.f->getArg(1));
  }
  erase();
  return body.f;
}

void LaunchIndices::erase() {
  test->eraseFromParent();
  test = nullptr;
}

} // namespace xcc::block
