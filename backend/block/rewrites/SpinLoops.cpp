// Finding loops that wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpinLoops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace xcc::block {
namespace {

/// How code accesses variables other than its local ones.
struct SharedAccesses {
  bool quiet = true;     ///< does not write them
  bool reads = false;    ///< an atomic or volatile variable
  bool swaps = false;    ///< exchanges one
  bool compares = false; ///< exchanges one if it is what it should be
  /// The parameters that it writes through, a bit for each: the caller's own
  /// variables, or it is not quiet.
  uint64_t writes = 0;
};

/// The only value that \p variable ever has; null if that is not known.
const Value *onlyValueOf(const AllocaInst &variable) {
  const Value *value = nullptr;
  for (const User *user : variable.users())
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (value || store->getPointerOperand() != &variable)
        return nullptr;
      value = store->getValueOperand();
    } else if (auto *call = dyn_cast<CallBase>(user);
               !isa<LoadInst>(user) &&
               !(call && call->isLifetimeStartOrEnd()) &&
               !isa<DbgInfoIntrinsic>(user)) {
      return nullptr;
    }
  return value;
}

/// What \p address is in, also where Clang's code keeps it in a variable.
const Value *objectOf(const Value *address) {
  for (unsigned depth = 0; address && depth != 4; ++depth) {
    address = getUnderlyingObject(address);
    auto *load = dyn_cast<LoadInst>(address);
    auto *in = load ? dyn_cast<AllocaInst>(
                          getUnderlyingObject(load->getPointerOperand()))
                    : nullptr;
    if (!in || load->getPointerOperand() != in)
      return address;
    const Value *value = onlyValueOf(*in);
    if (!value)
      return address;
    address = value;
  }
  return address;
}
const AllocaInst *variableOf(const Value *address) {
  return dyn_cast<AllocaInst>(objectOf(address));
}
/// The parameter that \p address is in; null if in none.
const Argument *parameterOf(const Value *address) {
  return dyn_cast<Argument>(objectOf(address));
}

bool isPause(const InlineAsm &assembly) {
  StringRef text = StringRef(assembly.getAsmString()).trim();
  return text.empty() || text == "pause" || text == "rep; nop" ||
         text == "rep;nop" || text == "rep nop";
}

/// Where a value of a loop comes from.
enum Origin : unsigned {
  FromNothing = 0,
  FromAtomic = 1,    ///< a variable that other threads may write
  FromIterations = 2 ///< the iteration before
};

/// The origins of a value of a loop.
struct Source {
  unsigned origin = FromNothing;
  SmallSetVector<const AllocaInst *, 4> variables; ///< written by the loop
};
using Sources = DenseMap<const AllocaInst *, Source>;

class SpinLoops {
public:
  explicit SpinLoops(Module &m) : m(m) {}
  void run();

private:
  SharedAccesses of(const Function &f);
  SharedAccesses of(const Instruction &i);
  SharedAccesses ofWrite(const Value &address);
  bool tries(const Function &f);
  bool tries(const Loop &loop);
  void visit(Function &f);
  void addSource(const Value &value, const Loop &loop, const Sources &variables,
                 Source &to);
  SmallVector<const AllocaInst *, 2> writtenBy(const CallBase &call);
  bool triesOne(const Instruction &i, const Loop &loop,
                const Sources &variables);
  bool waits(Loop &loop, SharedAccesses &all);
  void addYields(Loop &loop, bool swaps);

  Module &m;
  DenseMap<const Function *, SharedAccesses> known;
  DenseMap<const Function *, bool> trying;
};

SharedAccesses SpinLoops::of(const Function &f) {
  // Until f is analysed, a recursive call finds it not quiet.
  auto [at, isNew] = known.try_emplace(&f, SharedAccesses{false, false, false});
  if (!isNew)
    return at->second;
  SharedAccesses all;
  for (const Instruction &i : instructions(f)) {
    SharedAccesses one = of(i);
    all.quiet &= one.quiet;
    all.reads |= one.reads;
    all.swaps |= one.swaps;
    all.compares |= one.compares;
    all.writes |= one.writes;
    if (!all.quiet)
      break;
  }
  known[&f] = all;
  return all;
}

