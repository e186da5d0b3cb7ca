// What packets keep until they have ended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches keep nothing. Those with large arguments keep these, and those
// of kernels that may call the host see to it that it listens until they ended.

#include "hsa/image/image.h"
#include "queue.h"
#include "services/host_services.h"

#include <new>

namespace xcc::rt::hsa {

HsaQueue::Kept::~Kept() {
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
}

/// What a launch needs that has large arguments or may call the host. The host
/// listens until what is kept goes.
xcc_status HsaQueue::prepare(const HsaKernel &k, Kept *&out) {
  auto *fresh = new (std::nothrow) Kept;
  if (!fresh)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a launch");
  xcc_status bad = XCC_SUCCESS;
  if (k.segment > KernargBytes)
    bad = on.allocateHost(on.world.kernarg, k.segment, &fresh->kernarg);
  if (bad == XCC_SUCCESS && k.callsHost) {
    bad = Signal::make(fresh->signals[0]);
    beginCalls(on.self);
    fresh->calls = &on;
  }
  if (bad == XCC_SUCCESS)
    out = fresh;
  else
    delete fresh;
  return bad;
}

/// Has the host stop listening as soon as the kernel has ended; the signal for
/// its packet. Without the library's help, that is at the next wait for the
/// queue, or when the packet's place is needed.
SignalRef HsaQueue::listen(uint64_t index, Kept &k) {
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
