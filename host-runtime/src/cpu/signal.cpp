// HSA signals on the CPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <mutex>
#include <new>

namespace xcc::rt::cpu {

static std::mutex FreeMutex;
static Signal *FreeList;

Signal *Signal::make() {
  Signal *S;
  {
    std::lock_guard Lock(FreeMutex);
    S = FreeList;
    if (S)
      FreeList = S->NextFree;
  }
  if (!S && !(S = new (std::nothrow) Signal))
    return nullptr;
  S->Producer = nullptr;
  S->Time = 0;
  S->Value.store(1, std::memory_order_relaxed);
  S->Count.store(1, std::memory_order_release);
  return S;
}

void Signal::release() {
  if (Count.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  std::lock_guard Lock(FreeMutex);
  NextFree = FreeList;
  FreeList = this;
}

} // namespace xcc::rt::cpu
