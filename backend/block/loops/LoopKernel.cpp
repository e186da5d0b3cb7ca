// Building block functions from regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopKernel.h"
#include "LaneShuffles.h"
#include "ParallelLoops.h"
#include "TeamEntry.h"
#include "Teams.h"
#include "ThreadLoops.h"
#include "block/Intrinsics.h"
#include "block/abi/Abi.h"
#include "block/abi/LowerQueries.h"
#include "block/regions/Scratch.h"
#include "block/regions/Uniformity.h"
#include "block/regions/VariableLiveness.h"
#include "block/rewrites/ThreadLocals.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

namespace {

class LoopKernelBuilder {
public:
  LoopKernelBuilder(const RegionPlan &plan, const LiveAcross &live,
                    const Uniformity &uniform, const LoopKernelOptions &options,
                    const DataLayout &dl)
      : plan(plan), live(live), uniform(uniform), options(options),
        memory(live, dl) {}

  LoopKernel build(Function &kernel, const SharedLayout &layout);
  void buildLanes(Function &kernel, std::pair<Value *, Value *> range);

private:
  struct Access {
    const Variable *var;
    bool reads = false, writes = false;
  };

  void takeCode(Function &kernel);
  void findAccesses();
  /// Whether \p r is uniform, so that one thread runs it for all.
  bool runsOnce(const Region &r, ArrayRef<Access> accesses) const;
  void wrapRegion(const Region &r, unsigned number);
  void lowerThreadQueriesOf(const Region &r, const ThreadLoops &loops);
  void moveVariables(ArrayRef<Access> accesses, const ThreadLoops &loops);
  void replaceArrays(const Region &r, const ThreadLoops &loops);
  void updateThreadRecord(IRBuilderBase &b, const ThreadLoops &loops);
  /// Frees stack memory that a thread allocated when it ends.
  void restoreStack(const Region &r, const ThreadLoops &loops);
  /// Shows thread_idx and block_idx to debuggers, as variables of the functions
  /// that were inlined into the kernel.
  void describeIndices();
  void storeIndices(const ThreadLoops &loops);
  /// Moves the branch that ends \p r behind the thread loops.
  void moveDecision(const Region &r, const ThreadLoops &loops);
  void connectRegions();
  /// Moves the block barrier at the end of \p r behind the loop over lanes, so
  /// that a warp reaches it once.
  void moveBarrier(const Region &r, const ThreadLoops &loops);
  /// Skips a block if all its threads leave at the start, because only threads
  /// that stay compute its uniform values.
  BasicBlock *skipBlockWithoutThreads(BasicBlock *firstRegion);
  void promoteVariables();
  /// Computes how many blocks a team may have and sets `room` for their
  /// threads.
  Value *limitTeams(IRBuilderBase &b);

  const RegionPlan &plan;
  const LiveAcross &live;
  const Uniformity &uniform;
  const LoopKernelOptions &options;
  Scratch memory;
  KernelBody code;
  LaunchShape shape;      ///< its block is the team if there are teams
  bool isOfLanes = false; ///< the threads are a warp's lanes
  bool isOfTeam = false;  ///< the function runs one team (TeamEntry.h)
  bool isOfRow = false;   ///< only one row, along x, of that team
  bool hasRows = false;   ///< blocks are used in several dimensions
  std::pair<Value *, Value *> lanes; ///< the range of lanes; null: all
  Value *room = nullptr; ///< threads for which there is scratch memory
  unsigned rangeTests = 0;
  BlockLoop blocks = {};                       ///< for lanes, only a latch
  std::vector<ThreadLoops> loopsOf;            ///< by region
  std::vector<SmallVector<Access>> accessesOf; ///< by region
  AllocaInst *threadRecord = nullptr; ///< of the kernel's thread_locals
  /// The indices that a debugger shows at -O0.
  AllocaInst *shownThread = nullptr, *shownBlock = nullptr;
  AllocaInst *hasActiveThread =
      nullptr; ///< whether a thread of the block stays
  /// Where a uniform variable is kept between regions.
  DenseMap<const AllocaInst *, AllocaInst *> sharedOf;
};

} // namespace

