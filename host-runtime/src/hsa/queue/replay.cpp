// Putting recorded sequences into a queue
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One atomic addition takes places for up to a chunk of packets, and the
// doorbell is rung once for them. More packets are enqueued in pieces. There is
// no deadlock when a thread has taken places that it has not filled: a thread
// that takes up to a chunk only waits for a chunk before all of its places.

#include "process/trace.h"
#include "queue.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace xcc::rt::hsa {

/// A sequence while it is being enqueued.
struct HsaQueue::Replay {
  Sequence &what;
  const HsaSequence &all;
  /// By transfer; null until prepared, and after a packet has taken it over.
  std::vector<PacketResources *> kept;
  SignalHold mark = SignalHold(); ///< for the next transfers

  ~Replay() {
    for (PacketResources *k : kept)
      delete k;
  }
};

/// Makes the signals of the transfers that begin after a part's packets.
xcc_status HsaQueue::prepare(Replay &r, const HsaSequence::Part &p) {
  Signal *before;
  XCC_TRY(Signal::make(before));
  r.mark.reset(before);
  for (size_t i = p.firstTransfer; i != p.firstTransfer + p.transfers; ++i) {
    PacketResources *k = r.kept[i] = new PacketResources;
    XCC_TRY(Signal::make(k->signals[0]));
    k->signals[0]->copy = true;
    before->retain();
    k->signals[1] = before;
    before = k->signals[0];
  }
  return XCC_SUCCESS;
}

/// Takes places for up to \p wanted packets and the ends of chunks among them,
/// at most a chunk of places.
xcc_status HsaQueue::reserve(uint64_t wanted, uint64_t &first,
                             uint32_t &taken) {
  if (on.hasFailed()) [[unlikely]]
    return on.unusable();
  // The count is exact unless another thread takes places in between.
  const auto toEnd = chunk - 1 - uint32_t(written() & (chunk - 1));
  taken = uint32_t(std::min<uint64_t>(wanted, chunk - 1));
  taken += taken > toEnd;
  first = hsa.queue_add_write_index_relaxed(ring, taken);
  const uint64_t last = first + taken - 1;
  if (last >= usable.load(std::memory_order_acquire)) [[unlikely]]
    if (!waitForPlace(last))
      return on.unusable();
  return XCC_SUCCESS;
}

/// Writes an entry. The place takes over \p holds, or for a wait the transfer's
/// resources.
void HsaQueue::put(Replay &r, const Entry &e, uint64_t index,
                   PacketResources *holds) {
  aql::Packet &p = packet(index);
  aql::copyBody(p, e.packet);
  if (e.kind == Entry::Kind::Mark) [[unlikely]] {
    p.barrier.completionSignal = r.mark->handle.handle;
    (holds->signals[0] = r.mark.get())->retain();
  } else if (e.kind == Entry::Kind::Wait) [[unlikely]] {
    PacketResources *own = std::exchange(r.kept[e.transfer], nullptr);
    p.barrier.depSignal[0] = own->signals[0]->handle.handle;
    if (holds)
      std::swap(own->sequence, holds->sequence);
    delete holds;
    holds = own;
  }
  OffsetUse &b = beside(index);
  b.info.store(e.info, std::memory_order_relaxed);
  b.file.store(e.file, std::memory_order_relaxed);
  b.line.store(e.line, std::memory_order_relaxed);
  b.mayTakeLong.store(false, std::memory_order_relaxed);
  if (holds)
    keep(index, holds);
  aql::publish(p, e.packet.firstWord);
}

/// Writes as many entries from \p next on as one piece takes. The last one
/// holds the sequence.
xcc_status HsaQueue::putPiece(Replay &r, size_t &next, size_t end) {
  auto *holds = new PacketResources;
  uint64_t first;
  uint32_t taken;
  if (xcc_status s = reserve(end - next, first, taken); s != XCC_SUCCESS) {
    delete holds;
    // A transfer of a failed GPU may still complete its signals, so they leak.
    r.kept.clear();
    return s;
  }
  r.what.retain();
  holds->sequence = &r.what;
  // Subtract the places that are ends of chunks.
  size_t left = std::min<size_t>(
      taken - ((first + taken) / chunk - first / chunk), end - next);
  if (!left) [[unlikely]] { // the only place is the end of a chunk
    delete holds;
    holds = nullptr;
  }
  for (uint64_t index = first; index != first + taken; ++index) {
    if (beside(index).holds.load(std::memory_order_relaxed)) [[unlikely]]
      discard(index);
    if ((index & (chunk - 1)) == chunk - 1) [[unlikely]] {
      fillEnd(index);
    } else if (left) [[likely]] {
      --left;
      put(r, r.all.entries[next++], index, left ? nullptr : holds);
    } else {
      // Another thread took places in between, so no chunk ends here.
      beside(index).info.store(nullptr, std::memory_order_relaxed);
      aql::fillBarrier(packet(index).barrier, 0, 0);
      aql::publish(packet(index), aql::AQL_BARRIER_AND, 0);
    }
  }
  ringFor(first + taken - 1);
  return XCC_SUCCESS;
}

xcc_status HsaQueue::put(Replay &r, size_t begin, size_t end) {
  while (begin != end)
    XCC_TRY(putPiece(r, begin, end));
  return XCC_SUCCESS;
}

/// Gives a part's transfers to engines. If one is rejected, the waits for those
/// before it are enqueued.
xcc_status HsaQueue::begin(Replay &r, const HsaSequence::Part &p) {
  for (size_t i = 0; i != p.transfers; ++i) {
    const Transfer &t = r.all.transfers[p.firstTransfer + i];
    const PacketResources &k = *r.kept[p.firstTransfer + i];
    const Status called = hsa.amd_memory_async_copy(
        t.to, t.toAgent, t.from, t.fromAgent, t.bytes, 1, &k.signals[1]->handle,
        k.signals[0]->handle);
    if (called == StatusSuccess)
      continue;
    XCC_TRY(put(r, p.end, p.end + i));
    return on.failed("hsa_amd_memory_async_copy", called);
  }
  return XCC_SUCCESS;
}

xcc_status HsaQueue::replay(Sequence &what) {
  // A profile or a trace needs single launches.
  if (profile::watching()) [[unlikely]]
    return Queue::replay(what);
  const HsaSequence *all;
  {
    std::lock_guard lock(what.preparing);
    if (!what.prepared)
      what.prepared = std::make_unique<HsaSequence>(on, what);
    all = static_cast<const HsaSequence *>(what.prepared.get());
  }
  Replay r{what, *all, std::vector<PacketResources *>(all->transfers.size())};
  for (const HsaSequence::Part &p : all->parts) {
    if (!p.packets) {
      for (size_t i = p.begin; i != p.end; ++i)
        XCC_TRY(enqueue(what.steps[i], what.on, *this));
      continue;
    }
    if (p.transfers)
      XCC_TRY(prepare(r, p));
    XCC_TRY(put(r, p.begin, p.end));
    if (p.transfers)
      XCC_TRY(begin(r, p));
  }
  return XCC_SUCCESS;
}

} // namespace xcc::rt::hsa
