// The state of exceptions for a call through a pointer
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the CPU device the host's libraries also call device code, for example
// qsort. A caller in device code stores its state here, and the called function
// takes it at once. A function that finds none was called by the host's code.

#include "../exceptions/state.h"

using xcc::exceptions::State;

namespace {
constinit thread_local State *given = nullptr;
}

extern "C" {
void __xcc_give_exceptions(State *state) noexcept;
State *__xcc_take_exceptions() noexcept;

void __xcc_give_exceptions(State *state) noexcept { given = state; }
State *__xcc_take_exceptions() noexcept {
  State *state = given;
  given = nullptr;
  return state;
}
}