void LoopKernelBuilder::findAccesses() {
  accessesOf.resize(plan.regions.size());
  VariableLiveness liveness(*code.f, live.variables);
  for (auto [r, accesses] : zip_equal(plan.regions, accessesOf)) {
    BitVector loaded(live.variables.size()), stored(live.variables.size());
    for (BasicBlock *bb : r.blocks)
      for (Instruction &i : *bb) {
        if (auto n = liveness.loadedBy(i))
          loaded.set(*n);
        if (auto n = liveness.storedBy(i))
          stored.set(*n);
      }
    BitVector liveAfter(live.variables.size());
    for (BasicBlock *next : plan.successors(r))
      liveAfter |= liveness.liveIn(next);
    // The branch behind the loops reads its condition.
    if (r.decider)
      if (auto *c =
              dyn_cast<LoadInst>(r.decider->getTerminator()->getOperand(0)))
        if (auto n = liveness.loadedBy(*c))
          liveAfter.set(*n);
    BitVector touched = loaded;
    touched |= stored;
    for (unsigned n : touched.set_bits())
      accesses.push_back({&live.variables[n], liveness.liveIn(r.start).test(n),
                          stored.test(n) && liveAfter.test(n)});
  }
}

bool LoopKernelBuilder::runsOnce(const Region &r,
                                 ArrayRef<Access> accesses) const {
  if (any_of(accesses, [](const Access &a) { return !a.var->isUniform; }))
    return false;
  for (BasicBlock *bb : r.blocks)
    for (Instruction &i : *bb) {
      if (isa<LoadInst, StoreInst>(i))
        if (auto *a = dyn_cast<AllocaInst>(getLoadStorePointerOperand(&i)))
          if (sharedOf.count(a))
            continue;
      if (!uniform.isUniform(i) || hasEffect(i))
        return false;
      // Index queries that were recomputed after the analysis.
      IntrinsicKind kind = intrinsicCalledBy(i).kind;
      if (kind == IntrinsicKind::ThreadIdx ||
          kind == IntrinsicKind::LinearThread || kind == IntrinsicKind::Lane)
        return false;
      if (i.isTerminator() && i.getNumSuccessors() > 1 &&
          !uniform.isUniformUse(i.getOperandUse(0)))
        return false;
    }
  return true;
}

void LoopKernelBuilder::moveVariables(ArrayRef<Access> accesses,
                                      const ThreadLoops &loops) {
  IRBuilder<> before(loops.preheader->getTerminator());
  IRBuilder<> begin(loops.begin);
  IRBuilder<> end(&*loops.end->getFirstInsertionPt());
  for (const Access &a : accesses) {
    AllocaInst *local = a.var->local;
    Type *t = local->getAllocatedType();
    if (a.var->isUniform) {
      // Load before the loops: threads that count it up all start from this
      // value.
      AllocaInst *shared = sharedOf.lookup(local);
      if (a.reads)
        begin.CreateStore(before.CreateLoad(t, shared), local);
      if (a.writes)
        end.CreateStore(end.CreateLoad(t, local), shared);
    } else {
      if (a.reads)
        begin.CreateStore(memory.load(begin, local, loops.linear), local);
      if (a.writes)
        memory.store(end, end.CreateLoad(t, local), local, loops.linear);
    }
    // No value flows through the local copy from thread to thread.
    if (!a.reads)
      begin.CreateStore(PoisonValue::get(t), local);
  }
}

void LoopKernelBuilder::replaceArrays(const Region &r,
                                      const ThreadLoops &loops) {
  SmallPtrSet<const BasicBlock *, 16> inside(r.blocks.begin(), r.blocks.end());
  for (const PrivateArray &a : live.arrays) {
    Value *address = nullptr;
    for (Use &u : make_early_inc_range(a.slot->uses())) {
      auto *i = cast<Instruction>(u.getUser());
      auto *phi = dyn_cast<PHINode>(i);
      if (!inside.contains(phi ? phi->getIncomingBlock(u) : i->getParent()))
        continue;
      if (isa<LifetimeIntrinsic>(i)) {
        i->eraseFromParent();
        continue;
      }
      if (!address) {
        IRBuilder<> b(loops.begin);
        address = memory.addressOf(b, a.slot, loops.linear);
      }
      u.set(address);
    }
  }
}

void LoopKernelBuilder::moveDecision(const Region &r,
                                     const ThreadLoops &loops) {
  Instruction *term = r.decider->getTerminator();
  term->removeFromParent();
  term->insertInto(loops.exit, loops.exit->end());
  auto *condition = dyn_cast<LoadInst>(term->getOperand(0));
  AllocaInst *shared = nullptr;
  if (condition)
    if (auto *local = dyn_cast<AllocaInst>(condition->getPointerOperand()))
      shared = sharedOf.lookup(local);
  if (shared) {
    IRBuilder<> b(term);
    term->setOperand(0, b.CreateLoad(condition->getType(), shared));
    condition->eraseFromParent();
  }
}

