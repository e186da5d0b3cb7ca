// Recorded sequences in a queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sequence.h"
#include "cpu/device.h"
#include "cpu/faults/faults.h"
#include "cpu/workers/sanitizer.h"
#include "process/futex.h"
#include "process/profile.h"
#include "process/trace.h"
#include "processor.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt::cpu {

void SequenceStep::set(CpuKernel &of, size_t blockCount, size_t kernargSize) {
  function = &of;
  blocks = blockCount;
  privateSize = of.privateSize;
  group = {};
  group.image = of.image;
  group.dynamic_offset = of.sharedSize;
  for (int i = 0; i != 3; ++i)
    group.grid_dim[i] = group.block_dim[i] = 1;
  group.grid_dim[0] = static_cast<uint32_t>(blockCount);
  file = nullptr;
  line = 0;
  joins = !(of.object->flags & XCC_CPU_KERNEL_FIBERS) && !privateSize &&
          !sanitizer::address() && !sanitizer::thread();
  kernarg.resize(kernargSize);
  ticksPerBlock.store(0, std::memory_order_relaxed);
}

bool SequenceStep::set(const Step &s) {
  if (s.kind != Step::Kind::Launch)
    return setTransfer(s);
  auto &k = static_cast<CpuKernel &>(const_cast<Kernel &>(*s.function));
  set(k, uint64_t(s.grid[0]) * s.grid[1] * s.grid[2], s.bytes.size());
  for (int i = 0; i != 3; ++i) {
    group.grid_dim[i] = s.grid[i];
    group.block_dim[i] = s.block[i];
  }
  group.dynamic_size = s.sharedBytes;
  file = s.file;
  line = s.line;
  std::copy(s.bytes.begin(), s.bytes.end(), kernarg.begin());
  return true;
}

CpuSequence::CpuSequence(const Sequence &s) : steps(s.steps.size()) {
  change(s, 0, s.steps.size());
}

void CpuSequence::change(const Sequence &s, size_t first, size_t count) {
  for (size_t i = first; i != first + count; ++i) {
    whole &= steps[i].set(s.steps[i]);
    mostKernarg = std::max(mostKernarg, steps[i].kernarg.size());
  }
}

//===----------------------------------------------------------------------===//
// Processing
//===----------------------------------------------------------------------===//

/// Makes \p s the current dispatch.
void PacketProcessor::setUp(uint64_t index, SequenceStep &s) {
  const aql::DispatchPacket &p = ring.packet(index).dispatch;
  Dispatch &d = current;
  d.function = s.function;
  d.stepTicks = &s.ticksPerBlock;
  d.file = s.file;
  d.line = s.line;
  d.flow = 0;
  d.launcher = ring.extra(index).launcher;
  d.begun = &ring.begun;
  d.done = &ring.done;
  d.privateSize = s.privateSize;
  d.blocks = s.blocks;
  d.group = s.group;
  d.group.kernarg = p.kernargAddress;
  memcpy(p.kernargAddress, s.kernarg.data(), s.kernarg.size());
  d.code = s.function->formFor(d.group);
  d.failed.store(false, std::memory_order_relaxed);
}

/// Ends a step, so that the next one happens after all of it.
void PacketProcessor::endStep() {
  if (thrown.error) [[unlikely]]
    reportException();
  sanitizer::acquire(&ring.done);
  sanitizer::release(&ring.begun);
  ++step;
}

/// The next steps of a sequence, as long as each is known to be short.
class PacketProcessor::Short final : public Worker::Series {
public:
  Short(PacketProcessor &q, uint64_t index, CpuSequence &all)
      : q(q), index(index), all(all), first(q.step) {
    // The limit keeps the wait short for threads that wait for the queue.
    constexpr uint64_t most = 16 * AloneTicks;
    for (; end != all.steps.size() && expected < most; ++end) {
      const SequenceStep &s = all.steps[end];
      const uint64_t ticks = s.expected();
      if (!s.joins || !ticks || ticks > AloneTicks)
        break;
      expected += ticks;
    }
  }
  bool empty() const { return end == first; }
  const Dispatch *next() override {
    if (begun)
      q.endStep();
    begun = q.step != end;
    if (!begun)
      return nullptr;
    q.setUp(index, all.steps[q.step]);
    return &q.current;
  }
  /// Records that the steps took \p ticks. If that is much longer than
  /// expected, forgets the estimates, so that each step is measured again.
  void took(uint64_t ticks) {
    if (ticks > 4 * expected + AloneTicks)
      for (size_t i = first; i != q.step; ++i)
        all.steps[i].ticksPerBlock.store(0, std::memory_order_relaxed);
  }

private:
  PacketProcessor &q;
  const uint64_t index;
  CpuSequence &all;
  const size_t first;
  size_t end = first;
  uint64_t expected = 0;
  bool begun = false;
};

/// Runs steps that should be short, one after the other. Returns false if there
/// were none.
bool PacketProcessor::runShort(Worker &w, uint64_t index) {
  Short steps(
      *this, index,
      static_cast<CpuSequence &>(*ring.extra(index).sequence->prepared));
  if (steps.empty())
    return false;
  const uint64_t before = ticks();
  keepFaultHandlers(before);
  if (!w.run(steps)) [[unlikely]] {
    note(w);
    endStep();
  }
  steps.took(ticks() - before);
  return true;
}

/// Runs a sequence from its current step. Returns true when all steps have
/// ended, false when a step was opened for all threads.
bool PacketProcessor::runSequence(Worker &w, uint64_t index) {
  auto &all = static_cast<CpuSequence &>(*ring.extra(index).sequence->prepared);
  while (step != all.steps.size()) {
    if (runShort(w, index))
      continue;
    SequenceStep &s = all.steps[step];
    setUp(index, s);
    const uint64_t known = s.ticksPerBlock.load(std::memory_order_relaxed);
    if (!start(w, known ? known
                        : s.function->ticksPerBlock.load(
                              std::memory_order_relaxed)))
      return false;
    endStep();
  }
  step = 0;
  complete(index);
  return true;
}

} // namespace xcc::rt::cpu
