// Events of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To record an event, the queue writes a barrier packet that waits for nothing
// and completes a signal. To wait, it writes a barrier packet that depends on
// that signal.

#include "cpu/workers/sanitizer.h"
#include "queue.h"

namespace xcc::rt::cpu {

[[gnu::cold]] static xcc_status noSignal() {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event's signal");
}

xcc_status CpuQueue::record(Event &e) {
  if (!workers.start()) [[unlikely]]
    return failToStart();
  Signal *s = Signal::make();
  if (!s)
    return noSignal();
  s->retain(); // one reference for the packet, one for the event
  uint64_t index = reserve();
  s->placeAt(*this, index);
  aql::fillBarrier(ring().packet(index).barrier, 0, s->handle());
  static_cast<CpuEvent &>(e).set(s);
  hand(index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::wait(Event &e) {
  SignalHold s = static_cast<CpuEvent &>(e).holdFor(*this);
  if (!s)
    return XCC_SUCCESS;
  uint64_t index = reserve();
  // The packet takes over the reference.
  aql::fillBarrier(ring().packet(index).barrier, s.take()->handle(), 0);
  hand(index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

bool CpuEvent::reached() {
  std::lock_guard lock(mutex);
  if (point && !point->reached())
    return false;
  if (point)
    sanitizer::acquire(point);
  return true;
}

uint64_t CpuEvent::time() {
  std::lock_guard lock(mutex);
  return point && point->reached() ? point->time : 0;
}

xcc_status CpuEvent::elapsed(Event &from, double &milliseconds) {
  double begin = double(static_cast<CpuEvent &>(from).time());
  milliseconds = (double(time()) - begin) / 1e6;
  return XCC_SUCCESS;
}

xcc_status CpuEvent::synchronize() {
  SignalHold s = hold();
  if (!s)
    return XCC_SUCCESS;
  s->producer->waitFor(s->index + 1);
  return s->producer->reportFrom(s->use);
}

} // namespace xcc::rt::cpu
