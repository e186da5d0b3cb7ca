// Copies and fills on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy between memory that the GPUs' copy engines can access is enqueued and
// runs by itself. Other host memory is copied through a pinned buffer, piece by
// piece; if it is large, it is locked for the copy. A copy to the host through
// the buffer returns when it is done, as with CUDA.

#include "devices/allocations.h"
#include "queue.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace xcc::rt::hsa {

/// From this size on, locking the pages is cheaper than copying twice.
static constexpr size_t LockFrom = size_t(4) << 20;

/// Finds the signal that a copy has to wait for: all work enqueued so far.
xcc_status HsaQueue::orderAfter(SignalHold &before) {
  uint64_t end = written();
  if (ended.load(std::memory_order_acquire) >= end)
    return XCC_SUCCESS;
  if (lastCopy && end == lastCopyEnd) {
    // Nothing was enqueued since the last copy, which waited for all before it.
    lastCopy->retain();
    before.reset(lastCopy.get());
    return XCC_SUCCESS;
  }
  Signal *s;
  XCC_TRY(mark(s));
  before.reset(s);
  return XCC_SUCCESS;
}

/// Enqueues a copy that \p start gives to an engine. When it has ended or
/// failed, unlocks \p locked and frees \p memory (of the device). If the
/// library rejects the copy and \p refused is given, sets that and returns
/// success.
template <class Fn>
xcc_status HsaQueue::enqueueCopy(const char *call, Fn start, void *locked,
                                 void *memory, SignalHold *done,
                                 bool *rejected) {
  auto *k = new (std::nothrow) PacketResources;
  if (!k) {
    PacketResources now;
    now.locked = locked;
    now.memory = memory;
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a copy");
  }
  k->locked = locked;
  k->memory = memory;
  SignalHold before, ends;
  Signal *s = nullptr;
  xcc_status bad = orderAfter(before);
  if (bad == XCC_SUCCESS)
    bad = Signal::make(s);
  if (bad != XCC_SUCCESS) {
    delete k;
    return bad;
  }
  ends.reset(s);
  s->copy = true;
  Status called =
      start(before ? 1u : 0u, before ? &before->handle : nullptr, s->handle);
  if (called != StatusSuccess) {
    delete k;
    if (!rejected)
      return on.failed(call, called);
    *rejected = true;
    return XCC_SUCCESS;
  }
  s->retain();
  k->signals[0] = s;
  if ((k->work = copying)) [[unlikely]] {
    k->workOn = &on;
    profile::divide(copying);
  }
  k->signals[1] = before.take();
  uint64_t index;
  XCC_TRY(barrier(s, nullptr, k, &index));
  lastCopyEnd = index + 1;
  s->retain();
  lastCopy.reset(s);
  if (done) {
    s->retain();
    done->reset(s);
  }
  return XCC_SUCCESS;
}

/// Enqueues a copy between memory that both agents can access.
xcc_status HsaQueue::transfer(void *to, Agent toAgent, const void *from,
                              Agent fromAgent, size_t bytes, void *locked,
                              void *memory, SignalHold *done) {
  return enqueueCopy(
      "hsa_amd_memory_async_copy",
      [&](uint32_t count, const SignalRef *before, SignalRef ends) {
        return hsa.amd_memory_async_copy(to, toAgent, from, fromAgent, bytes,
                                         count, before, ends);
      },
      locked, memory, done);
}

/// Can an engine copy these rows in one command? That needs words and one GPU.
bool HsaQueue::takesRows(const Rows &rows, const Memory &t,
                         const Memory &f) const {
  auto words = [&](const xcc_pitch &side) {
    return side.row % 4 == 0 && (rows.depth == 1 || side.slice % 4 == 0);
  };
  return hsa.amd_memory_async_copy_rect && (t.owner || f.owner) &&
         (!t.owner || !f.owner || t.owner == f.owner) && words(rows.to) &&
         words(rows.from) && rows.width <= UINT32_MAX &&
         rows.height <= UINT32_MAX && rows.depth <= UINT32_MAX;
}