/// Whether \p store returns the value that a compare-and-exchange found to the
/// caller of a function of std::atomic.
static bool isFound(const StoreInst &store) {
  auto *found = dyn_cast<ExtractValueInst>(store.getValueOperand());
  auto *to = dyn_cast<LoadInst>(store.getPointerOperand());
  return found && isa<AtomicCmpXchgInst>(found->getAggregateOperand()) && to &&
         variableOf(to->getPointerOperand());
}

SharedAccesses SpinLoops::of(const Instruction &i) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    return {true,
            (load->isAtomic() || load->isVolatile()) &&
                !variableOf(load->getPointerOperand()),
            false};
  if (auto *store = dyn_cast<StoreInst>(&i)) {
    SharedAccesses looks{variableOf(store->getPointerOperand()) ||
                         isFound(*store)};
    if (!looks.quiet && !store->isAtomic() && !store->isVolatile())
      return ofWrite(*store->getPointerOperand());
    return looks;
  }
  if (auto *swap = dyn_cast<AtomicRMWInst>(&i))
    return {swap->getOperation() == AtomicRMWInst::Xchg, true, true};
  if (isa<AtomicCmpXchgInst>(i))
    return {true, true, true, true};
  auto *call = dyn_cast<CallBase>(&i);
  if (!call)
    return {isa<FenceInst>(i) || !i.mayHaveSideEffects(), false, false};
  if (call->isInlineAsm())
    return {isPause(*cast<InlineAsm>(call->getCalledOperand())), false, false};
  const Function *callee = call->getCalledFunction();
  if (!callee)
    return {false, false, false};
  if (auto *copy = dyn_cast<MemIntrinsic>(call))
    return {variableOf(copy->getRawDest()) != nullptr && !copy->isVolatile(),
            false, false};
  if (call->doesNotReturn()) // a failed assertion
    return {};
  if (callee->isIntrinsic()) {
    unsigned id = callee->getIntrinsicID();
    return {id == Intrinsic::x86_sse2_pause || call->isLifetimeStartOrEnd() ||
                !call->mayHaveSideEffects() ||
                isa<DbgInfoIntrinsic, AssumeInst>(call),
            false, false};
  }
  if (callee->isDeclaration()) {
    bool atomic = callee->getName().starts_with("__atomic_load");
    return {atomic || call->onlyReadsMemory(), atomic, false};
  }
  SharedAccesses all = of(*callee);
  const uint64_t writes = std::exchange(all.writes, 0);
  for (const Argument &each : callee->args()) {
    const Value *given = call->getArgOperand(each.getArgNo());
    if (each.getArgNo() < 63 && writes >> each.getArgNo() & 1 &&
        !variableOf(given)) {
      SharedAccesses one = ofWrite(*given);
      all.quiet &= one.quiet;
      all.writes |= one.writes;
    }
  }
  return all;
}

/// A write through a parameter.
SharedAccesses SpinLoops::ofWrite(const Value &address) {
  const Argument *parameter = parameterOf(&address);
  SharedAccesses looks;
  looks.quiet = parameter && parameter->getArgNo() < 63;
  if (looks.quiet)
    looks.writes = uint64_t(1) << parameter->getArgNo();
  return looks;
}

static bool isTry(const Instruction &i) {
  auto *update = dyn_cast<AtomicRMWInst>(&i);
  return isa<AtomicCmpXchgInst>(i) ||
         (update && update->getOperation() == AtomicRMWInst::Xchg);
}

/// Whether \p f may take a lock, directly or in a callee.
bool SpinLoops::tries(const Function &f) {
  auto [at, isNew] = trying.try_emplace(&f, false);
  if (!isNew)
    return at->second;
  bool does = any_of(instructions(f), [&](const Instruction &i) {
    auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return isTry(i) || (callee && !callee->isDeclaration() && tries(*callee));
  });
  return trying[&f] = does;
}

