// HSA signals on the CPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <new>

namespace xcc::rt::cpu {

Signal *Signal::make() {
  Signal *S = takeFree();
  if (!S && !(S = new (std::nothrow) Signal))
    return nullptr;
  S->Producer = nullptr;
  S->Time = 0;
  S->Value.store(1, std::memory_order_relaxed);
  S->begin();
  return S;
}

} // namespace xcc::rt::cpu
