// What queues, images and copies share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu.h"
#include "../services/host_services.h"
#include "queue.h"

#include <cstdlib>
#include <cstring>

namespace xcc::rt::hsa {

/// What ROCm's device libraries take for their heap's bookkeeping.
static constexpr size_t HeapBytes = 128 * 1024;

std::vector<Gpu *> &allGpus() {
  static std::vector<Gpu *> &All = *new std::vector<Gpu *>;
  return All;
}

Gpu *gpuOf(Agent A) {
  for (Gpu *G : allGpus())
    if (G->Facts.Handle == A)
      return G;
  return nullptr;
}

xcc_status Gpu::failed(const char *Call, Status S) const {
  return fail(codeOf(S), site(), "%s failed on device %d (%s): %s", Call,
              ordinal(), id(), statusText(S));
}

xcc_status Gpu::allocateHost(Pool From, size_t Bytes, void **Out) const {
  Status S = Hsa.amd_memory_pool_allocate(From, Bytes, 0, Out);
  if (S != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes of host memory for "
                "device %d (%s): %s",
                Bytes, ordinal(), id(), statusText(S));
  S = Hsa.amd_agents_allow_access(static_cast<uint32_t>(World.GpuAgents.size()),
                                  World.GpuAgents.data(), nullptr, *Out);
  if (S == StatusSuccess)
    return XCC_SUCCESS;
  Hsa.amd_memory_pool_free(*Out);
  *Out = nullptr;
  return failed("hsa_amd_agents_allow_access", S);
}

xcc_status Gpu::heap(void *&Out) {
  std::lock_guard Lock(HeapMutex);
  if (!Heap) {
    void *Made = nullptr;
    Status S = Hsa.amd_memory_pool_allocate(Facts.Memory, HeapBytes, 0, &Made);
    if (S != StatusSuccess)
      return failed("hsa_amd_memory_pool_allocate (the device heap)", S);
    S = Hsa.amd_memory_fill(Made, 0, HeapBytes / 4);
    if (S != StatusSuccess) {
      Hsa.amd_memory_pool_free(Made);
      return failed("hsa_amd_memory_fill (the device heap)", S);
    }
    Heap = Made;
  }
  Out = Heap;
  return XCC_SUCCESS;
}

bool Gpu::waitBelow(SignalRef S, int64_t Below) const {
  auto Wait = [&](uint64_t Divisor, WaitState How) {
    return Hsa.signal_wait_scacquire(S, ConditionLt, Below,
                                     World.TickFrequency / Divisor,
                                     How) < Below;
  };
  if (dead())
    return false;
  if (Wait(50000, WaitActive)) // 20 us: most waits are short
    return true;
  // In slices, so that a fault ends the wait.
  while (!Wait(50, WaitBlocked)) {
    if (dead())
      return false;
    releaseFailedCopies();
  }
  return !dead();
}

void Gpu::setFault(xcc_error *Why) {
  xcc_error *None = nullptr;
  if (!Fault.compare_exchange_strong(None, Why, std::memory_order_acq_rel)) {
    xcc_error_release(Why);
    return;
  }
  for (HsaQueue *Q = Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    Q->abandon();
  abandonCalls(Self);
}

xcc_status Gpu::unusable() const {
  const xcc_error *Why = Fault.load(std::memory_order_acquire);
  const char *Kernel = xcc_error_kernel(Why);
  ErrorSite Site{Kernel, xcc_error_file(Why), xcc_error_line(Why), ordinal()};
  return fail(XCC_ERROR_LAUNCH_FAILED, Site,
              "device %d (%s) is unusable since a kernel failed there: %s; "
              "restart the program",
              ordinal(), id(), xcc_error_message(Why));
}

xcc_error *Gpu::takeFault() {
  xcc_error *Why = Fault.load(std::memory_order_acquire);
  if (!Why)
    return nullptr;
  if (!Reported.exchange(true, std::memory_order_acq_rel))
    return xcc_error_retain(Why);
  if (Stopped.load(std::memory_order_relaxed))
    return nullptr;
  (void)unusable();
  return xcc_error_capture();
}

void releaseFailedCopies() {
  for (Gpu *G : allGpus())
    for (HsaQueue *Q = G->Queues.load(std::memory_order_acquire); Q;
         Q = Q->Next)
      Q->releaseFailedCopies();
}

} // namespace xcc::rt::hsa