BasicBlock *
LoopKernelBuilder::skipBlockWithoutThreads(BasicBlock *firstRegion) {
  ThreadLoops rows = ThreadLoops::create(*code.f, shape, "idle");
  options.range->apply(rows, shape);
  // Only the loops over rows of threads are needed.
  IRBuilder<> b(&code.entry->front());
  AllocaInst *any = b.CreateAlloca(b.getInt1Ty(), nullptr, "any");
  b.SetInsertPoint(rows.preheader->getTerminator());
  b.CreateStore(b.getFalse(), any);
  auto *end = cast<BranchInst>(rows.before->getTerminator());
  b.SetInsertPoint(end);
  b.CreateStore(
      b.CreateOr(b.CreateLoad(b.getInt1Ty(), any), end->getCondition()), any);
  b.CreateBr(rows.xLatch->getSuccessor(1));
  end->eraseFromParent();
  b.SetInsertPoint(rows.begin);
  b.CreateBr(rows.end);
  cast<PHINode>(rows.threadIdx[0])->removeIncomingValue(rows.before, false);
  DeleteDeadBlocks({rows.begin, rows.end});

  b.SetInsertPoint(rows.exit);
  b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), any), firstRegion, blocks.latch);
  hasActiveThread = any;
  return rows.preheader;
}

void LoopKernelBuilder::promoteVariables() {
  SmallVector<AllocaInst *, 16> allocas;
  if (hasActiveThread)
    allocas.push_back(hasActiveThread);
  for (const Variable &v : live.variables) {
    if (AllocaInst *shared = sharedOf.lookup(v.local))
      allocas.push_back(shared);
    allocas.push_back(v.local);
  }
  DominatorTree dt(*code.f);
  PromoteMemToReg(allocas, dt);
  for (const PrivateArray &a : live.arrays)
    a.slot->eraseFromParent();
}

void LoopKernelBuilder::updateThreadRecord(IRBuilderBase &b,
                                           const ThreadLoops &loops) {
  Value *record = GroupFields{code.group()}.thread(b);
  auto store = [&](Value *v, uint64_t offset) {
    b.CreateStore(v, byteOffset(b, record, offset));
  };
  for (unsigned d = 0; d < 3; ++d) {
    store(loops.threadIdx[d], offsetof(xcc_cpu_thread, thread_index) + 4 * d);
    store(blocks.blockIdx[d], offsetof(xcc_cpu_thread, block_index) + 4 * d);
  }
  store(loops.linear, offsetof(xcc_cpu_thread, linear_thread));
  store(code.group(), offsetof(xcc_cpu_thread, group));
}

void LoopKernelBuilder::describeIndices() {
  Function &f = *code.f;
  DISubprogram *entry = f.getSubprogram();
  if (!f.hasOptNone() || !entry)
    return;
  // Each function, once for each of its inlined calls.
  SetVector<std::pair<DISubprogram *, DILocation *>> parts;
  for (Instruction &i : instructions(f))
    if (const DILocation *at = i.getDebugLoc())
      parts.insert({at->getScope()->getSubprogram(), at->getInlinedAt()});
  DIBuilder builder(*f.getParent(), /*AllowUnresolved=*/false,
                    entry->getUnit());
  DIType *number =
      builder.createBasicType("unsigned int", 32, dwarf::DW_ATE_unsigned);
  SmallVector<Metadata *> members;
  for (auto [n, name] : enumerate(ArrayRef<StringRef>{"x", "y", "z"}))
    members.push_back(builder.createMemberType(entry, name, entry->getFile(),
                                               entry->getLine(), 32, 32, 32 * n,
                                               DINode::FlagZero, number));
  DIType *type = builder.createStructType(
      entry, "index", entry->getFile(), entry->getLine(), 96, 32,
      DINode::FlagZero, nullptr, builder.getOrCreateArray(members));
  IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
  auto show = [&](StringRef name) {
    AllocaInst *slot =
        b.CreateAlloca(ArrayType::get(b.getInt32Ty(), 3), nullptr, name);
    for (auto [function, call] : parts)
      builder.insertDeclare(
          slot,
          builder.createAutoVariable(function, name, function->getFile(),
                                     function->getLine(), type),
          builder.createExpression(),
          DILocation::get(f.getContext(), function->getLine(), 0, function,
                          call),
          f.getEntryBlock().getTerminator()->getIterator());
    return slot;
  };
  shownThread = show("thread_idx");
  shownBlock = show("block_idx");
}

