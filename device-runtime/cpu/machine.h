// What the shared device code asks of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvptx/machine.h describes the functions. The CPU device needs fewer.

#ifndef XCC_DEVICE_MACHINE_H
#define XCC_DEVICE_MACHINE_H

namespace xcc::machine {

inline constexpr bool HasWarps = false;

template <int Steps> static inline void pause() { __builtin_ia32_pause(); }

static inline unsigned long activeLanes() { return 1; }

} // namespace xcc::machine

#endif // XCC_DEVICE_MACHINE_H
