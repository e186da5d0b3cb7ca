// Atomic operations of the protocol
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory is accessed only with loads, stores and fetch_add, in system
// scope, because of the bus: PCI Express has atomic fetch-and-add, swap and
// compare-and-swap, but no AND, OR or XOR. Flipping a bit whose value is known
// is an addition without carry.
//
// Private memory of a side is accessed in device scope, with any operation.

#ifndef XCC_RPC_ATOMICS_H
#define XCC_RPC_ATOMICS_H

#include <stdint.h>

#if defined(__NVPTX__) || defined(__AMDGCN__)
#define XCC_RPC_GPU 1
#elif defined(__unix__) || defined(_WIN32) || defined(__APPLE__)
#define XCC_RPC_GPU 0
#else
#error "a new device: say here whether it is a GPU, and how in lanes.h"
#endif

namespace xcc::rpc::atomic {

#if defined(__NVPTX__)
// In kernels that xcc compiles, inline assembly is the host's. LLVM's
// intrinsics are declared by their names in IR instead.
#if defined(__XCC_DEVICE_PASS__)
uint32_t addSystem(uint32_t *,
                   uint32_t) __asm__("llvm.nvvm.atomic.add.gen.i.sys.i32.p0");
uint64_t addSystem(uint64_t *,
                   uint64_t) __asm__("llvm.nvvm.atomic.add.gen.i.sys.i64.p0");
void sleepFor(uint32_t) __asm__("llvm.nvvm.nanosleep");
inline void rest() { sleepFor(64); }
#else
inline void addSystem(uint32_t *p, uint32_t delta) {
  asm volatile("red.sys.add.u32 [%0], %1;" ::"l"(p), "r"(delta) : "memory");
}
inline void addSystem(uint64_t *p, uint64_t delta) {
  asm volatile("red.sys.add.u64 [%0], %1;" ::"l"(p), "l"(delta) : "memory");
}
inline void rest() { asm volatile("nanosleep.u32 64;" ::: "memory"); }
#endif
#endif

#if XCC_RPC_GPU
#define XCC_RPC_ATOMIC(op, scope, ...)                                         \
  __scoped_atomic_##op(__VA_ARGS__, __MEMORY_SCOPE_##scope)
#else
#define XCC_RPC_ATOMIC(op, scope, ...) __atomic_##op(__VA_ARGS__)
#endif

// Shared memory

template <class T> inline T load(const T *p) {
  return XCC_RPC_ATOMIC(load_n, SYSTEM, p, __ATOMIC_RELAXED);
}

template <class T> inline void store(T *p, T value) {
  XCC_RPC_ATOMIC(store_n, SYSTEM, p, value, __ATOMIC_RELAXED);
}

/// Call this after a load of *p has seen a change: then everything that the
/// other side wrote before the change is visible. On a GPU, a fence is cheaper
/// than another read over the bus. On a CPU, an acquire load is free, and
/// ThreadSanitizer understands it.
template <class T> inline void acquire([[maybe_unused]] const T *p) {
#if XCC_RPC_GPU
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
#else
  (void)__atomic_load_n(p, __ATOMIC_ACQUIRE);
#endif
}

/// Adds after all earlier writes are visible to the other side. Where sides can
/// sleep, the addition is also ordered before all later reads.
///
/// LLVM's NVPTX back end ignores the order and the scope of an atomic update.
/// Hence the fence, and the instruction of system scope where available.
template <class T> inline void publish(T *p, T delta) {
#if !XCC_RPC_GPU
  __atomic_fetch_add(p, delta, __ATOMIC_SEQ_CST);
#else
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
#if defined(__NVPTX__)
  if (__nvvm_reflect("__CUDA_ARCH") >= 600) {
    addSystem(p, delta);
    return;
  }
#endif
  __scoped_atomic_fetch_add(p, delta, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
#endif
}

/// The number to add to a word to flip \p bit, whose value now is \p set.
template <class T> constexpr T flip(T bit, bool set) {
  return set ? T(0) - bit : bit;
}

/// Strong operations and publish() have one common order: if two threads each
/// write one word and then read the other's, at least one sees the other's
/// write. Only sides that sleep need this.
template <class T> inline T loadStrong(const T *p) {
#if XCC_RPC_GPU
  return load(p);
#else
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
#endif
}
inline uint32_t exchangeStrong(uint32_t *p, uint32_t value) {
  return XCC_RPC_ATOMIC(exchange_n, SYSTEM, p, value, __ATOMIC_SEQ_CST);
}
inline uint32_t addStrong(uint32_t *p, uint32_t value) {
  return XCC_RPC_ATOMIC(fetch_add, SYSTEM, p, value, __ATOMIC_SEQ_CST);
}

// Private memory

inline uint32_t loadLocal(const uint32_t *p) {
#if XCC_RPC_GPU
  return XCC_RPC_ATOMIC(load_n, DEVICE, p, __ATOMIC_RELAXED);
#else
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
#endif
}
inline uint32_t flipLocal(uint32_t *p, uint32_t bits) {
  return XCC_RPC_ATOMIC(fetch_xor, DEVICE, p, bits, __ATOMIC_RELAXED);
}
/// Returns true if this call set the bit.
inline bool lock(uint32_t *p, uint32_t bit) {
#if XCC_RPC_GPU
  if (__scoped_atomic_fetch_or(p, bit, __ATOMIC_RELAXED,
                               __MEMORY_SCOPE_DEVICE) &
      bit)
    return false;
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  return true;
#else
  return !(__atomic_fetch_or(p, bit, __ATOMIC_ACQUIRE) & bit);
#endif
}
inline void unlock(uint32_t *p, uint32_t bit) {
#if XCC_RPC_GPU
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_and(p, ~bit, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  __atomic_fetch_and(p, ~bit, __ATOMIC_SEQ_CST);
#endif
}

#undef XCC_RPC_ATOMIC

} // namespace xcc::rpc::atomic
#endif // XCC_RPC_ATOMICS_H