void LoopKernelBuilder::storeIndices(const ThreadLoops &loops) {
  IRBuilder<> b(loops.begin);
  for (unsigned d = 0; d != 3; ++d) {
    b.CreateStore(loops.threadIdx[d], byteOffset(b, shownThread, 4 * d));
    b.CreateStore(blocks.blockIdx[d], byteOffset(b, shownBlock, 4 * d));
  }
}

void LoopKernelBuilder::lowerThreadQueriesOf(const Region &r,
                                             const ThreadLoops &loops) {
  for (BasicBlock *bb : r.blocks)
    for (Instruction &i : make_early_inc_range(*bb)) {
      Intrinsic in = intrinsicCalledBy(i);
      Value *v;
      if (isOfLanes && in.kind == IntrinsicKind::Lane)
        v = loops.linear;
      else if (isOfLanes)
        continue;
      else if (in.kind == IntrinsicKind::ThreadIdx)
        v = loops.threadIdx[in.dim];
      else if (in.kind == IntrinsicKind::LinearThread)
        v = loops.linear;
      else
        continue;
      i.replaceAllUsesWith(v);
      i.eraseFromParent();
    }
}

void LoopKernelBuilder::restoreStack(const Region &r,
                                     const ThreadLoops &loops) {
  bool allocates = any_of(r.blocks, [](BasicBlock *bb) {
    return any_of(*bb, [](Instruction &i) { return isa<AllocaInst>(i); });
  });
  if (!allocates)
    return;
  IRBuilder<> b(loops.begin);
  Value *saved = b.CreateStackSave();
  b.SetInsertPoint(&*loops.end->getFirstInsertionPt());
  b.CreateStackRestore(saved);
}

void LoopKernelBuilder::wrapRegion(const Region &r, unsigned number) {
  Function &f = *code.f;
  ArrayRef<Access> accesses = accessesOf[number];
  std::string name = ("region" + Twine(number)).str();
  ThreadLoops loops = runsOnce(r, accesses) ? ThreadLoops::createOnce(f, name)
                      : isOfLanes           ? ThreadLoops::createLanes(f, name)
                      : isOfRow ? ThreadLoops::createRow(f, blocks.width, name)
                                : ThreadLoops::create(f, shape, name);
  loops.hasRows = hasRows;

  IRBuilder<> b(loops.begin);
  if (loops.isLoop()) {
    if (lanes.second)
      loops.restrictX(lanes.first, lanes.second);
    if (options.range) {
      options.range->apply(loops, shape);
      rangeTests += options.range->size();
    }
    // A thread that leaves at once may only write back variables that it read.
    if (all_of(accesses,
               [](const Access &a) { return !a.writes || a.reads; })) {
      ThreadRange own(r, plan, sharedOf);
      own.apply(loops, shape);
      rangeTests += own.size();
    }
    lowerThreadQueriesOf(r, loops);
    if (shownThread)
      storeIndices(loops);
    if (options.updatesThreadRecord)
      updateThreadRecord(b, loops);
    if (threadRecord)
      enterThread(b, memory.addressOf(b, threadRecord, loops.linear));
    restoreStack(r, loops);
    replaceArrays(r, loops);
  }
  loopsOf[number] = loops;
  if (isOfLanes)
    moveBarrier(r, loops);
  moveVariables(accesses, loops);
  b.SetInsertPoint(loops.begin);
  b.CreateBr(r.start);

  // Every exit of the region now ends a thread.
  for (BasicBlock *bb : r.blocks) {
    if (bb == r.decider) {
      moveDecision(r, loops);
      b.SetInsertPoint(bb);
      b.CreateBr(loops.end);
      continue;
    }
    Instruction *term = bb->getTerminator();
    if (isa<ReturnInst>(term)) {
      term->eraseFromParent();
      b.SetInsertPoint(bb);
      b.CreateBr(loops.end);
    } else if (r.next) {
      term->replaceSuccessorWith(r.next, loops.end);
    }
  }
}

