// Events of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"

namespace xcc::rt::cuda {

CudaEvent::~CudaEvent() {
  // The driver finishes what is pending on the event; ignore failures.
  if (!on.ended() && on.enter() == XCC_SUCCESS)
    (void)theDriver.EventDestroy(handle);
}

void CudaEvent::passed() {
  if (CudaQueue *q = at.load(std::memory_order_acquire))
    q->launches.ended(mark.load(std::memory_order_relaxed));
}

bool CudaEvent::reached() {
  CudaQueue *q = at.load(std::memory_order_acquire);
  if (!q || on.ended())
    return true;
  if (on.enter() != XCC_SUCCESS) {
    q->keep(xcc_error_capture());
    return true;
  }
  Result r = theDriver.EventQuery(handle);
  if (r == NotReady)
    return false;
  if (r == Success)
    passed();
  else
    q->keep(on.lateFailure(r));
  return true;
}

xcc_status CudaEvent::synchronize() {
  CudaQueue *q = at.load(std::memory_order_acquire);
  if (!q || on.ended())
    return XCC_SUCCESS;
  XCC_TRY(on.enter());
  Result r = theDriver.EventSynchronize(handle);
  if (r == Success)
    passed();
  else
    q->keep(on.lateFailure(r));
  return q->reportFrom(use.load(std::memory_order_relaxed));
}

xcc_status CudaEvent::elapsed(Event &from, double &milliseconds) {
  XCC_TRY(on.enter());
  float time = 0;
  if (Result r = theDriver.EventElapsedTime(
          &time, static_cast<CudaEvent &>(from).handle, handle))
    return on.failed(r, "reading the time between two events");
  milliseconds = double(time);
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
