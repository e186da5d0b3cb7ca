// What the shared device code asks of an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvptx/machine.h describes the functions.

#ifndef XCC_DEVICE_MACHINE_H
#define XCC_DEVICE_MACHINE_H

namespace xcc::machine {

inline constexpr bool HasWarps = true;
inline constexpr bool HasLdexp = true;

template <int Steps> static inline void pause() {
  __builtin_amdgcn_s_sleep(Steps);
}

static inline unsigned long activeLanes() {
  return __builtin_amdgcn_ballot_w64(true);
}

static inline unsigned long launchNumber() {
  // Packets have 64 bytes, so their addresses differ above these bits.
  return (unsigned long)__builtin_amdgcn_dispatch_ptr() >> 6;
}

template <class T> using Own = T __attribute__((address_space(5))) *;
#define XCC_OWN_POINTER "PU3AS5"

} // namespace xcc::machine

#endif // XCC_DEVICE_MACHINE_H