bool SpinLoops::tries(const Loop &loop) {
  return any_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb, [&](const Instruction &i) {
      auto *call = dyn_cast<CallBase>(&i);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      return isTry(i) || (callee && !callee->isDeclaration() && tries(*callee));
    });
  });
}

/// Adds the origins of \p value. Loads of variables that the loop writes are
/// added as these variables.
void SpinLoops::addSource(const Value &value, const Loop &loop,
                          const Sources &variables, Source &to) {
  SmallVector<const Value *, 16> work = {&value};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    if (of(*i).reads) {
      to.origin |= FromAtomic;
      continue;
    }
    if (isa<PHINode>(i) && i->getParent() == loop.getHeader())
      to.origin |= FromIterations;
    if (auto *load = dyn_cast<LoadInst>(i))
      if (const AllocaInst *variable = variableOf(load->getPointerOperand());
          variable && variables.contains(variable)) {
        to.variables.insert(variable);
        continue;
      }
    if (isa<CallBase>(i))
      for (const Value *operand : i->operand_values())
        if (const AllocaInst *variable = variableOf(operand);
            variable && variables.contains(variable))
          to.variables.insert(variable);
    append_range(work, i->operand_values());
  }
}

/// The loop's own variables that \p call may write to, by a parameter.
SmallVector<const AllocaInst *, 2> SpinLoops::writtenBy(const CallBase &call) {
  SmallVector<const AllocaInst *, 2> written;
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration())
    return written;
  const uint64_t writes = of(*callee).writes;
  for (const Argument &each : callee->args())
    if (each.getArgNo() < 63 && writes >> each.getArgNo() & 1)
      if (const AllocaInst *variable =
              variableOf(call.getArgOperand(each.getArgNo())))
        written.push_back(variable);
  return written;
}

/// Adds what the variables come from. One that comes from itself is counted or
/// built up by the loop.
static void addVariables(Source &to, const Sources &variables) {
  for (unsigned at = 0; at != to.variables.size(); ++at) {
    const AllocaInst *variable = to.variables[at];
    const Source &from = variables.find(variable)->second;
    to.origin |= from.origin;
    to.variables.insert_range(from.variables);
    SmallSetVector<const AllocaInst *, 4> back = from.variables;
    for (unsigned next = 0; next != back.size(); ++next)
      back.insert_range(variables.find(back[next])->second.variables);
    if (back.contains(variable))
      to.origin |= FromIterations;
  }
}

/// Whether \p i accesses the same variable in every iteration. A loop that
/// searches a free place among many makes progress, so it does not wait.
bool SpinLoops::triesOne(const Instruction &i, const Loop &loop,
                         const Sources &variables) {
  return all_of(i.operand_values(), [&](const Value *operand) {
    if (!operand->getType()->isPointerTy() || variableOf(operand))
      return true;
    Source source;
    addSource(*operand, loop, variables, source);
    addVariables(source, variables);
    return source.origin == FromNothing;
  });
}

