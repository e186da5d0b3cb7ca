// State of an AMD GPU that queues, images and copies share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu.h"
#include "common/faults.h"
#include "hsa/queue/queue.h"
#include "long_wait.h"
#include "services/host_services.h"

namespace xcc::rt::hsa {

/// The size of the heap state of ROCm's device libraries.
static constexpr size_t HeapBytes = 128 * 1024;

std::vector<Gpu *> &allGpus() {
  static std::vector<Gpu *> &all = *new std::vector<Gpu *>;
  return all;
}

Gpu *gpuOf(Agent a) {
  for (Gpu *g : allGpus())
    if (g->facts.handle == a)
      return g;
  return nullptr;
}

Gpu *gpuOf(const Device &device) {
  for (Gpu *g : allGpus())
    if (&g->self == &device)
      return g;
  return nullptr;
}

xcc_status Gpu::failed(const char *call, Status s) const {
  return fail(codeOf(s), site(), "%s failed on device %d (%s): %s", call,
              ordinal(), id(), statusText(s));
}

xcc_status Gpu::allocateHost(Pool from, size_t bytes, void **out) const {
  Status s = hsa.amd_memory_pool_allocate(from, bytes, 0, out);
  if (s != StatusSuccess)
    return fail(XCC_ERROR_OUT_OF_MEMORY, site(),
                "out of memory: cannot allocate %zu bytes of host memory for "
                "device %d (%s): %s",
                bytes, ordinal(), id(), statusText(s));
  s = hsa.amd_agents_allow_access(static_cast<uint32_t>(world.gpuAgents.size()),
                                  world.gpuAgents.data(), nullptr, *out);
  if (s == StatusSuccess)
    return XCC_SUCCESS;
  hsa.amd_memory_pool_free(*out);
  *out = nullptr;
  return failed("hsa_amd_agents_allow_access", s);
}

xcc_status Gpu::heap(void *&out) {
  std::lock_guard lock(heapMutex);
  if (!heap_) {
    void *made = nullptr;
    Status s = hsa.amd_memory_pool_allocate(facts.memory, HeapBytes, 0, &made);
    if (s != StatusSuccess)
      return failed("hsa_amd_memory_pool_allocate (the device heap)", s);
    s = hsa.amd_memory_fill(made, 0, HeapBytes / 4);
    if (s != StatusSuccess) {
      hsa.amd_memory_pool_free(made);
      return failed("hsa_amd_memory_fill (the device heap)", s);
    }
    heap_ = made;
  }
  out = heap_;
  return XCC_SUCCESS;
}

bool Gpu::waitBelow(SignalRef s, int64_t below, const HsaQueue *of) const {
  auto wait = [&](uint64_t divisor, WaitState how) {
    return hsa.signal_wait_scacquire(s, ConditionLt, below,
                                     world.tickFrequency / divisor,
                                     how) < below;
  };
  if (hasFailed())
    return false;
  if (wait(50000, WaitActive)) // 20 us, because most waits are short
    return true;
  // Wait in slices, so that a fault ends the wait.
  LongWait so(of);
  while (!wait(50, WaitBlocked)) {
    if (hasFailed())
      return false;
    releaseFailedCopies();
    so.look();
  }
  return !hasFailed();
}

void Gpu::setFault(xcc_error *why) {
  xcc_error *none = nullptr;
  if (!firstFault.compare_exchange_strong(none, why,
                                          std::memory_order_acq_rel)) {
    xcc_error_release(why);
    return;
  }
  for (HsaQueue &q : queues)
    q.abandon();
  abandonCalls(self);
}

xcc_status Gpu::unusable() const {
  return failWith(
      unusableSince(self, firstFault.load(std::memory_order_acquire)));
}

xcc_error *Gpu::takeFault() {
  xcc_error *why = firstFault.load(std::memory_order_acquire);
  if (!why)
    return nullptr;
  if (!reported.exchange(true, std::memory_order_acq_rel))
    return xcc_error_retain(why);
  if (stopped.load(std::memory_order_relaxed))
    return nullptr;
  (void)unusable();
  return xcc_error_capture();
}

void releaseFailedCopies() {
  for (Gpu *g : allGpus())
    for (HsaQueue &q : g->queues)
      q.releaseFailedCopies();
}

} // namespace xcc::rt::hsa
