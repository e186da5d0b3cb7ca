// The file that has the variables of thread-local.h
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "thread-local.h"

Counted::Counted(int value) : ended(nullptr), value(value) {}
Counted::~Counted() {
  if (ended)
    __atomic_fetch_add(ended, value, __ATOMIC_RELAXED);
}

namespace elsewhere {
thread_local int constant = 11;
thread_local Counted made(constant);
int *address() { return &constant; }
} // namespace elsewhere
