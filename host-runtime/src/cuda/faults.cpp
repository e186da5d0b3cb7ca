// Error reports of kernels that failed on an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/faults.h"
#include "cuda/queue/queue.h"
#include "gpu.h"
#include "services/host_services.h"

#include <algorithm>

namespace xcc::rt::cuda {

namespace {
/// The latest launches of all queues that may be running, the last one first.
class Latest {
public:
  void add(const PastLaunch &p) {
    size_t at = count;
    while (at && order[at - 1] < p.order)
      --at;
    if (at == Most)
      return;
    count = std::min(count + 1, Most);
    std::copy_backward(launches + at, launches + count - 1, launches + count);
    std::copy_backward(order + at, order + count - 1, order + count);
    launches[at] = p;
    order[at] = p.order;
  }
  std::span<const Suspect> get() const { return {launches, count}; }

private:
  static constexpr size_t Most = 4;
  Suspect launches[Most];
  uint64_t order[Most];
  size_t count = 0;
};
} // namespace

xcc_error *CudaDevice::fault(Result r) {
  std::lock_guard lock(mutex);
  if (xcc_error *known = unusableError())
    return known;
  if (ended())
    return nullptr;
  abandonCalls(*this);
  ResultText text(r);
  Latest latest;
  uint64_t running = 0;
  for (CudaQueue &q : queues)
    running +=
        q.launches.visitRunning([&](const PastLaunch &p) { latest.add(p); });
  xcc_error *first = describeFault(
      *this,
      {statusOf(r), latest.get(), running, text.text(), text.name(),
       Settings[0].name, "; CUDA_LAUNCH_BLOCKING=1 shows which", signalOf(r)});
  unusable.store(unusableSince(*this, first), std::memory_order_release);
  return first;
}

void CudaDevice::interrupt(const Kernel &running, const char *why, bool) {
  std::lock_guard lock(mutex);
  if (unusable.load(std::memory_order_acquire))
    return;
  abandonCalls(*this);
  xcc_error *first = describeEndless(*this, running, why);
  unusable.store(unusableSince(*this, first), std::memory_order_release);
  xcc_error_release(first);
  givenUp.store(true, std::memory_order_release);
}

xcc_error *CudaDevice::lateFailure(Result r) {
  if (r == Deinitialized)
    return nullptr; // the process is ending
  if (killsContext(r))
    return fault(r);
  return makeError(statusOf(r), site(), "waiting for device %d (%s) failed: %s",
                   ordinal(), id(), ResultText(r).text());
}

xcc_error *CudaDevice::unusableError() {
  xcc_error *error = unusable.load(std::memory_order_acquire);
  return error && !ended() ? xcc_error_retain(error) : nullptr;
}

xcc_status CudaDevice::failed(Result r, const char *what) {
  if (killsContext(r))
    if (xcc_error *error = fault(r))
      return failWith(error);
  return fail(statusOf(r), site(), "%s failed on device %d (%s): %s", what,
              ordinal(), id(), ResultText(r).text());
}

} // namespace xcc::rt::cuda