/// Whether each exit of \p loop depends on what other threads have written, and
/// on nothing that the loop counts itself.
bool SpinLoops::waits(Loop &loop, SharedAccesses &all) {
  all = {};
  for (BasicBlock *bb : loop.blocks())
    for (Instruction &i : *bb) {
      SharedAccesses one = of(i);
      if (!one.quiet || one.writes)
        return false;
      all.reads |= one.reads;
      all.swaps |= one.swaps;
      all.compares |= one.compares;
    }
  if (!all.reads)
    return false;

  // The origins of each variable that the loop writes.
  DenseMap<const AllocaInst *, Source> variables;
  for (BasicBlock *bb : loop.blocks())
    for (Instruction &i : *bb)
      if (auto *store = dyn_cast<StoreInst>(&i))
        variables[variableOf(store->getPointerOperand())];
      else if (auto *call = dyn_cast<CallBase>(&i))
        for (const AllocaInst *variable : writtenBy(*call))
          variables[variable].origin |= FromIterations;
  for (BasicBlock *bb : loop.blocks())
    for (Instruction &i : *bb)
      if (auto *store = dyn_cast<StoreInst>(&i))
        addSource(*store->getValueOperand(), loop, variables,
                  variables[variableOf(store->getPointerOperand())]);
  if (all.compares)
    for (BasicBlock *bb : loop.blocks())
      for (Instruction &i : *bb)
        if (of(i).compares && !triesOne(i, loop, variables))
          return false;
  bool leaves = false;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *bb : exiting) {
    Instruction *end = bb->getTerminator();
    bool fails = all_of(successors(end), [&](BasicBlock *to) {
      return loop.contains(to) || isa<UnreachableInst>(to->getTerminator());
    });
    if (fails)
      continue;
    const Value *condition = nullptr;
    if (auto *branch = dyn_cast<BranchInst>(end))
      condition = branch->isConditional() ? branch->getCondition() : nullptr;
    else if (auto *choice = dyn_cast<SwitchInst>(end))
      condition = choice->getCondition();
    if (!condition)
      return false;
    Source source;
    addSource(*condition, loop, variables, source);
    addVariables(source, variables);
    if (source.origin != FromAtomic)
      return false;
    leaves = true;
  }
  return leaves;
}

/// Adds the call to each iteration. Its argument counts the iterations: 0 says
/// that the thread has made progress.
void SpinLoops::addYields(Loop &loop, bool swaps) {
  BasicBlock *header = loop.getHeader();
  Function &f = *header->getParent();
  IRBuilder<> b(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *tries = b.CreateAlloca(b.getInt32Ty(), nullptr, "tries");
  for (BasicBlock *before : predecessors(header))
    if (!loop.contains(before)) {
      b.SetInsertPoint(before->getTerminator());
      b.CreateStore(b.getInt32(0), tries);
    }
  FunctionCallee pass = m.getOrInsertFunction(
      swaps ? "__xcc_poll" : "__xcc_yield", b.getVoidTy(), b.getInt32Ty());
  cast<Function>(pass.getCallee())->setDoesNotThrow();
  SmallVector<BasicBlock *, 2> latches;
  loop.getLoopLatches(latches);
  for (BasicBlock *latch : latches) {
    Instruction *end = latch->getTerminator();
    b.SetInsertPoint(end);
    b.SetCurrentDebugLocation(end->getDebugLoc());
    Value *attempt = b.CreateLoad(b.getInt32Ty(), tries);
    b.CreateCall(pass, {attempt})->setDoesNotThrow();
    b.CreateStore(
        b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, attempt, b.getInt32(1)),
        tries);
  }
}

void SpinLoops::visit(Function &f) {
  DominatorTree dt(f);
  LoopInfo loops(dt);
  SmallVector<std::pair<Loop *, bool>, 2> found;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    SharedAccesses all;
    if (!waits(*loop, all))
      continue;
    // A lock's owner releases it before another thread of the block runs. So a
    // wait for the lock needs no fiber, and neither does a test of the lock in
    // between.
    bool locks = all.swaps;
    for (const Loop *outer = loop->getParentLoop(); outer && !locks;
         outer = outer->getParentLoop())
      locks = tries(*outer);
    found.emplace_back(loop, locks);
  }
  for (auto [loop, swaps] : found)
    addYields(*loop, swaps);
}

void SpinLoops::run() {
  SmallVector<Function *, 32> functions;
  for (Function &f : m)
    if (!f.isDeclaration() && any_of(f, [](BasicBlock &bb) {
          return !isa<ReturnInst, UnreachableInst>(bb.getTerminator());
        }))
      functions.push_back(&f);
  for (Function *f : functions)
    visit(*f);
}

} // namespace

void addYieldsToSpinLoops(Module &m) { SpinLoops(m).run(); }

} // namespace xcc::block
