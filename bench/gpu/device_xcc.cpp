// The device through xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include <chrono>
#include <xcc/xcc.h>

const char *device::name() {
  static const xcc::device current = xcc::device::current();
  return current.name();
}

void *device::allocate(std::size_t bytes) {
  void *memory = nullptr;
  xcc::detail::check(xcc_memory_alloc(bytes, &memory));
  return memory;
}

void device::release(void *memory) { (void)xcc_memory_free(memory); }

void device::copyIn(void *to, const void *from, std::size_t bytes) {
  xcc::detail::check(xcc_memory_copy(to, from, bytes));
}

void device::copyOut(void *to, const void *from, std::size_t bytes) {
  xcc::detail::check(xcc_memory_copy(to, from, bytes));
}

double device::time(int times, const std::function<void()> &launch) {
  static xcc::event first, last;
  first.record();
  for (int i = 0; i < times; ++i)
    launch();
  last.record();
  return first.elapsed<std::chrono::duration<double, std::milli>>(last).count();
}
