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

bool PacketProcessor::helpFor(Worker &w, uint64_t packets) {
  // The thread that launched often waits next. It starts a kernel faster,
  // because the packet is in its core's cache.
  if ((stateWord.load(std::memory_order_relaxed) & 3) == Idle)
    for (int i = 0; i != 2; ++i)
      relax();
  return help(w, readIndex() + packets);
}

bool PacketProcessor::help(Worker &w, uint64_t until) {
  RunToken token(workers, w);
  return token.held() && helpInOrder(w, until);
}

bool PacketProcessor::helpInOrder(Worker &w, uint64_t until) {
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
void PacketProcessor::reportException() {
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
    reportException();
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
