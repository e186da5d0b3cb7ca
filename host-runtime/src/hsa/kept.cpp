// What packets keep until they have ended
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches keep nothing. Those with large arguments keep these, and those
// of kernels that may call the host see to it that it listens until they ended.

#include "../services/host_services.h"
#include "image.h"
#include "queue.h"

#include <new>

namespace xcc::rt::hsa {

HsaQueue::Kept::~Kept() {
  if (Calls)
    endCalls(Calls->Self);
  for (Signal *S : Signals)
    if (S)
      S->release();
  if (Locked)
    Hsa.amd_memory_unlock(Locked);
  if (Kernarg)
    Hsa.amd_memory_pool_free(Kernarg);
  if (Memory)
    Hsa.amd_memory_pool_free(Memory);
}

/// What a launch needs that has large arguments or may call the host. The host
/// listens until what is kept goes.
xcc_status HsaQueue::prepare(const HsaKernel &K, Kept *&Out) {
  auto *New = new (std::nothrow) Kept;
  if (!New)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a launch");
  xcc_status Bad = XCC_SUCCESS;
  if (K.Segment > KernargBytes)
    Bad = On.allocateHost(On.World.Kernarg, K.Segment, &New->Kernarg);
  if (Bad == XCC_SUCCESS && K.CallsHost) {
    Bad = Signal::make(New->Signals[0]);
    beginCalls(On.Self);
    New->Calls = &On;
  }
  if (Bad == XCC_SUCCESS)
    Out = New;
  else
    delete New;
  return Bad;
}

/// Has the host stop listening as soon as the kernel has ended; the signal for
/// its packet. Without the library's help, that is at the next wait for the
/// queue, or when the packet's place is needed.
SignalRef HsaQueue::listen(uint64_t Index, Kept &K) {
  Signal *S = K.Signals[0];
  S->Producer = this;
  S->Index = Index;
  S->Use = use();
  auto Ends = [](int64_t, void *Data) {
    auto *S = static_cast<Signal *>(Data);
    endCalls(S->Producer->device());
    S->release();
    return false;
  };
  S->retain();
  if (Hsa.amd_signal_async_handler &&
      Hsa.amd_signal_async_handler(S->Handle, ConditionLt, 1, Ends, S) ==
          StatusSuccess)
    K.Calls = nullptr;
  else
    S->release();
  return S->Handle;
}

} // namespace xcc::rt::hsa
