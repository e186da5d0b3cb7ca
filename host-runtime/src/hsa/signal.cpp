// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <mutex>
#include <new>

namespace xcc::rt::hsa {

static std::mutex FreeMutex;
static Signal *FreeList;

xcc_status Signal::make(Signal *&Out) {
  {
    std::lock_guard Lock(FreeMutex);
    Out = FreeList;
    if (Out)
      FreeList = Out->NextFree;
  }
  if (Out) {
    Hsa.signal_store_screlease(Out->Handle, 1);
  } else {
    Out = new (std::nothrow) Signal;
    if (!Out)
      return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a signal");
    Status S = Hsa.signal_create(1, 0, nullptr, &Out->Handle);
    if (S != StatusSuccess) {
      delete Out;
      Out = nullptr;
      return fail(codeOf(S), "hsa_signal_create failed: %s", statusText(S));
    }
  }
  Out->Producer = nullptr;
  Out->Copy = false;
  Out->Count.store(1, std::memory_order_release);
  return XCC_SUCCESS;
}

void Signal::release() {
  if (Count.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  std::lock_guard Lock(FreeMutex);
  NextFree = FreeList;
  FreeList = this;
}

} // namespace xcc::rt::hsa