xcc_status HsaQueue::rowsOnGpu(const Place &to, const Memory &t,
                               const Place &from, const Memory &f,
                               const Rows &rows, bool &rejected) {
  Agent agent = (t.owner ? t.owner : f.owner)->facts.handle;
  PitchedPointer out{to.at, rows.to.row, rows.to.slice},
      in{from.at, rows.from.row, rows.from.slice};
  // Lock other host memory for the copy.
  void *locked = nullptr, *seen = nullptr;
  if (t.in == Memory::Pageable || f.in == Memory::Pageable) {
    const bool isIn = t.owner;
    locked = isIn ? from.at : to.at;
    const size_t reach = rows.reach(isIn ? rows.from : rows.to);
    if (overlapsAllocation(locked, reach) ||
        hsa.amd_memory_lock(locked, reach, &agent, 1, &seen) != StatusSuccess) {
      rejected = true;
      return XCC_SUCCESS;
    }
    (isIn ? in : out).base = seen;
  }
  const Dim3 none{},
      range{uint32_t(rows.width), uint32_t(rows.height), uint32_t(rows.depth)};
  const CopyDirection direction = !t.owner   ? DeviceToHost
                                  : !f.owner ? HostToDevice
                                             : DeviceToDevice;
  return enqueueCopy(
      "hsa_amd_memory_async_copy_rect",
      [&](uint32_t count, const SignalRef *before, SignalRef ends) {
        return hsa.amd_memory_async_copy_rect(&out, &none, &in, &none, &range,
                                              agent, direction, count, before,
                                              ends);
      },
      locked, nullptr, nullptr, &rejected);
}

xcc_status HsaQueue::copyRows(const Place &to, const Place &from,
                              const Rows &rows) {
  if (on.hasFailed())
    return on.unusable();
  Memory t = memoryAt(to), f = memoryAt(from);
  bool rejected = ((reinterpret_cast<uintptr_t>(to.at) |
                    reinterpret_cast<uintptr_t>(from.at)) &
                   3) ||
                  !takesRows(rows, t, f);
  if (!rejected) {
    std::lock_guard lock(copyMutex);
    XCC_TRY(during(
        timed(directionOf(to, from), rows.bytes()),
        [&] { return rowsOnGpu(to, t, from, f, rows, rejected); }, &rejected));
  }
  return rejected ? Queue::copyRows(to, from, rows) : XCC_SUCCESS;
}

/// Returns the next half of the pinned buffer, after its last copy has ended.
xcc_status HsaQueue::stagingHalf(char *&half, unsigned &which) {
  if (!stage.memory) {
    void *memory;
    XCC_TRY(on.allocateHost(on.world.fine, 2 * Staging::HalfBytes, &memory));
    stage.memory = static_cast<char *>(memory);
  }
  which = stage.turn;
  stage.turn ^= 1;
  half = stage.memory + which * Staging::HalfBytes;
  SignalHold &busy = stage.busy[which];
  if (busy && !waitFor(*busy.get()))
    return on.unusable();
  busy.reset();
  return XCC_SUCCESS;
}

xcc_status HsaQueue::stagedIn(char *to, Agent toAgent, const char *from,
                              size_t bytes) {
  for (size_t at = 0; at < bytes; at += Staging::HalfBytes) {
    size_t part = std::min(bytes - at, Staging::HalfBytes);
    char *half;
    unsigned which;
    XCC_TRY(stagingHalf(half, which));
    memcpy(half, from + at, part);
    XCC_TRY(transfer(to + at, toAgent, half, on.world.host, part, nullptr,
                     nullptr, &stage.busy[which]));
  }
  return XCC_SUCCESS;
}

xcc_status HsaQueue::stagedOut(char *to, const char *from, Agent fromAgent,
                               size_t bytes) {
  struct Piece {
    char *to = nullptr, *half = nullptr;
    size_t size = 0;
    unsigned which = 0;
  } last;
  auto finish = [&](const Piece &p) {
    SignalHold &busy = stage.busy[p.which];
    if (!waitFor(*busy.get()))
      return on.unusable();
    busy.reset();
    memcpy(p.to, p.half, p.size);
    return XCC_SUCCESS;
  };
  // The engine fills one half while the host reads the other.
  for (size_t at = 0; at < bytes; at += Staging::HalfBytes) {
    Piece p;
    p.to = to + at;
    p.size = std::min(bytes - at, Staging::HalfBytes);
    XCC_TRY(stagingHalf(p.half, p.which));
    XCC_TRY(transfer(p.half, on.world.host, from + at, fromAgent, p.size,
                     nullptr, nullptr, &stage.busy[p.which]));
    if (last.size)
      XCC_TRY(finish(last));
    last = p;
  }
  return finish(last);
}

