// Events of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is a barrier packet that waits for nothing and completes a signal; a
// wait is a barrier packet that depends on one.

#include "queue.h"

namespace xcc::rt::cpu {

[[gnu::cold]] static xcc_status noSignal() {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event's signal");
}

xcc_status CpuQueue::record(Event &E) {
  if (!Workers.start()) [[unlikely]]
    return failToStart();
  Signal *S = Signal::make();
  if (!S)
    return noSignal();
  S->retain(); // one count for the packet, one for the event
  uint64_t Index = reserve();
  S->Producer = this;
  S->Index = Index;
  S->Use = use();
  aql::fillBarrier(packet(Index).Barrier, 0, S->handle());
  static_cast<CpuEvent &>(E).set(S);
  hand(Index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::wait(Event &E) {
  Signal *S = static_cast<CpuEvent &>(E).hold();
  if (!S)
    return XCC_SUCCESS;
  if (S->reached() || S->Producer == this) {
    S->release(); // in order anyway
    return XCC_SUCCESS;
  }
  uint64_t Index = reserve();
  aql::fillBarrier(packet(Index).Barrier, S->handle(), 0);
  hand(Index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

bool CpuEvent::reached() {
  std::lock_guard Lock(Mutex);
  return !Point || Point->reached();
}

uint64_t CpuEvent::time() {
  std::lock_guard Lock(Mutex);
  return Point && Point->reached() ? Point->Time : 0;
}

xcc_status CpuEvent::elapsed(Event &From, double &Milliseconds) {
  double Begin = double(static_cast<CpuEvent &>(From).time());
  Milliseconds = (double(time()) - Begin) / 1e6;
  return XCC_SUCCESS;
}

xcc_status CpuEvent::synchronize() {
  Signal *S = hold();
  if (!S)
    return XCC_SUCCESS;
  CpuQueue &Q = *S->Producer;
  Q.waitFor(S->Index + 1);
  uint32_t PointsUse = S->Use;
  S->release();
  return Q.reportFrom(PointsUse);
}

} // namespace xcc::rt::cpu
