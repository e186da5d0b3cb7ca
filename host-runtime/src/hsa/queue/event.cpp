// Events of AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To record an event, the queue writes a barrier packet that waits for nothing
// and completes a signal. To wait, it writes a barrier packet that depends on
// that signal. All GPUs share signals, so a queue may wait for another GPU's
// event. For a call of a host function, the library calls it when one signal is
// reached, and the queue waits for a second signal.

#include "queue.h"

#include <new>

namespace xcc::rt::hsa {

xcc_status HsaQueue::record(Event &e) {
  Signal *s;
  XCC_TRY(mark(s));
  static_cast<HsaEvent &>(e).set(s);
  return XCC_SUCCESS;
}

xcc_status HsaQueue::wait(Event &e) {
  SignalHold s = static_cast<HsaEvent &>(e).holdFor(*this);
  if (!s)
    return XCC_SUCCESS;
  auto *k = new (std::nothrow) PacketResources;
  if (!k)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a wait");
  Signal *on = k->signals[0] = s.take();
  return barrier(on, nullptr, k);
}

namespace {
struct HostCall {
  Gpu &on;
  void (*function)(void *);
  void *data;
  SignalHold before, after;
};
} // namespace

xcc_status HsaQueue::call(void (*function)(void *), void *data) {
  Signal *before, *after;
  XCC_TRY(mark(before));
  SignalHold reached(before);
  auto *wait = new (std::nothrow) PacketResources;
  xcc_status made = wait ? Signal::make(after)
                         : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a "
                                                         "call of the host");
  if (made != XCC_SUCCESS) {
    delete wait;
    return made;
  }
  after->retain();
  wait->signals[0] = after;
  SignalHold ends(after);
  auto *held = new (std::nothrow)
      HostCall{on, function, data, std::move(reached), std::move(ends)};
  if (!held) {
    delete wait;
    return fail(XCC_ERROR_OUT_OF_MEMORY,
                "out of memory for a call of the host");
  }
  auto run = [](int64_t, void *data) {
    auto *held = static_cast<HostCall *>(data);
    if (!held->on.hasFailed())
      held->function(held->data);
    hsa.signal_store_screlease(held->after->handle, 0);
    delete held;
    return false;
  };
  if (hsa.amd_signal_async_handler &&
      hsa.amd_signal_async_handler(before->handle, ConditionLt, 1, run, held) ==
          StatusSuccess)
    return barrier(after, nullptr, wait);
  // The library cannot call it, so the calling thread waits and calls.
  delete wait;
  if (waitFor(*before))
    run(0, held);
  else
    delete held;
  return on.hasFailed() ? on.unusable() : XCC_SUCCESS;
}

bool HsaEvent::reached() {
  bool ask;
  {
    std::lock_guard lock(mutex);
    if (!point || point->reached() || on.hasFailed())
      return true;
    ask = ++polls % 256 == 0;
  }
  if (ask)
    releaseFailedCopies();
  return false;
}

/// The GPU's time stamp of the packet that completed the signal.
static xcc_status timeOf(const Signal &s, uint64_t &ticks) {
  const Gpu &on = s.producer->gpu();
  if (!hsa.amd_profiling_get_dispatch_time)
    return fail(XCC_ERROR_SYSTEM, on.site(),
                "the HSA runtime has no time stamps of packets; install a "
                "newer ROCm");
  DispatchTime t{};
  Status bad =
      hsa.amd_profiling_get_dispatch_time(on.facts.handle, s.handle, &t);
  if (bad != StatusSuccess)
    return on.failed("hsa_amd_profiling_get_dispatch_time", bad);
  ticks = t.end;
  return XCC_SUCCESS;
}

xcc_status HsaEvent::elapsed(Event &from, double &milliseconds) {
  SignalHold first = static_cast<HsaEvent &>(from).hold(), last = hold();
  milliseconds = 0;
  if (!first || !last)
    return XCC_SUCCESS;
  uint64_t begin, end;
  XCC_TRY(timeOf(*first.get(), begin));
  XCC_TRY(timeOf(*last.get(), end));
  milliseconds =
      double(int64_t(end - begin)) * 1e3 / double(on.world.tickFrequency);
  return XCC_SUCCESS;
}

xcc_status HsaEvent::synchronize() {
  SignalHold s = hold();
  if (!s)
    return XCC_SUCCESS;
  HsaQueue &q = *s->producer;
  q.waitFor(*s.get());
  q.collect();
  return q.reportFrom(s->use);
}

} // namespace xcc::rt::hsa
