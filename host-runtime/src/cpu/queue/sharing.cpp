// Sharing the blocks of a dispatch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches one thread runs alone, and how many blocks a thread takes at a
// time from the others.

#include "cpu/faults/faults.h"
#include "process/futex.h"
#include "process/trace.h"
#include "processor.h"

#include <algorithm>

namespace xcc::rt::cpu {

/// How long the blocks that a thread takes at a time should run: long compared
/// with the cost of taking them, short compared with the time for which other
/// threads then wait.
static constexpr uint64_t TakeTicks = 20'000; // about 8 us
/// The most grains to take at a time, if they are not known to be shorter than
/// TakeTicks: later ones may take longer.
static constexpr uint32_t MostGrains = 64;
/// Taking grains costs about as much as this much work is worth: less is not
/// taken alone.
static constexpr uint64_t LeastTicks = 1000; // about 0.4 us
/// The most ticks that several grains are expected to take which a thread runs
/// without a look at the time that the first one took.
static constexpr uint64_t SureTicks = 2 * LeastTicks;
/// TakeTicks if all blocks take equally long. A thread then takes many blocks at
/// a time; the wait for a late core is not much longer.
static constexpr uint64_t AlikeTicks = 40'000'000; // about 16 ms

/// Runs a dispatch that is expected to be short. Returns how many blocks it
/// ran: fewer than all if the dispatch takes longer than expected. \p each: the
/// expected ticks of a block, 0 if unknown.
uint64_t PacketProcessor::runAlone(Worker &w, uint64_t each) {
  if (!w.enter(current)) {
    note(w);
    return current.blocks;
  }
  // Run a few blocks first: the kernel may have become slower.
  const uint64_t most = aloneTicks();
  uint64_t start = ticks(), done = 0;
  keepFaultHandlers(start);
  for (uint64_t part = LeastTicks / 4 / std::max<uint64_t>(each, 1) + 1;
       done != current.blocks; part *= 8) {
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
  updateEstimate(ticks() - start, done);
  return done;
}

/// Updates the estimate of the time that a block of the current kernel takes.
void PacketProcessor::updateEstimate(uint64_t ticks, uint64_t blocks) {
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

/// Decides how many grains threads take at a time. \p each: the expected ticks
/// of a block, 0 if unknown.
void PacketProcessor::chooseGrains(uint64_t each) {
  Dispatch &d = current;
  d.ticksPerGrain = each * d.blocksPerGrain;
  d.alike = (d.code->flags & XCC_CPU_KERNEL_STRIDES) && each;
  uint64_t first = 1, least = 0;
  if (d.alike && workers.single()) {
    least = Dispatch::MaxGrains; // no other thread could take part
  } else if (each) {
    least = (d.alike ? AlikeTicks : LeastTicks) / d.ticksPerGrain;
    first = TakeTicks / 2 / d.ticksPerGrain;
  }
  auto limited = [](uint64_t grains) {
    return uint32_t(std::clamp<uint64_t>(grains, 1, Dispatch::MaxGrains));
  };
  d.leastGrains.store(limited(least), std::memory_order_relaxed);
  d.firstGrains.store(limited(first), std::memory_order_relaxed);
}

/// Runs the current dispatch if it is expected to be short; else opens it for
/// all threads. \p each: the expected ticks of a block, 0 if unknown. Returns
/// true if the dispatch has ended.
bool PacketProcessor::start(Worker &w, uint64_t each) {
  uint64_t done = 0;
  if (const uint64_t most = aloneTicks();
      current.blocks == 1 ||
      (each && current.blocks <= most && current.blocks * each <= most))
    done = runAlone(w, each);
  if (done == current.blocks)
    return true;
  current.cut(done);
  // What ran may have shown that the estimate was wrong.
  chooseGrains(
      done ? current.function->ticksPerBlock.load(std::memory_order_relaxed)
           : each);
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

/// How many grains to take next, after up to \p most grains took \p ticks.
static uint32_t nextStep(uint32_t most, uint64_t ticks) {
  if (ticks > TakeTicks)
    return std::max<uint32_t>(1, most / 4);
  return ticks < TakeTicks / 2 ? std::max(std::min(most * 2, MostGrains), most)
                               : most;
}

/// May \p grains grains run without a look at the time that the first took?
bool PacketProcessor::runAtOnce(uint32_t grains) const {
  const uint64_t each = current.ticksPerGrain;
  return grains == 1 || current.alike || (each && each * grains <= SureTicks);
}

/// Takes part in the open dispatch. Returns true if it ran something.
bool PacketProcessor::join(Worker &w, uint64_t until) {
  uint64_t state = stateWord.load(std::memory_order_acquire);
  if ((state & 3) != Open)
    return false;
  auto of = static_cast<uint32_t>(state >> 32);
  uint32_t done = 0;
  uint32_t most = current.firstGrains.load(std::memory_order_relaxed);
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
    if (!runAtOnce(r.size())) {
      // Run one grain first: it may take longer than the earlier ones.
      GrainRange rest = {r.first + 1, r.last};
      r.last = rest.first;
      runPart(r);
      if (ticks() - before <= TakeTicks ||
          !current.recycle(w.share, of, rest)) {
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
    updateEstimate(before - start, ran);
  if (current.remaining.fetch_sub(done, std::memory_order_acq_rel) == done) {
    stateWord.store(word(of, Busy), std::memory_order_relaxed);
    endDispatch();
    process(w, until);
  }
  return true;
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

} // namespace xcc::rt::cpu
