// An AQL queue and its packet processor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "cpu/device.h"
#include "cpu/faults/faults.h"
#include "cpu/workers/sanitizer.h"
#include "devices/unwritten_wait.h"
#include "process/futex.h"
#include "process/trace.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <utility>

namespace xcc::rt::cpu {

CpuQueue *CpuQueue::make(Pool &p, int priority) {
  constexpr size_t packetBytes = Size * sizeof(aql::Packet),
                   all = packetBytes + BesideBytes;
  auto *q = new (std::nothrow) CpuQueue(p);
  if (!q)
    return nullptr;
  // Pages of a queue that never fills are never touched.
  void *memory = mmap(nullptr, all, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !q->current.setShares(p.threads())) {
    if (memory != MAP_FAILED)
      munmap(memory, all);
    delete q;
    return nullptr;
  }
  q->packets = static_cast<aql::Packet *>(memory);
  q->extras =
      reinterpret_cast<Extra *>(static_cast<char *>(memory) + packetBytes);
  q->kernargs = reinterpret_cast<char *>(q->extras + Size);
  aql::invalidate(q->packets[0]); // the others when they come next
  static std::atomic<uint64_t> nextId{0};
  q->header = {0, 1, q->packets, q->doorbell.handle(), Size, 0, nextId++};
  q->priority = priority;
  if (priority)
    p.hasPriorities.store(true, std::memory_order_relaxed);
  p.queues.add(*q);
  return q;
}

//===----------------------------------------------------------------------===//
// Producing packets
//===----------------------------------------------------------------------===//

/// Takes the next slot, waiting while the queue is full.
uint64_t CpuQueue::reserve() {
  uint64_t index = writeIndex.fetch_add(1, std::memory_order_relaxed);
  if (index - readIndex_.load(std::memory_order_acquire) >= Size) [[unlikely]]
    waitFor(index - Size + 1);
  // Nobody looks at a slot before the one ahead of it was handed over. The next
  // producer may have been here, or further.
  if (index + 1 < Size) {
    uint32_t fresh = 0;
    std::atomic_ref(packet(index + 1).firstWord)
        .compare_exchange_strong(fresh, aql::AQL_INVALID,
                                 std::memory_order_relaxed);
  }
  return index;
}

void CpuQueue::discard() {
  munmap(packets, Size * sizeof(aql::Packet) + BesideBytes);
  delete this;
}

/// Nothing is in flight.
void CpuQueue::leaveErrors(PendingErrors &to) {
  errors.moveTo(to);
  // What a stream with much work had touched is not kept for the next.
  constexpr uint64_t many = 64;
  const uint64_t used = writeIndex.load(std::memory_order_relaxed);
  if (used - std::exchange(trimmedAt, used) >= many)
    madvise(extras, BesideBytes, MADV_DONTNEED);
}

void CpuQueue::hand(uint64_t index, aql::PacketType type, uint16_t setup) {
  if (sanitizer::thread()) [[unlikely]]
    if (Worker *w = Worker::current())
      w->root.make();
  sanitizer::release(&begun);
  aql::publish(packet(index), type, setup);
  // An exchange, not a store: whoever reads a later producer's value also sees
  // our packet.
  doorbell.value.exchange(int64_t(index), std::memory_order_seq_cst);
  workers.ring();
  if (workers.stopped()) [[unlikely]]
    waitFor(index + 1);
}

xcc_status CpuQueue::failToStart() {
  return fail(XCC_ERROR_SYSTEM,
              "cannot start a worker thread for the CPU device; raise the "
              "limit on threads (ulimit -u)");
}

profile::Work *CpuQueue::profiled(const LaunchRequest &r) {
  profile::Launch l = r.profiled();
  l.callsHost = true; // images for the CPU device do not say which do
  return profile::launched(ordinal(), l, 0);
}

xcc_status CpuQueue::launch(const LaunchRequest &r) {
  if (!workers.start()) [[unlikely]]
    return failToStart();
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  auto *k = static_cast<CpuKernel *>(const_cast<Kernel *>(r.function));
  void *large = nullptr;
  if (k->kernargSize > KernargBytes) [[unlikely]] {
    // No argument is aligned to more than its size.
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
  void *kernarg = large ? large : kernargOf(index);
  if (k->kernargSize)
    memcpy(kernarg, r.kernarg, k->kernargSize);
  uint64_t flow = begin ? trace::newFlow() : 0;
  profile::Work *work = profile::enabled() ? profiled(r) : nullptr;
  extras[index % Size] = {k,     r.file,        r.line,
                          large, flow,          threadNumber(),
                          work,  r.cooperative, nullptr};
  aql::fillDispatch(packet(index).dispatch, r.grid, r.block, k->privateSize,
                    k->sharedSize + r.sharedBytes,
                    reinterpret_cast<uintptr_t>(k->object), kernarg, 0);
  hand(index, aql::AQL_DISPATCH, aql::dimensions(r.grid, r.block));
  if (flow)
    trace::add({k->traceName, "launch", begin, trace::now(), flow, 0, 0, true});
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void CpuQueue::wakeWaiting() {
  if (waiting.load(std::memory_order_seq_cst) == 0) [[likely]]
    return;
  waitEpoch.fetch_add(1, std::memory_order_release);
  futexWake(waitEpoch);
}

namespace {
/// Keeps pthread_cancel from ending the thread in the middle of a kernel: it
/// takes effect when the thread that waits has done so.
class NotCancelled {
public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); }
  ~NotCancelled() { pthread_setcancelstate(old, nullptr); }
  NotCancelled(const NotCancelled &) = delete;
  NotCancelled &operator=(const NotCancelled &) = delete;

private:
  int old;
};
} // namespace

void CpuQueue::waitFor(uint64_t until) {
  waitUnordered(until);
  sanitizer::acquire(&begun);
}

void CpuQueue::waitUnordered(uint64_t until) {
  if (readIndex() >= until)
    return;
  NotCancelled here;
  const WrittenWait watched(device());
  // Without memory for a worker the others have to do it.
  Worker *w = Worker::current();
  uint64_t deadline = 0;
  while (readIndex() < until) {
    if (w && help(*w, until)) {
      deadline = 0;
      continue;
    }
    if (w && blockedOn.load(std::memory_order_acquire)) {
      bool did = false;
      for (CpuQueue &q : workers.queues)
        if (&q != this && q.hasWork())
          did |= q.help(*w, q.readIndex() + 1);
      if (did)
        continue;
    }
    uint64_t now = ticks();
    if (!deadline)
      deadline = now + workers.spinTicks();
    if (now < deadline) {
      relax();
      continue;
    }
    if (workers.stopped()) {
      sched_yield(); // nobody may be there to wake us
      continue;
    }
    uint32_t epoch = waitEpoch.load(std::memory_order_acquire);
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (readIndex_.load(std::memory_order_seq_cst) < until &&
        (!hasWork() || !workers.turnIsFree()))
      futexWaitFor(waitEpoch, epoch, LookWhileWaiting);
    waiting.fetch_sub(1, std::memory_order_relaxed);
    keepFaultHandlers(ticks());
  }
}

void CpuQueue::drain() { waitFor(writeIndex.load(std::memory_order_acquire)); }

bool CpuQueue::watch(uint64_t patience) {
  uint64_t until = writeIndex.load(std::memory_order_acquire);
  uint64_t seen = Worker::progress(), since = trace::now();
  while (readIndex() < until) {
    uint32_t epoch = waitEpoch.load(std::memory_order_acquire);
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (readIndex_.load(std::memory_order_seq_cst) < until)
      futexWaitFor(waitEpoch, epoch, 1'000'000);
    waiting.fetch_sub(1, std::memory_order_relaxed);
    if (uint64_t now = Worker::progress(); now != seen) {
      seen = now;
      since = trace::now();
    } else if (trace::now() - since >= patience) {
      return readIndex() >= until;
    }
  }
  return true;
}

bool CpuQueue::idle() {
  if (readIndex() < writeIndex.load(std::memory_order_acquire))
    return false;
  sanitizer::acquire(&begun);
  return true;
}

} // namespace xcc::rt::cpu
