// Running a queue's packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packet processor and what takes part in a dispatch; queue.h has the
// states. Any thread may be here for any queue at any time.

#include "../process/trace.h"
#include "faults.h"
#include "futex.h"
#include "queue.h"

#include <algorithm>
#include <cstdlib>

namespace xcc::rt::cpu {

/// A dispatch that should take no longer than this is run by the thread that
/// starts it: sharing it would take longer than running it.
static constexpr uint64_t AloneTicks = 5000; // about 2 us
bool CpuQueue::acquire() {
  uint64_t Word = StateWord.load(std::memory_order_relaxed);
  return (Word & 3) == Idle && StateWord.compare_exchange_strong(
                                   Word, Word | Busy, std::memory_order_acquire,
                                   std::memory_order_relaxed);
}

/// Is there a packet at the head that can be processed?
bool CpuQueue::packetWaits() {
  Doorbell.Value.load(std::memory_order_seq_cst);
  aql::Packet &P = packet(ReadIndex.load(std::memory_order_acquire));
  if (aql::typeOf(aql::loadFirstWord(P, std::memory_order_acquire)) ==
      aql::AQL_INVALID)
    return false;
  // Stale at worst: signals are never freed.
  Signal *Blocker = BlockedOn.load(std::memory_order_acquire);
  return !Blocker || Blocker->reached();
}

bool CpuQueue::hasWork() {
  uint64_t Word = StateWord.load(std::memory_order_seq_cst);
  if ((Word & 3) == Open)
    return true;
  return (Word & 3) == Idle && packetWaits();
}

/// Ends being the processor. True when a packet came in between and the caller
/// is the processor again.
bool CpuQueue::giveUp() {
  StateWord.store(word(Generation, Idle), std::memory_order_seq_cst);
  return packetWaits() && acquire();
}

bool CpuQueue::barrierReady(aql::BarrierPacket &P) {
  for (aql::SignalHandle H : P.DepSignal)
    if (H && !Signal::of(H)->reached()) {
      BlockedOn.store(Signal::of(H), std::memory_order_release);
      return false;
    }
  BlockedOn.store(nullptr, std::memory_order_release);
  for (aql::SignalHandle H : P.DepSignal)
    if (H)
      Signal::of(H)->release();
  return true;
}

/// The processor's loop. On return the queue is idle or a dispatch is open.
void CpuQueue::process(Worker &W, uint64_t Until) {
  while (true) {
    uint64_t Index = ReadIndex.load(std::memory_order_relaxed);
    if (Index >= Until) {
      // More than we came for is somebody else's.
      StateWord.store(word(Generation, Idle), std::memory_order_seq_cst);
      if (packetWaits())
        Workers.ring();
      return;
    }
    aql::Packet &P = packet(Index);
    switch (aql::typeOf(aql::loadFirstWord(P, std::memory_order_acquire))) {
    case aql::AQL_BARRIER_AND:
      if (barrierReady(P.Barrier)) {
        complete(Index);
        continue;
      }
      break;
    case aql::AQL_DISPATCH:
      if (begin(W, Index))
        continue;
      return;
    default:
      break;
    }
    if (!giveUp())
      return;
  }
}

/// Reads a dispatch packet into Current.
void CpuQueue::setUp(uint64_t Index) {
  const aql::DispatchPacket &P = packet(Index).Dispatch;
  const Extra &X = Extras[Index % Size];
  Dispatch &D = Current;
  D.Code = reinterpret_cast<const xcc_cpu_kernel *>(P.KernelObject);
  D.Function = X.Function;
  D.File = X.File;
  D.Line = X.Line;
  D.Flow = X.Flow;
  D.Launcher = X.Launcher;
  D.PrivateSize = P.PrivateSegmentSize;
  D.Blocks = 1;
  D.Group = {};
  D.Group.kernarg = P.KernargAddress;
  for (int I = 0; I != 3; ++I) {
    D.Group.block_dim[I] = P.WorkgroupSize[I];
    D.Group.grid_dim[I] = P.GridSize[I] / P.WorkgroupSize[I];
    D.Blocks *= D.Group.grid_dim[I];
  }
  D.Group.dynamic_offset = X.Function->GroupSize;
  D.Group.dynamic_size = P.GroupSegmentSize - X.Function->GroupSize;
  D.Failed.store(false, std::memory_order_relaxed);
}

/// Runs a dispatch that is expected to be short. Returns how many blocks were
/// run: fewer than all when the expectation proves wrong.
uint64_t CpuQueue::runAlone(Worker &W) {
  if (!W.enter(Current)) {
    note(W);
    return Current.Blocks;
  }
  // A first part tells whether the kernel still is as fast as it was.
  uint64_t Part = Current.Blocks < 16 ? 1 : Current.Blocks / 8;
  uint64_t Start = ticks();
  keepFaultHandlers(Start);
  runRange(W, 0, Part);
  if (Part != Current.Blocks &&
      !Current.Failed.load(std::memory_order_relaxed)) {
    uint64_t Taken = ticks() - Start;
    if (Taken > AloneTicks) {
      learn(Taken, Part);
      return Part;
    }
    runRange(W, Part, Current.Blocks);
  }
  learn(ticks() - Start, Current.Blocks);
  return Current.Blocks;
}

/// Updates the estimate of what a block of the current kernel takes.
void CpuQueue::learn(uint64_t Ticks, uint64_t Blocks) {
  CpuKernel &K = *Current.Function;
  uint64_t Each = Ticks / Blocks + 1;
  uint64_t Old = K.TicksPerBlock.load(std::memory_order_relaxed);
  uint64_t New = std::min<uint64_t>(Old ? (Old * 3 + Each) / 4 : Each, ~0u);
  if (New != Old)
    K.TicksPerBlock.store(static_cast<uint32_t>(New),
                          std::memory_order_relaxed);
}

/// Starts the dispatch at the head. True when it has already ended.
bool CpuQueue::begin(Worker &W, uint64_t Index) {
  setUp(Index);
  uint64_t Each =
      Current.Function->TicksPerBlock.load(std::memory_order_relaxed);
  uint64_t Done = 0;
  if (Current.Blocks == 1 || (Each && Current.Blocks <= AloneTicks &&
                              Current.Blocks * Each <= AloneTicks))
    Done = runAlone(W);
  if (Done == Current.Blocks) {
    complete(Index);
    return true;
  }
  Current.cut(Done);
  uint32_t Others = Current.grains() - 1;
  uint32_t Opened = ++Generation;
  Current.open(Opened);
  // Once open the dispatch may end, and another begin, at any moment.
  StateWord.store(word(Opened, Open), std::memory_order_seq_cst);
  if (Others) {
    Workers.invite(std::min<uint32_t>(Others, Workers.workers()));
    wakeWaiting();
  }
  return false;
}

/// Takes part in the open dispatch. True when it ran something.
bool CpuQueue::join(Worker &W, uint64_t Until) {
  uint64_t Word = StateWord.load(std::memory_order_acquire);
  if ((Word & 3) != Open)
    return false;
  auto Of = static_cast<uint32_t>(Word >> 32);
  GrainRange R = Current.take(W.Share, Of);
  uint32_t Done = 0;
  uint64_t Ran = 0, Start = ticks();
  keepFaultHandlers(Start);
  // From the first success until our report below, Current stays as it is.
  if (!R.empty() && !W.enter(Current))
    note(W);
  for (; !R.empty(); R = Current.take(W.Share, Of)) {
    if (!Current.Failed.load(std::memory_order_relaxed)) {
      runRange(W, Current.firstBlock(R), Current.lastBlock(R));
      Ran += Current.lastBlock(R) - Current.firstBlock(R);
    }
    Done += R.size();
  }
  StateWord.compare_exchange_strong(Word, word(Of, Drained),
                                    std::memory_order_relaxed);
  if (Done == 0)
    return false;
  if (Ran)
    learn(ticks() - Start, Ran);
  if (Current.Remaining.fetch_sub(Done, std::memory_order_acq_rel) == Done) {
    StateWord.store(word(Of, Busy), std::memory_order_relaxed);
    complete(ReadIndex.load(std::memory_order_relaxed));
    process(W, Until);
  }
  return true;
}

bool CpuQueue::help(Worker &W, uint64_t Until) {
  bool Did = false;
  while (true) {
    if (join(W, Until)) {
      Did = true;
    } else {
      if (readIndex() >= Until || !hasWork() || !acquire())
        return Did;
      uint64_t Before = ReadIndex.load(std::memory_order_relaxed);
      uint32_t Opened = Generation;
      process(W, Until);
      // A blocked barrier is not progress.
      if (readIndex() == Before && (StateWord.load() >> 32) == Opened)
        return Did;
      Did = true;
    }
    if (readIndex() >= Until)
      return Did;
  }
}

void CpuQueue::runRange(Worker &W, uint64_t First, uint64_t Last) {
  CpuKernel &K = *Current.Function;
  uint64_t Traced = trace::enabled() ? trace::now() : 0;
  bool Good = W.run(Current, First, Last);
  if (Traced)
    trace::add({K.TraceName ? K.TraceName : "kernel",
                K.Info ? "kernel" : "copy", Traced, trace::now(), Current.Flow,
                First, Last, false});
  if (!Good) [[unlikely]]
    note(W);
}

/// Records a worker's failure; the launch's other blocks are skipped.
void CpuQueue::note(Worker &W) {
  Current.Failed.store(true, std::memory_order_relaxed);
  Errors.add(W.describe(Current), Current.Launcher);
}

/// Retires the packet at the head.
void CpuQueue::complete(uint64_t Index) {
  aql::Packet &P = packet(Index);
  Extra &X = Extras[Index % Size];
  if (aql::typeOf(aql::loadFirstWord(P, std::memory_order_relaxed)) ==
      aql::AQL_DISPATCH) {
    if (X.LargeKernarg) [[unlikely]]
      free(X.LargeKernarg);
    X.LargeKernarg = nullptr;
  }
  // At the same place in both kinds of packet.
  Signal *Done = Signal::of(P.Dispatch.CompletionSignal);
  aql::invalidate(P);
  if (Done) {
    Done->Time = trace::now();
    Done->Value.fetch_sub(1, std::memory_order_seq_cst);
  }
  ReadIndex.store(Index + 1, std::memory_order_seq_cst);
  wakeWaiting();
  if (Done) {
    Done->release();
    // Another queue may have waited for it.
    Workers.invite(1);
  }
}

} // namespace xcc::rt::cpu
