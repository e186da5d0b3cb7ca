// Events of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu.h"

namespace xcc::rt::cuda {

CudaEvent::~CudaEvent() {
  // What is pending on it is the driver's to finish; a failure has no meaning.
  if (!On.ended() && On.enter() == XCC_SUCCESS)
    (void)TheDriver.EventDestroy(Handle);
}

void CudaEvent::passed() {
  if (CudaQueue *Q = At.load(std::memory_order_acquire))
    Q->Launches.ended(Mark.load(std::memory_order_relaxed));
}

bool CudaEvent::reached() {
  CudaQueue *Q = At.load(std::memory_order_acquire);
  if (!Q || On.ended())
    return true;
  if (On.enter() != XCC_SUCCESS) {
    Q->keep(xcc_error_capture());
    return true;
  }
  Result R = TheDriver.EventQuery(Handle);
  if (R == NotReady)
    return false;
  if (R == Success)
    passed();
  else
    Q->keep(On.lateFailure(R));
  return true;
}

xcc_status CudaEvent::synchronize() {
  CudaQueue *Q = At.load(std::memory_order_acquire);
  if (!Q || On.ended())
    return XCC_SUCCESS;
  XCC_TRY(On.enter());
  Result R = TheDriver.EventSynchronize(Handle);
  if (R == Success)
    passed();
  else
    Q->keep(On.lateFailure(R));
  return Q->reportFrom(Use.load(std::memory_order_relaxed));
}

xcc_status CudaEvent::elapsed(Event &From, double &Milliseconds) {
  XCC_TRY(On.enter());
  float Time = 0;
  if (Result R = TheDriver.EventElapsedTime(
          &Time, static_cast<CudaEvent &>(From).Handle, Handle))
    return On.failed(R, "reading the time between two events");
  Milliseconds = double(Time);
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
