// Running a queue's packets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packet processor and the threads that take part in a dispatch;
// processor.h explains the states. Any thread may run this code for any queue
// at any time.

#include "processor.h"
#include "cpu/faults/faults.h"
#include "cpu/workers/sanitizer.h"
#include "process/futex.h"
#include "process/trace.h"

#include <algorithm>
#include <cstdlib>

namespace xcc::rt::cpu {

/// How long the blocks that a thread takes at a time should run: long compared
/// with the cost of taking them, short compared with the time for which other
/// threads then wait.
static constexpr uint64_t TakeTicks = 20'000; // about 8 us
/// The most grains to take at a time: later ones may take longer.
static constexpr uint32_t MostGrains = 64;
/// The same if all blocks take equally long. A thread then takes many blocks at
/// a time; the wait for a late core is not much longer.
static constexpr uint64_t AlikeTicks = 40'000'000; // about 16 ms

bool PacketProcessor::acquire() {
  uint64_t word = stateWord.load(std::memory_order_relaxed);
  return (word & 3) == Idle && stateWord.compare_exchange_strong(
                                   word, word | Busy, std::memory_order_acquire,
                                   std::memory_order_relaxed);
}

/// Is there a packet at the head that can be processed?
bool PacketProcessor::packetWaits() {
  ring.doorbell.value.load(std::memory_order_seq_cst);
  aql::Packet &p = ring.packet(ring.readIndex.load(std::memory_order_acquire));
  if (aql::typeOf(aql::loadFirstWord(p, std::memory_order_acquire)) ==
      aql::AQL_INVALID)
    return false;
  // The pointer may be stale, but signals are never freed.
  Signal *blocker = blockedOn.load(std::memory_order_acquire);
  return !blocker || blocker->reached();
}

bool PacketProcessor::hasWork() {
  uint64_t word = stateWord.load(std::memory_order_seq_cst);
  if ((word & 3) == Open)
    return true;
  return (word & 3) == Idle && packetWaits();
}

/// Stops being the processor. Returns true if a packet came meanwhile and the
/// caller is the processor again.
bool PacketProcessor::giveUp() {
  stateWord.store(word(generation, Idle), std::memory_order_seq_cst);
  return packetWaits() && acquire();
}

bool PacketProcessor::barrierReady(aql::BarrierPacket &p) {
  for (aql::SignalHandle h : p.depSignal)
    if (h && !Signal::of(h)->reached()) {
      blockedOn.store(Signal::of(h), std::memory_order_release);
      return false;
    }
  blockedOn.store(nullptr, std::memory_order_release);
  for (aql::SignalHandle h : p.depSignal)
    if (h) {
      sanitizer::acquire(Signal::of(h));
      Signal::of(h)->release();
    }
  return true;
}

/// The processor's loop. On return the queue is idle or a dispatch is open.
void PacketProcessor::process(Worker &w, uint64_t until) {
  while (true) {
    uint64_t index = ring.readIndex.load(std::memory_order_relaxed);
    if (index >= until) {
      // Other threads run the later packets.
      stateWord.store(word(generation, Idle), std::memory_order_seq_cst);
      if (packetWaits())
        workers.ring();
      return;
    }
    aql::Packet &p = ring.packet(index);
    switch (aql::typeOf(aql::loadFirstWord(p, std::memory_order_acquire))) {
    case aql::AQL_BARRIER_AND:
      if (barrierReady(p.barrier)) {
        complete(index);
        continue;
      }
      break;
    case aql::AQL_DISPATCH:
      if (begin(w, index))
        continue;
      return;
    case aql::AQL_VENDOR:
      if (runSequence(w, index))
        continue;
      return;
    default:
      break;
    }
    if (!giveUp())
      return;
  }
}

/// Reads a dispatch packet into \c current.
void PacketProcessor::setUp(uint64_t index) {
  const aql::DispatchPacket &p = ring.packet(index).dispatch;
  const PacketRing::Extra &x = ring.extra(index);
  Dispatch &d = current;
  d.function = x.function;
  d.stepTicks = nullptr;
  d.file = x.file;
  d.line = x.line;
  d.flow = x.flow;
  d.launcher = x.launcher;
  d.begun = &ring.begun;
  d.done = &ring.done;
  d.privateSize = p.privateSegmentSize;
  d.blocks = 1;
  d.group = {};
  d.group.kernarg = p.kernargAddress;
  for (int i = 0; i != 3; ++i) {
    d.group.block_dim[i] = p.workgroupSize[i];
    d.group.grid_dim[i] = p.gridSize[i] / p.workgroupSize[i];
    d.blocks *= d.group.grid_dim[i];
  }
  d.code = x.function->formFor(d.group);
  d.group.image = x.function->image;
  d.group.dynamic_offset = x.function->sharedSize;
  d.group.dynamic_size = p.groupSegmentSize - x.function->sharedSize;
  d.failed.store(false, std::memory_order_relaxed);
  if (x.work) [[unlikely]]
    profile::began(x.work);
}

/// Runs a dispatch that is expected to be short. Returns how many blocks it
/// ran: fewer than all if the dispatch takes longer than expected.
uint64_t PacketProcessor::runAlone(Worker &w) {
  if (!w.enter(current)) {
    note(w);
    return current.blocks;
  }
  // Run a few blocks first: the kernel may have become slower.
  const uint64_t most = aloneTicks();
  uint64_t start = ticks(), done = 0;
  keepFaultHandlers(start);
  for (uint64_t part = 1; done != current.blocks; part *= 4) {
    part = std::min(part, current.blocks - done);
    runRange(w, done, done + part);
    done += part;
    if (current.failed.load(std::memory_order_relaxed)) {
      done = current.blocks;
      break;
    }
    if (done != current.blocks && ticks() - start > most)
      break;
  }
  learn(ticks() - start, done);
  return done;
}

/// Updates the estimate of the time that a block of the current kernel takes.
void PacketProcessor::learn(uint64_t ticks, uint64_t blocks) {
  uint64_t each = ticks / blocks + 1;
  auto update = [each](std::atomic<uint32_t> &estimate) {
    uint64_t old = estimate.load(std::memory_order_relaxed);
    uint64_t fresh = std::min<uint64_t>(old ? (old * 3 + each) / 4 : each, ~0u);
    if (fresh != old)
      estimate.store(static_cast<uint32_t>(fresh), std::memory_order_relaxed);
  };
  update(current.function->ticksPerBlock);
  if (current.stepTicks)
    update(*current.stepTicks);
}

/// Starts the dispatch at the head. True when it has already ended.
bool PacketProcessor::begin(Worker &w, uint64_t index) {
  setUp(index);
  if (ring.extra(index).cooperative) [[unlikely]] {
    runTogether(w);
    complete(index);
    return true;
  }
  if (!start(w,
             current.function->ticksPerBlock.load(std::memory_order_relaxed)))
    return false;
  complete(index);
  return true;
}

/// How many grains a thread takes at a time if all blocks are alike.
uint32_t PacketProcessor::leastGrains(uint64_t each) const {
  if (!(current.code->flags & XCC_CPU_KERNEL_STRIDES) || !each)
    return 0;
  // No other thread could take part.
  if (workers.single())
    return Dispatch::MaxGrains;
  return uint32_t(std::clamp<uint64_t>(
      AlikeTicks / (each * current.blocksPerGrain), 1, Dispatch::MaxGrains));
}

/// Runs the current dispatch if it is expected to be short; else opens it for
/// all threads. \p each: the expected ticks of a block, 0 if unknown. Returns
/// true if the dispatch has ended.
bool PacketProcessor::start(Worker &w, uint64_t each) {
  uint64_t done = 0;
  if (const uint64_t most = aloneTicks();
      current.blocks == 1 ||
      (each && current.blocks <= most && current.blocks * each <= most))
    done = runAlone(w);
  if (done == current.blocks)
    return true;
  current.cut(done);
  current.leastGrains.store(leastGrains(each), std::memory_order_relaxed);
  uint32_t others = current.grains() - 1;
  uint32_t opened = ++generation;
  current.open(opened);
  // Once it is open, the dispatch may end and another begin at any moment.
  stateWord.store(word(opened, Open), std::memory_order_seq_cst);
  if (others && !workers.single()) {
    workers.invite(std::min<uint32_t>(others, workers.workers()));
    wakeWaiting();
  }
  return false;
}

/// Called after grains became available: another thread may have found none.
void PacketProcessor::reopen(uint32_t opened) {
  uint64_t drained = word(opened, Drained);
  if (stateWord.compare_exchange_strong(drained, word(opened, Open),
                                        std::memory_order_seq_cst))
    workers.invite(1);
}

/// Takes grains of the dispatch of generation \p opened; empty if there are
/// none.
GrainRange PacketProcessor::takeGrains(unsigned share, uint32_t opened,
                                       uint32_t &most) {
  bool refilled = false;
  GrainRange r = current.take(share, opened, most, refilled);
  if (r.empty()) {
    // Another thread may be moving grains from one share to another. That
    // thread stores them and then reads the state; this one sets the state and
    // then reads the shares. So one of the two sees the other.
    uint64_t open = word(opened, Open);
    if (!stateWord.compare_exchange_strong(open, word(opened, Drained),
                                           std::memory_order_seq_cst))
      return r;
    r = current.take(share, opened, most, refilled);
    refilled = !r.empty();
  }
  if (refilled)
    reopen(opened);
  return r;
}

/// How many grains to take next, after \p most grains took \p ticks.
static uint32_t nextStep(uint32_t most, uint64_t ticks) {
  if (ticks > TakeTicks)
    return std::max<uint32_t>(1, most / 4);
  return ticks < TakeTicks / 2 ? std::min(most * 2, MostGrains) : most;
}

/// Takes part in the open dispatch. Returns true if it ran something.
bool PacketProcessor::join(Worker &w, uint64_t until) {
  uint64_t state = stateWord.load(std::memory_order_acquire);
  if ((state & 3) != Open)
    return false;
  auto of = static_cast<uint32_t>(state >> 32);
  uint32_t done = 0, most = 1;
  GrainRange r = takeGrains(w.share, of, most);
  uint64_t ran = 0, start = ticks(), before = start;
  keepFaultHandlers(start);
  // Once grains are taken, current stays the same until they are reported done.
  if (!r.empty() && !w.enter(current))
    note(w);
  for (; !r.empty(); r = takeGrains(w.share, of, most)) {
    auto runPart = [&](const GrainRange &part) {
      if (current.failed.load(std::memory_order_relaxed))
        return;
      runRange(w, current.firstBlock(part), current.lastBlock(part));
      ran += current.lastBlock(part) - current.firstBlock(part);
    };
    if (r.size() > 1 && !current.leastGrains.load(std::memory_order_relaxed)) {
      // Run one grain first: it may take longer than the earlier ones.
      GrainRange rest = {r.first + 1, r.last};
      r.last = rest.first;
      runPart(r);
      if (ticks() - before <= TakeTicks ||
          !current.giveBack(w.share, of, rest)) {
        runPart(rest);
        r.last = rest.last;
      }
    } else {
      runPart(r);
    }
    done += r.size();
    uint64_t now = ticks();
    most = nextStep(most, now - before);
    before = now;
  }
  if (done == 0)
    return false;
  if (ran)
    learn(before - start, ran);
  if (current.remaining.fetch_sub(done, std::memory_order_acq_rel) == done) {
    stateWord.store(word(of, Busy), std::memory_order_relaxed);
    endDispatch();
    process(w, until);
  }
  return true;
}

bool PacketProcessor::help(Worker &w, uint64_t until) {
  Turn turn(workers, w);
  return turn.ours() && helpInTurn(w, until);
}

bool PacketProcessor::helpInTurn(Worker &w, uint64_t until) {
  sanitizer::Ignored here;
  bool did = false;
  while (true) {
    if (join(w, until)) {
      did = true;
    } else {
      if (readIndex() >= until || !hasWork() || !acquire())
        return did;
      uint64_t before = ring.readIndex.load(std::memory_order_relaxed);
      uint32_t opened = generation;
      process(w, until);
      // A blocked barrier is no progress.
      if (readIndex() == before && (stateWord.load() >> 32) == opened)
        return did;
      did = true;
    }
    if (readIndex() >= until)
      return did;
  }
}

void PacketProcessor::runRange(Worker &w, uint64_t first, uint64_t last) {
  CpuKernel &k = *current.function;
  uint64_t traced = trace::enabled() ? trace::now() : 0;
  bool good = w.run(current, first, last);
  if (traced)
    trace::add({k.traceName, k.info ? "kernel" : "copy", traced, trace::now(),
                current.flow, first, last, false});
  // Blocks that were interrupted because another block failed are no failures.
  if (!good && !(w.wasInterrupted() && current.failed)) [[unlikely]]
    note(w);
}

/// Records a worker's failure; blocks that have not begun are skipped.
void PacketProcessor::note(Worker &w) {
  current.failed.store(true, std::memory_order_relaxed);
  failures.fetch_add(1, std::memory_order_relaxed);
  if (w.hasFaulted() && current.function->usesHeap)
    heapFailures.fetch_add(1, std::memory_order_relaxed);
  std::shared_ptr<ThrownException> exception;
  xcc_error *error = w.describe(current, exception);
  if (!exception) {
    errors.add(error, current.launcher);
    return;
  }
  std::lock_guard lock(thrownMutex);
  if (!thrown.error) {
    thrown = {error, std::move(exception)};
  } else if (exception->isLowerThan(*thrown.exception)) {
    exception->countOthers(thrown.exception->get().others + 1);
    xcc_error_release(thrown.error);
    thrown = {error, std::move(exception)};
  } else {
    thrown.exception->countOthers(1);
    xcc_error_release(error);
  }
}

/// Reports the exception of the dispatch that has ended: that of the lowest
/// thread that threw.
void PacketProcessor::tellThrown() {
  errors.add(thrown.error, current.launcher);
  thrown = {};
}

/// Ends the opened dispatch.
void PacketProcessor::endDispatch() {
  const uint64_t index = ring.readIndex.load(std::memory_order_relaxed);
  if (ring.extra(index).sequence)
    endStep();
  else
    complete(index);
}

/// Retires the packet at the head.
void PacketProcessor::complete(uint64_t index) {
  if (thrown.error) [[unlikely]]
    tellThrown();
  aql::Packet &p = ring.packet(index);
  PacketRing::Extra &x = ring.extra(index);
  // For ThreadSanitizer: later packets happen after this one.
  sanitizer::acquire(&ring.done);
  sanitizer::release(&ring.begun);
  const auto type =
      aql::typeOf(aql::loadFirstWord(p, std::memory_order_relaxed));
  if (type == aql::AQL_DISPATCH || type == aql::AQL_VENDOR) {
    if (x.largeKernarg) [[unlikely]]
      free(x.largeKernarg);
    x.largeKernarg = nullptr;
    if (x.work) [[unlikely]] {
      profile::ended(x.work, x.work->begin, trace::now());
      x.work = nullptr;
    }
    if (x.sequence) [[unlikely]]
      std::exchange(x.sequence, nullptr)->release();
  }
  // This field is at the same place in both kinds of packets.
  Signal *done = Signal::of(p.dispatch.completionSignal);
  if (done)
    sanitizer::release(done);
  aql::invalidate(p);
  if (done) {
    done->time = trace::now();
    done->value.fetch_sub(1, std::memory_order_seq_cst);
  }
  ring.readIndex.store(index + 1, std::memory_order_seq_cst);
  wakeWaiting();
  if (done) {
    done->release();
    // Another queue may have waited for the signal.
    workers.invite(1);
  }
}

} // namespace xcc::rt::cpu