void LoopKernelBuilder::connectRegions() {
  IRBuilder<> b(plan.prologue->getContext());
  if (blocks.header) {
    b.SetInsertPoint(blocks.header);
    b.CreateBr(plan.prologue);
  }
  BasicBlock *first = loopsOf[0].preheader;
  if (options.range && !plan.isSingle())
    first = skipBlockWithoutThreads(first);
  plan.prologue->getTerminator()->setSuccessor(0, first);
  for (auto [r, loops] : zip_equal(plan.regions, loopsOf)) {
    auto preheaderOf = [&](BasicBlock *start) {
      return loopsOf[plan.regionIndex.lookup(start)].preheader;
    };
    if (r.decider) {
      Instruction *term = loops.exit->getTerminator();
      for (unsigned i = 0, e = term->getNumSuccessors(); i != e; ++i)
        term->setSuccessor(i, preheaderOf(term->getSuccessor(i)));
      continue;
    }
    b.SetInsertPoint(loops.exit);
    b.CreateBr(r.next ? preheaderOf(r.next) : blocks.latch);
  }
}

/// Whether \p f asks for a thread's index along y or z.
static bool queriesRows(const Function &f) {
  return any_of(instructions(f), [](const Instruction &i) {
    Intrinsic in = intrinsicCalledBy(i);
    return in.kind == IntrinsicKind::ThreadIdx && in.dim != 0;
  });
}

Value *LoopKernelBuilder::limitTeams(IRBuilderBase &b) {
  uint64_t most = MostTeamThreads;
  if (memory.size()) {
    most = std::min(most, memory.leastThreads());
    room =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, room, b.getInt64(most));
  }
  return shape.blocksOf(b, most, *options.teams);
}

/// Whether \p kernel queries indices of threads and blocks only along x.
static bool usesOnlyX(const Function &kernel) {
  return none_of(instructions(kernel), [](const Instruction &i) {
    Intrinsic in = intrinsicCalledBy(i);
    return in.dim != 0 && (in.kind == IntrinsicKind::ThreadIdx ||
                           in.kind == IntrinsicKind::BlockIdx);
  });
}

void LoopKernelBuilder::takeCode(Function &kernel) {
  LLVMContext &c = kernel.getContext();
  isOfTeam =
      options.teams && !options.isOfWarps && plan.isSingle() && !memory.size();
  isOfRow = isOfTeam && usesOnlyX(kernel);
  if (isOfTeam) {
    code = takeBody(kernel, teamParameters(c), options.name + ".team");
    setTeamAttributes(*code.f);
    return;
  }
  Type *ptr = PointerType::getUnqual(c), *i64 = Type::getInt64Ty(c);
  code = takeBody(kernel, {ptr, i64, i64}, options.name);
  code.f->getArg(1)->setName("first");
  code.f->getArg(2)->setName("last");
}

LoopKernel LoopKernelBuilder::build(Function &kernel,
                                    const SharedLayout &layout) {
  takeCode(kernel);

  Instruction *entryEnd = code.entry->getTerminator();
  lowerLaunchQueries(*code.f, code.group(), layout, entryEnd);
  IRBuilder<> b(entryEnd);
  shape = LaunchShape::load(b, code.group());
  if (options.isOfWarps)
    shape.countWarps(b);
  room = shape.threads;
  Value *mostBlocks = options.teams && !isOfTeam ? limitTeams(b) : nullptr;
  if (memory.size())
    memory.locate(b, GroupFields{code.group()}.scratch(b), room);
  for (const Variable &v : live.variables)
    if (v.isUniform) {
      b.SetInsertPoint(v.local);
      sharedOf[v.local] = b.CreateAlloca(v.local->getAllocatedType(), nullptr,
                                         v.local->getName() + ".all");
    }

  if (!options.updatesThreadRecord && !code.f->hasOptNone() &&
      !queriesRows(*code.f)) {
    // One loop over all rows of a block instead of two.
    b.SetInsertPoint(entryEnd);
    shape.blockDim[1] = b.CreateMul(shape.blockDim[1], shape.blockDim[2],
                                    "rows", /*HasNUW=*/true, /*HasNSW=*/true);
    shape.blockDim[2] = b.getInt32(1);
  }

  findAccesses();
  threadRecord = threadRecordOf(*code.f);
  // If the record does not live across regions, the kernel's own code sets it.
  if (none_of(live.arrays, [&](const PrivateArray &array) {
        return array.slot == threadRecord;
      }))
    threadRecord = nullptr;

  blocks = isOfTeam ? BlockLoop::createTeam(*code.f, code.entry)
                    : BlockLoop::create(*code.f, code.entry, shape, mostBlocks);
  shape.blockDim[0] = blocks.width;
  for (Instruction &i : make_early_inc_range(instructions(*code.f)))
    if (Intrinsic in = intrinsicCalledBy(i);
        in.kind == IntrinsicKind::BlockIdx) {
      i.replaceAllUsesWith(blocks.blockIdx[in.dim]);
      i.eraseFromParent();
    }

  // The blocks of a wide team form one row, as long as all of them.
  hasRows =
      !(options.teams && !options.teams->isNarrow) && queriesRows(*code.f);
  describeIndices();
  loopsOf.resize(plan.regions.size());
  for (unsigned i = 0; i != plan.regions.size(); ++i)
    wrapRegion(plan.regions[i], i);
  connectRegions();
  promoteVariables();
  if (options.range)
    options.range->eraseTests();
  markParallel(*code.f, plan, loopsOf);
  LoopKernel result;
  result.entry =
      isOfTeam ? createTeamEntry(*code.f, options.name, isOfRow, *options.teams)
               : code.f;
  result.team = isOfTeam ? code.f : nullptr;
  result.privateSegmentSize = memory.size();
  if (options.isOfWarps)
    result.privateSegmentSize =
        divideCeil(memory.size(), uint64_t(XCC_CPU_WARP_SIZE));
  result.rangeTests = rangeTests;
  return result;
}

