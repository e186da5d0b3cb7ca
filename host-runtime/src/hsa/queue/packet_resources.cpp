// Resources that packets hold until they have ended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches hold none. A launch with large arguments holds these. A kernel
// that may call the host makes the host serve calls until it has ended. A
// graph's packets hold the sequence.

#include "devices/sequence.h"
#include "hsa/image/image.h"
#include "queue.h"
#include "services/host_services.h"

#include <new>

namespace xcc::rt::hsa {

/// Reads when the packet or copy that completed the signal ran. Returns false
/// if that is not known.
static bool timeOf(const Signal &s, const Gpu &on, DispatchTime &t) {
  if (s.copy) {
    CopyTime c{};
    if (!hsa.amd_profiling_get_async_copy_time ||
        hsa.amd_profiling_get_async_copy_time(s.handle, &c) != StatusSuccess)
      return false;
    t = {c.begin, c.end};
  } else if (!hsa.amd_profiling_get_dispatch_time ||
             hsa.amd_profiling_get_dispatch_time(on.facts.handle, s.handle,
                                                 &t) != StatusSuccess) {
    return false;
  }
  return t.end >= t.begin && t.begin;
}

/// Reports when the work ran, in the host's time.
static void reportTimes(profile::Work *w, const Gpu &on, const Signal *s) {
  DispatchTime t{};
  uint64_t ticks = 0;
  if (!s || !s->reached() || s->failed() || !timeOf(*s, on, t) ||
      hsa.system_get_info(SystemTimestamp, &ticks) != StatusSuccess)
    return profile::ended(w, 0, 0);
  const double scale = 1e9 / double(on.world.tickFrequency);
  auto ago = [&](uint64_t then) {
    return trace::now() - uint64_t(double(int64_t(ticks - then)) * scale);
  };
  uint64_t end = ago(t.end);
  profile::ended(w, end - uint64_t(double(t.end - t.begin) * scale), end);
}

int HsaQueue::track() {
  if (!trace::enabled())
    return 0;
  if (int known = track_.load(std::memory_order_relaxed))
    return known;
  int none = 0, fresh = profile::newTrack(on.id());
  return track_.compare_exchange_strong(none, fresh) ? fresh : none;
}

profile::Work *HsaQueue::timed(const LaunchRequest &r) {
  if (!profile::watching()) [[likely]]
    return nullptr;
  return profile::launched(on.ordinal(), r.profiled(), track());
}

profile::Work *HsaQueue::timed(profile::Direction direction, size_t bytes) {
  if (!profile::watching()) [[likely]]
    return nullptr;
  return profile::copies(on.ordinal(), direction, bytes, track());
}

HsaQueue::PacketResources::~PacketResources() {
  if (work)
    reportTimes(work, *workOn, signals[0]);
  if (calls)
    endCalls(calls->self);
  for (Signal *s : signals)
    if (s)
      s->release();
  if (locked)
    hsa.amd_memory_unlock(locked);
  if (kernarg)
    hsa.amd_memory_pool_free(kernarg);
  if (memory)
    hsa.amd_memory_pool_free(memory);
  if (sequence)
    sequence->release();
}

/// Prepares the resources of a launch that has large arguments or may call the
/// host. The host serves calls until they are released.
xcc_status HsaQueue::prepare(const HsaKernel &k, profile::Work *work,
                             PacketResources *&out) {
  auto *fresh = new (std::nothrow) PacketResources;
  if (!fresh)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a launch");
  xcc_status bad = XCC_SUCCESS;
  if (k.segment > KernargBytes)
    bad = on.allocateHost(on.world.kernarg, k.segment, &fresh->kernarg);
  if (bad == XCC_SUCCESS && (k.callsHost || work))
    bad = Signal::make(fresh->signals[0]);
  if (bad == XCC_SUCCESS && k.callsHost) {
    beginCalls(on.self);
    fresh->calls = &on;
  }
  if (bad == XCC_SUCCESS) {
    fresh->work = work;
    fresh->workOn = &on;
    out = fresh;
  } else {
    delete fresh;
  }
  return bad;
}

/// Makes the host stop serving calls as soon as the kernel has ended; returns
/// the signal for its packet. If the library cannot call back, that happens at
/// the next wait for the queue, or when the packet's place is reused.
SignalRef HsaQueue::listen(uint64_t index, PacketResources &k) {
  Signal *s = k.signals[0];
  s->placeAt(*this, index);
  auto ends = [](int64_t, void *data) {
    auto *s = static_cast<Signal *>(data);
    endCalls(s->producer->device());
    s->release();
    return false;
  };
  s->retain();
  if (hsa.amd_signal_async_handler &&
      hsa.amd_signal_async_handler(s->handle, ConditionLt, 1, ends, s) ==
          StatusSuccess)
    k.calls = nullptr;
  else
    s->release();
  return s->handle;
}

} // namespace xcc::rt::hsa
