// A queue on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "hsa/faults.h"
#include "hsa/image/image.h"
#include "hsa/image/kernarg.h"
#include "process/trace.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <sched.h>

namespace xcc::rt::hsa {

//===----------------------------------------------------------------------===//
// Making and ending
//===----------------------------------------------------------------------===//

xcc_status HsaQueue::make(Gpu &on, int priority, HsaQueue *&out) {
  auto *q = new (std::nothrow) HsaQueue(on);
  if (!q)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  q->priority = priority;
  if (xcc_status s = q->open(); s != XCC_SUCCESS) {
    delete q;
    return s;
  }
  on.queues.add(*q);
  out = q;
  return XCC_SUCCESS;
}

xcc_status HsaQueue::open() {
  size =
      std::bit_floor(std::clamp(MaxSize, on.facts.minQueue, on.facts.maxQueue));
  if (size < 4)
    return fail(XCC_ERROR_SYSTEM, on.site(),
                "device %d (%s) has queues of %u packets; at least 4 are "
                "needed",
                on.ordinal(), on.id(), on.facts.maxQueue);
  chunk = size >= 8 ? size / 4 : 2;
  sides = new (std::nothrow) OffsetUse[size];
  if (!sides)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  XCC_TRY(on.allocateHost(on.world.kernarg, size * size_t(KernargBytes),
                          reinterpret_cast<void **>(&kernargs)));
  for (uint32_t i = 0; i != chunks(); ++i)
    if (Status s =
            hsa.signal_create(int64_t(1) << 62, 0, nullptr, &chunkEnds[i]);
        s != StatusSuccess)
      return on.failed("hsa_signal_create", s);
  // The scratch and shared memory that kernels will need is not known.
  Status s = hsa.queue_create(on.facts.handle, size, QueueMulti, onError, this,
                              UINT32_MAX, UINT32_MAX, &ring);
  if (s != StatusSuccess)
    return on.failed("hsa_queue_create", s);
  if (priority)
    if (Status bad = hsa.amd_queue_set_priority(
            ring, priority < 0 ? PriorityHigh : PriorityLow))
      return on.failed("hsa_amd_queue_set_priority", bad);
  // Without profiling, events have no time stamps; all else works.
  if (hsa.amd_profiling_set_profiler_enabled)
    (void)hsa.amd_profiling_set_profiler_enabled(ring, 1);
  usable.store(size, std::memory_order_release);
  return XCC_SUCCESS;
}

HsaQueue::~HsaQueue() {
  if (ring)
    hsa.queue_destroy(ring);
  if (kernargs)
    hsa.amd_memory_pool_free(kernargs);
  for (SignalRef s : chunkEnds)
    if (s.handle)
      hsa.signal_destroy(s);
  delete[] sides;
}

//===----------------------------------------------------------------------===//
// Producing packets
//===----------------------------------------------------------------------===//

void HsaQueue::raise(std::atomic<uint64_t> &to, uint64_t value) {
  uint64_t was = to.load(std::memory_order_relaxed);
  while (was < value &&
         !to.compare_exchange_weak(was, value, std::memory_order_acq_rel))
    ;
}

/// Takes the next place that is not the last of a chunk. Waits while the queue
/// is full.
xcc_status HsaQueue::reserve(uint64_t &index) {
  while (true) {
    if (on.hasFailed()) [[unlikely]]
      return on.unusable();
    index = hsa.queue_add_write_index_relaxed(ring, 1);
    if (index >= usable.load(std::memory_order_acquire)) [[unlikely]]
      if (!waitForPlace(index))
        return on.unusable();
    if (beside(index).holds.load(std::memory_order_relaxed)) [[unlikely]]
      discard(index);
    if ((index & (chunk - 1)) != chunk - 1) [[likely]]
      return XCC_SUCCESS;
    endChunk(index);
  }
}

bool HsaQueue::waitForPlace(uint64_t index) {
  uint64_t needed = index / chunk - chunks(); // the chunk that had this place
  if (!on.waitBelow(chunkEnds[needed % chunks()],
                    chunkValue(needed / chunks()) + 1, this))
    return false;
  uint64_t free = (needed + 1) * chunk;
  // The processor may count a packet as read only after it has ended.
  while (hsa.queue_load_read_index_scacquire(ring) < free) {
    if (on.hasFailed())
      return false;
    sched_yield();
  }
  raise(ended, free);
  raise(usable, free + size);
  return true;
}

/// Writes the last packet of a chunk.
void HsaQueue::fillEnd(uint64_t index) {
  beside(index).info.store(nullptr, std::memory_order_relaxed);
  aql::fillBarrier(packet(index).barrier, 0,
                   chunkEnds[index / chunk % chunks()].handle);
  aql::publish(packet(index), aql::AQL_BARRIER_AND, 0);
}

void HsaQueue::endChunk(uint64_t index) {
  fillEnd(index);
  ringFor(index);
}

void HsaQueue::hand(uint64_t index, aql::PacketType type, uint16_t setup) {
  aql::publish(packet(index), type, setup);
  ringFor(index);
}

xcc_status HsaQueue::launch(const LaunchRequest &r) {
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  auto &k = static_cast<const HsaKernel &>(*r.function);
  PacketResources *more = nullptr;
  profile::Work *work = timed(r);
  const uint64_t flow = work ? work->flow : 0;
  xcc_status ready = XCC_SUCCESS;
  if (k.segment > KernargBytes || k.callsHost || work) [[unlikely]]
    ready = prepare(k, work, more);
  uint64_t index;
  if (ready == XCC_SUCCESS) [[likely]]
    ready = reserve(index);
  if (ready != XCC_SUCCESS) [[unlikely]] {
    if (work)
      profile::cancel(work);
    if (more)
      more->work = nullptr;
    delete more;
    return ready;
  }
  void *kernarg = more && more->kernarg ? more->kernarg : kernargOf(index);
  uint16_t dimensions = aql::dimensions(r.grid, r.block);
  fillKernarg(kernarg, k.segment, r.kernarg, k.kernargSize, k.data.hidden,
              k.data.hiddenCount,
              {r.grid, r.block, r.sharedBytes, dimensions,
               reinterpret_cast<const AmdQueue *>(ring), k.heap, nullptr});
  OffsetUse &b = beside(index);
  b.info.store(k.info, std::memory_order_relaxed);
  b.file.store(r.file, std::memory_order_relaxed);
  b.line.store(r.line, std::memory_order_relaxed);
  b.mayTakeLong.store(k.callsHost && !k.waitsForGrid,
                      std::memory_order_relaxed);
  SignalRef completes{};
  if (more) [[unlikely]] {
    if (k.callsHost) {
      completes = listen(index, *more);
    } else if (work) {
      more->signals[0]->placeAt(*this, index);
      completes = more->signals[0]->handle;
    }
    if (work)
      profile::began(work);
    keep(index, more);
  }
  aql::fillDispatch(packet(index).dispatch, r.grid, r.block, k.launchPrivate,
                    k.sharedSize + r.sharedBytes, k.object, kernarg,
                    completes.handle);
  hand(index, aql::AQL_DISPATCH, dimensions);
  if (begin)
    trace::add(
        {k.traceName, "launch", begin, trace::now(), flow, 0, 0, flow != 0});
  return XCC_SUCCESS;
}

/// Writes a packet that waits for \p before and then counts \p completes down;
/// either may be null. It takes over \p keeps, also when it fails.
xcc_status HsaQueue::barrier(Signal *before, Signal *completes,
                             PacketResources *keeps, uint64_t *where) {
  uint64_t index;
  if (xcc_status s = reserve(index); s != XCC_SUCCESS) {
    delete keeps;
    return s;
  }
  if (completes)
    completes->placeAt(*this, index);
  beside(index).info.store(nullptr, std::memory_order_relaxed);
  aql::fillBarrier(packet(index).barrier, before ? before->handle.handle : 0,
                   completes ? completes->handle.handle : 0);
  keep(index, keeps);
  if (where)
    *where = index;
  hand(index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

/// Makes a signal for all work enqueued so far; the caller owns a reference.
xcc_status HsaQueue::mark(Signal *&out) {
  auto *k = new (std::nothrow) PacketResources;
  if (!k)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a marker");
  Signal *s;
  if (xcc_status bad = Signal::make(s); bad != XCC_SUCCESS) {
    delete k;
    return bad;
  }
  s->retain();
  k->signals[0] = s;
  if (xcc_status bad = barrier(nullptr, s, k); bad != XCC_SUCCESS) {
    s->release();
    return bad;
  }
  {
    std::lock_guard lock(lastMarkMutex);
    if (!lastMark || lastMark->index < s->index) {
      s->retain();
      lastMark.reset(s);
    }
  }
  out = s;
  return XCC_SUCCESS;
}

/// The marker that was written last; none if there was none.
SignalHold HsaQueue::latestMark() {
  std::lock_guard lock(lastMarkMutex);
  if (lastMark)
    lastMark->retain();
  return SignalHold(lastMark.get());
}

//===----------------------------------------------------------------------===//
// Resources of packets
//===----------------------------------------------------------------------===//

void HsaQueue::keep(uint64_t index, PacketResources *k) {
  k->index = index;
  std::lock_guard lock(keepMutex);
  beside(index).holds.store(k, std::memory_order_relaxed);
}

/// Releases the resources of the packet that had this place; it has ended.
void HsaQueue::discard(uint64_t index) {
  std::lock_guard lock(keepMutex);
  delete beside(index).holds.exchange(nullptr, std::memory_order_relaxed);
}

void HsaQueue::collect() {
  uint64_t until = ended.load(std::memory_order_acquire);
  std::lock_guard lock(keepMutex);
  for (uint64_t i =
           std::max(collected, until - std::min<uint64_t>(until, size));
       i < until; ++i) {
    std::atomic<PacketResources *> &holds = beside(i).holds;
    PacketResources *k = holds.load(std::memory_order_relaxed);
    if (!k || k->index >= until)
      continue; // a new packet has this place
    holds.store(nullptr, std::memory_order_relaxed);
    delete k;
  }
  collected = std::max(collected, until);
}

void HsaQueue::abandon() {
  std::lock_guard lock(keepMutex);
  for (uint32_t i = 0; i != size; ++i)
    if (PacketResources *k = sides[i].holds.load(std::memory_order_relaxed))
      for (Signal *s : k->signals)
        if (s)
          hsa.signal_store_screlease(s->handle, 0);
  for (SignalRef s : chunkEnds)
    if (s.handle)
      hsa.signal_store_screlease(s, 0);
}

void HsaQueue::releaseFailedCopies() {
  std::lock_guard lock(keepMutex);
  for (uint32_t i = 0; i != size; ++i) {
    PacketResources *k = sides[i].holds.load(std::memory_order_relaxed);
    if (!k || !k->signals[0] || !k->signals[0]->copy ||
        !k->signals[0]->failed())
      continue;
    setError(makeError(XCC_ERROR_LAUNCH_FAILED, on.site(),
                       "a copy failed on device %d (%s) while it ran",
                       on.ordinal(), on.id()));
    hsa.signal_store_screlease(k->signals[0]->handle, 0);
  }
}

//===----------------------------------------------------------------------===//
// Waiting and reporting
//===----------------------------------------------------------------------===//

bool HsaQueue::waitFor(Signal &s) {
  if (!on.waitBelow(s.handle, 1, s.producer))
    return false;
  if (s.producer == this)
    raise(ended, s.index + 1);
  if (s.copy && s.failed()) [[unlikely]]
    releaseFailedCopies();
  return true;
}

void HsaQueue::drain() {
  if (on.hasFailed())
    return;
  if (ended.load(std::memory_order_acquire) < written()) {
    Signal *s;
    if (mark(s) != XCC_SUCCESS) {
      if (!on.hasFailed())
        setError(xcc_error_capture());
      return;
    }
    SignalHold hold(s);
    waitFor(*s);
  }
  collect();
}

/// Waits for a marker that the packet processor can reach at once if no kernel
/// runs. A GPU takes a few microseconds for it.
static void waitBriefly(const Signal &s) {
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (!s.reached() && std::chrono::steady_clock::now() < until)
    sched_yield();
}

bool HsaQueue::idle() {
  if (on.hasFailed())
    return true;
  std::lock_guard lock(pollMutex);
  uint64_t end = written();
  if (ended.load(std::memory_order_acquire) >= end)
    return true;
  // Often the last packet is a marker already: of an event, or of the last
  // query. Then no new one is needed.
  SignalHold poll = latestMark();
  if (!poll || poll->index + 1 < end) {
    // A full queue is not idle, and a marker would wait for a place.
    if (end + 2 >= usable.load(std::memory_order_acquire)) {
      uint64_t place = end + 2;
      uint64_t needed = place / chunk - chunks();
      if (hsa.signal_load_scacquire(chunkEnds[needed % chunks()]) >
          chunkValue(needed / chunks()))
        return false;
    }
    const bool begun = readSoFar() >= end;
    Signal *s;
    if (mark(s) != XCC_SUCCESS)
      return false;
    poll.reset(s);
    // All work may have ended long ago. The new marker tells that soon.
    if (begun)
      waitBriefly(*s);
  }
  if (!poll->reached()) {
    if (++polls % 256 == 0)
      hsa::releaseFailedCopies();
    return false;
  }
  raise(ended, poll->index + 1);
  collect();
  return ended.load(std::memory_order_acquire) >= written();
}

void HsaQueue::setError(xcc_error *why) {
  xcc_error *none = nullptr;
  if (!firstError.compare_exchange_strong(none, why, std::memory_order_acq_rel))
    xcc_error_release(why);
}

xcc_error *HsaQueue::takeError() {
  if (firstError.load(std::memory_order_acquire)) [[unlikely]]
    return firstError.exchange(nullptr, std::memory_order_acq_rel);
  return on.hasFailed() ? on.takeFault() : nullptr;
}

unsigned HsaQueue::suspects(Suspect out[2]) const {
  uint64_t read = hsa.queue_load_read_index_scacquire(ring);
  uint64_t first = ended.load(std::memory_order_acquire);
  first = std::max(first, read - std::min<uint64_t>(read, size / 2));
  unsigned count = 0;
  auto add = [&](uint64_t index) {
    const OffsetUse &b = beside(index);
    const xcc_kernel_info *info = b.info.load(std::memory_order_relaxed);
    if (!info)
      return false; // a barrier packet
    Suspect &s = out[count++];
    s = {info,
         b.file.load(std::memory_order_relaxed),
         b.line.load(std::memory_order_relaxed),
         {},
         {}};
    const aql::DispatchPacket &p =
        static_cast<aql::Packet *>(ring->baseAddress)[index & (size - 1)]
            .dispatch;
    for (int i = 0; i != 3; ++i) {
      s.block[i] = p.workgroupSize[i];
      s.grid[i] = s.block[i] ? p.gridSize[i] / s.block[i] : 0;
    }
    return true;
  };
  // The processor may count a packet as read when it begins or when it ends.
  auto *packets = static_cast<aql::Packet *>(ring->baseAddress);
  if (aql::typeOf(aql::loadFirstWord(packets[read & (size - 1)],
                                     std::memory_order_acquire)) ==
      aql::AQL_DISPATCH)
    add(read);
  // Barrier packets may be read before the kernel they wait for has ended.
  for (uint64_t i = read; i > first; --i)
    if (add(i - 1))
      break;
  return count;
}

unsigned HsaQueue::runningLong(bool waitedFor, Suspect out[2]) const {
  const uint64_t read = readSoFar();
  // All work may have ended without this thread knowing.
  if (!waitedFor && read >= written())
    return 0;
  auto *packets = static_cast<aql::Packet *>(ring->baseAddress);
  auto waits = [&](uint64_t index) {
    const SignalRef before{packets[index & (size - 1)].barrier.depSignal[0]};
    return before.handle && hsa.signal_load_scacquire(before) > 0;
  };
  auto mayTakeLong = [&](uint64_t index) {
    return beside(index).mayTakeLong.load(std::memory_order_relaxed);
  };
  // The processor may count a packet as read when it begins or when it ends.
  switch (aql::typeOf(aql::loadFirstWord(packets[read & (size - 1)],
                                         std::memory_order_acquire))) {
  case aql::AQL_BARRIER_AND:
    if (waits(read))
      return 0;
    break;
  case aql::AQL_DISPATCH:
    if (mayTakeLong(read))
      return 0;
    break;
  default:
    break;
  }
  const uint64_t first = std::max(ended.load(std::memory_order_acquire),
                                  read - std::min<uint64_t>(read, size / 2));
  for (uint64_t i = read; i > first; --i) {
    if (beside(i - 1).info.load(std::memory_order_relaxed))
      return mayTakeLong(i - 1) ? 0 : suspects(out);
    if (waits(i - 1))
      return 0;
  }
  return suspects(out);
}

static int signalOf(Status s) {
  switch (s) {
  case StatusApertureViolation:
  case StatusMemoryFault:
    return SIGSEGV;
  case StatusIllegalInstruction:
  case StatusException: // for example a trap without a message
    return SIGILL;
  default:
    return SIGABRT;
  }
}

void HsaQueue::onError(Status s, QueueRef *, void *data) {
  auto &q = *static_cast<HsaQueue *>(data);
  if (s == StatusSuccess || !q.ring)
    return;
  Suspect found[2];
  unsigned count = q.suspects(found);
  fault(q.on, {found, count}, statusText(s), signalOf(s));
}

} // namespace xcc::rt::hsa