void LoopKernelBuilder::moveBarrier(const Region &r, const ThreadLoops &loops) {
  Instruction *barrier = nullptr;
  for (BasicBlock *bb : r.blocks)
    for (Instruction &i : make_early_inc_range(*bb))
      if (intrinsicCalledBy(i).isBarrier()) {
        i.removeFromParent();
        if (barrier)
          i.deleteValue();
        else
          barrier = &i;
      }
  if (barrier)
    barrier->insertInto(loops.exit, loops.exit->end());
}

void LoopKernelBuilder::buildLanes(Function &kernel,
                                   std::pair<Value *, Value *> range) {
  isOfLanes = true;
  lanes = range;
  code.f = &kernel;
  code.entry = &kernel.getEntryBlock();
  LLVMContext &c = kernel.getContext();
  Type *i32 = Type::getInt32Ty(c);
  shape = {};
  for (unsigned d = 0; d != 3; ++d)
    shape.blockDim[d] = ConstantInt::get(i32, d ? 1 : XCC_CPU_WARP_SIZE);
  memory.locateOnStack(kernel);
  for (const Variable &v : live.variables)
    if (v.isUniform)
      sharedOf[v.local] =
          new AllocaInst(v.local->getAllocatedType(),
                         kernel.getDataLayout().getAllocaAddrSpace(),
                         v.local->getName() + ".all", plan.prologue->begin());
  findAccesses();
  blocks.latch = BasicBlock::Create(c, "warp.end", &kernel);
  ReturnInst::Create(c, blocks.latch);
  loopsOf.resize(plan.regions.size());
  for (unsigned i = 0; i != plan.regions.size(); ++i)
    wrapRegion(plan.regions[i], i);
  connectRegions();
  promoteVariables();
  for (auto [r, loops] : zip_equal(plan.regions, loopsOf))
    if (loops.isLoop()) {
      SmallVector<BasicBlock *> blocks = {loops.before, loops.begin, loops.end};
      append_range(blocks, r.blocks);
      shuffleByVectors(loops.preheader, blocks, loops.linear);
    }
  markParallel(kernel, plan, loopsOf, memory.onStack());
}

void buildLaneLoops(Function &kernel, const RegionPlan &plan,
                    const LiveAcross &live, const Uniformity &uniform,
                    std::pair<Value *, Value *> lanes) {
  LoopKernelBuilder(plan, live, uniform, {}, kernel.getDataLayout())
      .buildLanes(kernel, lanes);
}

LoopKernel buildLoopKernel(Function &kernel, const RegionPlan &plan,
                           const LiveAcross &live, const Uniformity &uniform,
                           const SharedLayout &layout,
                           const LoopKernelOptions &options) {
  return LoopKernelBuilder(plan, live, uniform, options, kernel.getDataLayout())
      .build(kernel, layout);
}

} // namespace xcc::block