/// Copies host memory with its pages locked. \p done is false if they cannot be
/// locked (read-only, or beyond the limit on locked memory).
xcc_status HsaQueue::lockedCopy(void *to, const void *from, size_t bytes,
                                Gpu &far, bool in, bool &done) {
  void *host = in ? const_cast<void *>(from) : to;
  Agent farAgent = far.facts.handle;
  void *seen = nullptr;
  // Memory that is partly locked already must not be locked again.
  done = !overlapsAllocation(host, bytes) &&
         hsa.amd_memory_lock(host, bytes, &farAgent, 1, &seen) == StatusSuccess;
  if (!done)
    return XCC_SUCCESS;
  if (in)
    return transfer(to, farAgent, seen, on.world.host, bytes, host, nullptr,
                    nullptr);
  return transfer(seen, on.world.host, from, farAgent, bytes, host, nullptr,
                  nullptr);
}

xcc_status HsaQueue::betweenGpus(void *to, Gpu &toGpu, const void *from,
                                 const Memory &source, size_t bytes) {
  Agent fromAgent = source.owner->facts.handle;
  if (allowAccess(source, toGpu))
    return transfer(to, toGpu.facts.handle, from, fromAgent, bytes, nullptr,
                    nullptr, nullptr);
  // The GPUs cannot access each other's memory, so copy through the host.
  for (size_t at = 0; at < bytes; at += Staging::HalfBytes) {
    size_t part = std::min(bytes - at, Staging::HalfBytes);
    char *half;
    unsigned which;
    XCC_TRY(stagingHalf(half, which));
    XCC_TRY(transfer(half, on.world.host, static_cast<const char *>(from) + at,
                     fromAgent, part, nullptr, nullptr, nullptr));
    XCC_TRY(transfer(static_cast<char *>(to) + at, toGpu.facts.handle, half,
                     on.world.host, part, nullptr, nullptr,
                     &stage.busy[which]));
  }
  return XCC_SUCCESS;
}

/// Copies overlapping ranges through other memory, because engines copy in any
/// order.
xcc_status HsaQueue::overlapping(void *to, const void *from, size_t bytes,
                                 Gpu &owner) {
  void *between = nullptr;
  Status s =
      hsa.amd_memory_pool_allocate(owner.facts.memory, bytes, 0, &between);
  if (s != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, on.site(),
                "out of memory: a copy between overlapping ranges needs %zu "
                "bytes on device %d (%s)",
                bytes, owner.ordinal(), owner.id());
  Agent a = owner.facts.handle;
  if (xcc_status bad =
          transfer(between, a, from, a, bytes, nullptr, nullptr, nullptr);
      bad != XCC_SUCCESS) {
    hsa.amd_memory_pool_free(between);
    return bad;
  }
  return transfer(to, a, between, a, bytes, nullptr, between, nullptr);
}

xcc_status HsaQueue::copy(const Place &toPlace, const Place &fromPlace,
                          size_t bytes) {
  if (on.hasFailed())
    return on.unusable();
  void *to = toPlace.at;
  const void *from = fromPlace.at;
  Memory t = memoryAt(toPlace), f = memoryAt(fromPlace);
  if (t.in != Memory::OnGpu && f.in != Memory::OnGpu) {
    drain(); // the host copies, after the earlier work
    if (on.hasFailed())
      return on.unusable();
    memmove(to, from, bytes);
    return XCC_SUCCESS;
  }
  std::lock_guard lock(copyMutex);
  return during(timed(directionOf(toPlace, fromPlace), bytes),
                [&] { return copyOnGpu(to, t, from, f, bytes); });
}

