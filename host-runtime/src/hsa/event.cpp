// Events of AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is a barrier packet that waits for nothing and completes a signal; a
// wait is a barrier packet that depends on one. All GPUs share their signals,
// so a queue may wait for another GPU's event.

#include "queue.h"

#include <new>

namespace xcc::rt::hsa {

xcc_status HsaQueue::record(Event &E) {
  Signal *S;
  XCC_TRY(mark(S));
  static_cast<HsaEvent &>(E).set(S);
  return XCC_SUCCESS;
}

xcc_status HsaQueue::wait(Event &E) {
  SignalHold S(static_cast<HsaEvent &>(E).hold());
  // What this queue recorded is in order anyway.
  if (!S || S->reached() || S->Producer == this)
    return XCC_SUCCESS;
  auto *K = new (std::nothrow) Kept;
  if (!K)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a wait");
  Signal *On = K->Signals[0] = S.take();
  return barrier(On, nullptr, K);
}

bool HsaEvent::reached() {
  bool Ask;
  {
    std::lock_guard Lock(Mutex);
    if (!Point || Point->reached() || On.dead())
      return true;
    Ask = ++Polls % 256 == 0;
  }
  if (Ask)
    releaseFailedCopies();
  return false;
}

/// The GPU's time stamps of the packet that completed the signal.
static xcc_status timeOf(const Signal &S, uint64_t &Ticks) {
  const Gpu &On = S.Producer->gpu();
  if (!Hsa.amd_profiling_get_dispatch_time)
    return fail(XCC_ERROR_SYSTEM, On.site(),
                "the HSA runtime has no time stamps of packets; install a "
                "newer ROCm");
  DispatchTime T{};
  Status Bad =
      Hsa.amd_profiling_get_dispatch_time(On.Facts.Handle, S.Handle, &T);
  if (Bad != StatusSuccess)
    return On.failed("hsa_amd_profiling_get_dispatch_time", Bad);
  Ticks = T.End;
  return XCC_SUCCESS;
}

xcc_status HsaEvent::elapsed(Event &From, double &Milliseconds) {
  SignalHold First(static_cast<HsaEvent &>(From).hold()), Last(hold());
  Milliseconds = 0;
  if (!First || !Last)
    return XCC_SUCCESS;
  uint64_t Begin, End;
  XCC_TRY(timeOf(*First.get(), Begin));
  XCC_TRY(timeOf(*Last.get(), End));
  Milliseconds =
      double(int64_t(End - Begin)) * 1e3 / double(On.World.TickFrequency);
  return XCC_SUCCESS;
}

xcc_status HsaEvent::synchronize() {
  SignalHold S(hold());
  if (!S)
    return XCC_SUCCESS;
  HsaQueue &Q = *S->Producer;
  Q.waitFor(*S.get());
  Q.collect();
  return Q.reportFrom(S->Use);
}

} // namespace xcc::rt::hsa
