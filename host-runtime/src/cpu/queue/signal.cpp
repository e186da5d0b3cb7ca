// HSA signals on the CPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <new>

namespace xcc::rt::cpu {

Signal *Signal::make() {
  Signal *s = takeFree();
  if (!s && !(s = new (std::nothrow) Signal))
    return nullptr;
  s->producer = nullptr;
  s->time = 0;
  s->value.store(1, std::memory_order_relaxed);
  s->begin();
  return s;
}

} // namespace xcc::rt::cpu