/// Copies if at least one side is on a GPU.
xcc_status HsaQueue::copyOnGpu(void *to, const Memory &t, const void *from,
                               const Memory &f, size_t bytes) {
  auto *toBytes = static_cast<char *>(to);
  auto *fromBytes = static_cast<const char *>(from);
  if (t.owner && f.owner && t.owner != f.owner)
    return betweenGpus(to, *t.owner, from, f, bytes);
  if (t.owner && f.owner && toBytes < fromBytes + bytes &&
      fromBytes < toBytes + bytes)
    return overlapping(to, from, bytes, *t.owner);
  Agent toAgent = t.owner ? t.owner->facts.handle : on.world.host;
  Agent fromAgent = f.owner ? f.owner->facts.handle : on.world.host;
  if (t.in != Memory::Pageable && f.in != Memory::Pageable)
    return transfer(to, toAgent, from, fromAgent, bytes, nullptr, nullptr,
                    nullptr);
  bool in = t.owner;
  if (bytes >= LockFrom) {
    bool done;
    XCC_TRY(lockedCopy(to, from, bytes, in ? *t.owner : *f.owner, in, done));
    if (done)
      return XCC_SUCCESS;
  }
  return in ? stagedIn(toBytes, toAgent, fromBytes, bytes)
            : stagedOut(toBytes, fromBytes, fromAgent, bytes);
}

/// Fills at most half the pinned buffer's bytes of device memory.
xcc_status HsaQueue::stagedFill(char *to, Agent toAgent, const Element &element,
                                size_t bytes) {
  if (!bytes)
    return XCC_SUCCESS;
  char *half;
  unsigned which;
  XCC_TRY(stagingHalf(half, which));
  element.repeat(half, bytes);
  return transfer(to, toAgent, half, on.world.host, bytes, nullptr, nullptr,
                  &stage.busy[which]);
}

/// Writes the first elements, then copies what is filled already.
xcc_status HsaQueue::fillByCopies(char *to, Agent agent, const Element &element,
                                  size_t bytes) {
  size_t done = std::min(bytes, element.wholeWithin(Staging::HalfBytes));
  if (done <= Staging::HalfBytes)
    XCC_TRY(stagedFill(to, agent, element, done));
  else
    XCC_TRY(
        stagedIn(to, agent, static_cast<const char *>(element.bytes), done));
  while (done != bytes) {
    const size_t part = std::min(done, bytes - done);
    XCC_TRY(
        transfer(to + done, agent, to, agent, part, nullptr, nullptr, nullptr));
    done += part;
  }
  return XCC_SUCCESS;
}

xcc_status HsaQueue::fill(const Place &place, const Element &element,
                          size_t bytes) {
  if (on.hasFailed())
    return on.unusable();
  void *to = place.at;
  Memory t = memoryAt(place);
  if (t.in == Memory::OnGpu &&
      (bytes <= Staging::HalfBytes || !element.isByte())) {
    std::lock_guard lock(copyMutex);
    return during(timed(profile::Direction::Fill, bytes), [&] {
      return fillByCopies(static_cast<char *>(to), t.owner->facts.handle,
                          element, bytes);
    });
  }
  // The library's fill writes words, and does so at once: wait for its turn.
  drain();
  if (on.hasFailed())
    return on.unusable();
  if (t.in != Memory::OnGpu) {
    element.repeat(to, bytes);
    return XCC_SUCCESS;
  }
  auto *first = static_cast<char *>(to);
  size_t head = -reinterpret_cast<uintptr_t>(to) & 3;
  size_t words = (bytes - head) / 4, tail = bytes - head - words * 4;
  uint32_t word = uint32_t(element.byte()) * 0x01010101u;
  Status s = hsa.amd_memory_fill(first + head, word, words);
  if (s != StatusSuccess)
    return on.failed("hsa_amd_memory_fill", s);
  std::lock_guard lock(copyMutex);
  Agent a = t.owner->facts.handle;
  XCC_TRY(stagedFill(first, a, element, head));
  return stagedFill(first + bytes - tail, a, element, tail);
}

} // namespace xcc::rt::hsa
