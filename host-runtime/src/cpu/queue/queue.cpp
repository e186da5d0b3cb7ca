// An AQL queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "cpu/device.h"
#include "cpu/workers/sanitizer.h"
#include "process/trace.h"
#include "sequence.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace xcc::rt::cpu {

CpuQueue *CpuQueue::make(Pool &p, int priority) {
  auto *q = new (std::nothrow) CpuQueue(p);
  if (!q)
    return nullptr;
  if (!q->processor.allocate()) {
    delete q;
    return nullptr;
  }
  static std::atomic<uint64_t> nextId{0};
  q->header = {0,
               1,
               q->ring().packets,
               q->ring().doorbell.handle(),
               PacketRing::Size,
               0,
               nextId++};
  q->priority = q->processor.priority = priority;
  p.add(q->processor);
  return q;
}

/// Takes the next slot; waits while the queue is full.
uint64_t CpuQueue::reserve() {
  uint64_t index = ring().writeIndex.fetch_add(1, std::memory_order_relaxed);
  if (index - ring().readIndex.load(std::memory_order_acquire) >=
      PacketRing::Size) [[unlikely]]
    processor.waitFor(index - PacketRing::Size + 1);
  // Mark the next slot as invalid, so that the processor stops there. The next
  // producer may have done so already, or have written its packet.
  if (index + 1 < PacketRing::Size) {
    uint32_t fresh = 0;
    std::atomic_ref(ring().packet(index + 1).firstWord)
        .compare_exchange_strong(fresh, aql::AQL_INVALID,
                                 std::memory_order_relaxed);
  }
  return index;
}

void CpuQueue::discard() {
  ring().release();
  delete this;
}

/// Call this when nothing is in flight.
void CpuQueue::leaveErrors(PendingErrors &to) {
  processor.errors.moveTo(to);
  // Give back the pages that a stream with much work touched.
  constexpr uint64_t many = 64;
  const uint64_t used = ring().writeIndex.load(std::memory_order_relaxed);
  if (used - std::exchange(trimmedAt, used) >= many)
    ring().trim();
}

void CpuQueue::hand(uint64_t index, aql::PacketType type, uint16_t setup) {
  if (sanitizer::thread()) [[unlikely]]
    if (Worker *w = Worker::current())
      w->root.make();
  sanitizer::release(&ring().begun);
  aql::publish(ring().packet(index), type, setup);
  // An exchange, not a store: a thread that reads a later producer's value also
  // sees our packet.
  ring().doorbell.value.exchange(int64_t(index), std::memory_order_seq_cst);
  workers.ring();
  if (workers.stopped()) [[unlikely]]
    processor.waitFor(index + 1);
}

xcc_status CpuQueue::failToStart() {
  return fail(XCC_ERROR_SYSTEM,
              "cannot start a worker thread for the CPU device; raise the "
              "limit on threads (ulimit -u)");
}

profile::Work *CpuQueue::profiled(const LaunchRequest &r) {
  profile::Launch l = r.profiled();
  l.callsHost = true; // images for the CPU device do not record which do
  return profile::launched(ordinal(), l, 0);
}

xcc_status CpuQueue::launch(const LaunchRequest &r) {
  if (!workers.start()) [[unlikely]]
    return failToStart();
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  auto *k = static_cast<CpuKernel *>(const_cast<Kernel *>(r.function));
  void *large = nullptr;
  if (k->kernargSize > PacketRing::KernargBytes) [[unlikely]] {
    // The alignment of an argument is at most its size.
    size_t align = std::min<size_t>(std::bit_floor(k->kernargSize), 4096);
    large = aligned_alloc(align, (k->kernargSize + align - 1) & -align);
    if (!large)
      return fail(XCC_ERROR_OUT_OF_MEMORY,
                  {k->info->name, r.file, r.line, ordinal()},
                  "out of memory for the %u bytes of arguments of '%s'",
                  k->kernargSize, k->info->name);
  }
  sanitizer::Ignored here;
  uint64_t index = reserve();
  void *kernarg = large ? large : ring().kernargOf(index);
  if (k->kernargSize)
    memcpy(kernarg, r.kernarg, k->kernargSize);
  uint64_t flow = begin ? trace::newFlow() : 0;
  profile::Work *work = profile::enabled() ? profiled(r) : nullptr;
  ring().extra(index) = {k,     r.file,        r.line,
                         large, flow,          threadNumber(),
                         work,  r.cooperative, nullptr};
  aql::fillDispatch(ring().packet(index).dispatch, r.grid, r.block,
                    k->privateSize, k->sharedSize + r.sharedBytes,
                    reinterpret_cast<uintptr_t>(k->object), kernarg, 0);
  hand(index, aql::AQL_DISPATCH, aql::dimensions(r.grid, r.block));
  if (flow)
    trace::add({k->traceName, "launch", begin, trace::now(), flow, 0, 0, true});
  return XCC_SUCCESS;
}

xcc_status CpuQueue::replay(Sequence &what) {
  // A profile, a trace and cooperative launches need single launches.
  if (what.cooperative || profile::watching()) [[unlikely]]
    return Queue::replay(what);
  if (!workers.start()) [[unlikely]]
    return failToStart();
  CpuSequence *s;
  {
    std::lock_guard lock(what.preparing);
    if (!what.prepared)
      what.prepared = std::make_unique<CpuSequence>(what);
    s = static_cast<CpuSequence *>(what.prepared.get());
  }
  if (!s->whole)
    return Queue::replay(what);
  void *large = nullptr;
  if (s->mostKernarg > PacketRing::KernargBytes) [[unlikely]] {
    constexpr size_t align = 4096;
    large = aligned_alloc(align, (s->mostKernarg + align - 1) & -align);
    if (!large)
      return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, ordinal()},
                  "out of memory for the %zu bytes of arguments of a graph's "
                  "launch",
                  s->mostKernarg);
  }
  what.retain();
  sanitizer::Ignored here;
  uint64_t index = reserve();
  PacketRing::Extra &x = ring().extra(index);
  x = {};
  x.largeKernarg = large;
  x.launcher = threadNumber();
  x.sequence = &what;
  aql::DispatchPacket &p = ring().packet(index).dispatch;
  p.kernargAddress = large ? large : ring().kernargOf(index);
  p.completionSignal = 0;
  hand(index, aql::AQL_VENDOR, 0);
  return XCC_SUCCESS;
}

void CpuQueue::drain() {
  processor.waitFor(ring().writeIndex.load(std::memory_order_acquire));
}

} // namespace xcc::rt::cpu
