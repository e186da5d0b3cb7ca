// What the shared device code asks of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each target's folder has a file of this name with the same functions. The
// build puts the folder of the target into the include path. No other header is
// needed.

#ifndef XCC_DEVICE_MACHINE_H
#define XCC_DEVICE_MACHINE_H

namespace xcc::machine {

/// Threads of a warp may run in lockstep, so a lane must not wait for another.
inline constexpr bool HasWarps = true;
/// ldexp is one instruction.
inline constexpr bool HasLdexp = false;

/// Lets other threads run for a while.
template <int Steps> static inline void pause() {
  if (__nvvm_reflect("__CUDA_ARCH") >= 700)
    asm volatile("nanosleep.u32 %0;" ::"n"(32 * Steps) : "memory");
}

/// The lanes that are active here, on any path.
static inline unsigned long activeLanes() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
  return lanes;
}

/// A number whose low bits differ between launches that run together.
static inline unsigned long launchNumber() {
  unsigned long number;
  asm("mov.u64 %0, %%gridid;" : "=l"(number));
  return number;
}

/// A pointer to a local variable, as libclc's functions take it for a second
/// result, and what stands for the pointer in their symbols.
template <class T> using Own = T *;
#define XCC_OWN_POINTER "P"

} // namespace xcc::machine

#endif // XCC_DEVICE_MACHINE_H
