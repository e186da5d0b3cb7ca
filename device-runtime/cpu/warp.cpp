// Warp operations of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread of a block owns a slot of 4 bytes and one of 8 bytes in the
// exchange area, in two arrays: divergent lanes may wait in operations of both
// sizes at the same time, so their slots must not overlap. A warp operation
// writes its operand to the slot, waits for the warp, reads the slots of the
// other lanes, and waits again before any lane writes the next operand. The
// block function pass only knows the barrier. If a whole block reaches it
// together, it becomes the boundary between two loops over the threads, and the
// reads between are plain vector loads.

#include <stdint.h>

#define INLINE extern "C" __attribute__((always_inline))
#define CONVERGENT __attribute__((convergent))

extern "C" {
CONVERGENT uint32_t __xcc_warp_barrier() noexcept;
__attribute__((const)) void *__xcc_exchange() noexcept;
__attribute__((const)) unsigned __xcc_linear_thread() noexcept;
}

namespace {
constexpr unsigned Lanes = 32;
constexpr unsigned MostThreads = 1024; // XCC_CPU_MAX_BLOCK

/// The slots for values of T's size. Those of 8 bytes are in the second half.
template <class T> __attribute__((always_inline)) T *exchangeSlots() {
  auto *area = static_cast<char *>(__xcc_exchange());
  return reinterpret_cast<T *>(area + (sizeof(T) == 8 ? MostThreads * 8 : 0));
}

template <class T>
__attribute__((always_inline)) CONVERGENT T exchange(T value, unsigned lane) {
  T *slots = exchangeSlots<T>();
  const unsigned self = __xcc_linear_thread();
  slots[self] = value;
  const uint32_t takingPart = __xcc_warp_barrier();
  lane &= Lanes - 1;
  const unsigned source = (self & ~(Lanes - 1)) | lane;
  const T result = takingPart >> lane & 1 ? slots[source] : value;
  __xcc_warp_barrier();
  return result;
}

/// The lanes that have the caller's value.
template <class T>
__attribute__((always_inline)) CONVERGENT uint64_t match(T value) {
  T *slots = exchangeSlots<T>();
  const unsigned self = __xcc_linear_thread();
  slots[self] = value;
  const uint32_t takingPart = __xcc_warp_barrier();
  const T *warp = slots + (self & ~(Lanes - 1));
  uint32_t same = 0;
#pragma clang loop unroll(full)
  for (unsigned lane = 0; lane < Lanes; ++lane)
    same |= uint32_t(warp[lane] == value) << lane;
  __xcc_warp_barrier();
  return same & takingPart;
}
} // namespace

INLINE unsigned __xcc_lane_id() noexcept {
  return __xcc_linear_thread() & (Lanes - 1);
}
INLINE unsigned __xcc_warp_size() noexcept { return Lanes; }

INLINE CONVERGENT void __xcc_sync_warp() noexcept { __xcc_warp_barrier(); }

INLINE CONVERGENT uint32_t __xcc_shuffle_32(uint32_t value,
                                            unsigned lane) noexcept {
  return exchange(value, lane);
}
INLINE CONVERGENT uint64_t __xcc_shuffle_64(uint64_t value,
                                            unsigned lane) noexcept {
  return exchange(value, lane);
}

INLINE CONVERGENT uint64_t __xcc_ballot(bool predicate) noexcept {
  uint32_t *slots = exchangeSlots<uint32_t>();
  const unsigned self = __xcc_linear_thread();
  slots[self] = predicate;
  const uint32_t takingPart = __xcc_warp_barrier();
  const uint32_t *warp = slots + (self & ~(Lanes - 1));
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (unsigned lane = 0; lane < Lanes; ++lane)
    bits |= (warp[lane] & 1) << lane;
  __xcc_warp_barrier();
  return bits & takingPart;
}

INLINE CONVERGENT uint64_t __xcc_match_any_32(uint32_t value) noexcept {
  return match(value);
}
INLINE CONVERGENT uint64_t __xcc_match_any_64(uint64_t value) noexcept {
  return match(value);
}

INLINE CONVERGENT uint32_t __xcc_publish_32(uint32_t value) noexcept {
  exchangeSlots<uint32_t>()[__xcc_linear_thread()] = value;
  return __xcc_warp_barrier();
}
INLINE CONVERGENT uint32_t __xcc_publish_64(uint64_t value) noexcept {
  exchangeSlots<uint64_t>()[__xcc_linear_thread()] = value;
  return __xcc_warp_barrier();
}
INLINE const uint32_t *__xcc_published_32() noexcept {
  return exchangeSlots<uint32_t>() + (__xcc_linear_thread() & ~(Lanes - 1));
}
INLINE const uint64_t *__xcc_published_64() noexcept {
  return exchangeSlots<uint64_t>() + (__xcc_linear_thread() & ~(Lanes - 1));
}

INLINE uint64_t __xcc_clock() noexcept { return __builtin_readcyclecounter(); }
