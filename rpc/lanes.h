// Threads that make one call together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a warp (AMD: wavefront) that execute a call share one port and
// have one packet each. The protocol uses a class with these members:
//
//   count()            the number of lanes of a warp, and of packets of a port
//   active()           the mask of lanes that execute this now
//   first(M)           true in exactly one lane of M
//   broadcast(M, x)    the x of that lane
//   any(M, b)          whether b is true in any lane of M
//   select(M, f)       the lanes L of M for which f(L) is true
//   each(M, f)         calls f(L) for each lane L of M that this thread is
//   among(M)           whether this thread is a lane of M
//   PerLane<T>         a T for each lane that this thread is, as an array
//   sync(M)            lanes of M wait for each other; memory is ordered
//   pause()            a short pause in a polling loop
//   hint()             a number that differs between warps, to spread them
//   CanSleep           yield() lets other threads run; sleep(word, value,
//                      shared) and wake(word, n, shared) work like a futex;
//                      willWait() announces that this thread will wait, and is
//                      true if this thread serves calls and must not sleep
//
// M must contain only lanes that execute the call.

#ifndef XCC_RPC_LANES_H
#define XCC_RPC_LANES_H

#include "atomics.h"

#if !XCC_RPC_GPU
#include "futex.h"

// Kernels have no access to the host's library.
#if __STDC_HOSTED__ && !defined(__XCC_DEVICE_PASS__)
#define XCC_RPC_MAY_SERVE 1
extern "C" __attribute__((weak)) int xcc_rpc_will_wait(void);
#endif
#endif

namespace xcc::rpc::lanes {

#if XCC_RPC_GPU

#if defined(__NVPTX__)
// A kernel that xcc compiles is for all architectures at once. Clang rejects
// its builtins of later architectures there, but not LLVM's intrinsics.
#if defined(__XCC_DEVICE_PASS__)
uint32_t activeMask() __asm__("llvm.nvvm.activemask");
int32_t shuffle(uint32_t mask, int32_t value, int32_t lane,
                int32_t clamp) __asm__("llvm.nvvm.shfl.sync.idx.i32");
void syncWarp(uint32_t mask) __asm__("llvm.nvvm.bar.warp.sync");
#else
inline uint32_t activeMask() { return __nvvm_activemask(); }
inline int32_t shuffle(uint32_t mask, int32_t value, int32_t lane,
                       int32_t clamp) {
  return __nvvm_shfl_sync_idx_i32(mask, value, lane, clamp);
}
inline void syncWarp(uint32_t mask) { __nvvm_bar_warp_sync(mask); }
#endif
#endif

/// The lanes of an NVIDIA or AMD GPU; each thread is one lane.
struct Gpu {
  static constexpr bool CanSleep = false;

  static uint32_t id() {
#if defined(__NVPTX__)
    return __nvvm_read_ptx_sreg_laneid();
#elif defined(__AMDGCN__)
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#endif
  }
  static uint32_t count() {
#if defined(__NVPTX__)
    return 32;
#elif defined(__AMDGCN__)
    return __builtin_amdgcn_wavefrontsize();
#endif
  }
  static uint64_t active() {
#if defined(__NVPTX__)
    return activeMask();
#elif defined(__AMDGCN__)
    return __builtin_amdgcn_read_exec();
#endif
  }
  static uint64_t ballot(uint64_t m, bool b) {
#if defined(__NVPTX__)
    return __nvvm_vote_ballot_sync(uint32_t(m), b);
#elif defined(__AMDGCN__)
    return m & __builtin_amdgcn_ballot_w64(b);
#endif
  }
  static bool first(uint64_t m) { return id() == uint32_t(__builtin_ctzll(m)); }
  static uint32_t broadcast([[maybe_unused]] uint64_t m, uint32_t value) {
#if defined(__NVPTX__)
    return shuffle(uint32_t(m), int(value), __builtin_ctz(uint32_t(m)), 31);
#elif defined(__AMDGCN__)
    return __builtin_amdgcn_readfirstlane(value);
#endif
  }
  static bool any(uint64_t m, bool b) { return ballot(m, b) != 0; }
  template <class F> static uint64_t select(uint64_t m, F &&keep) {
    return ballot(m, keep(id()));
  }
  template <class F> static void each(uint64_t, F &&action) { action(id()); }
  static bool among(uint64_t m) { return m >> id() & 1; }
  template <class T> struct PerLane {
    T only{};
    T &operator[](uint32_t) { return only; }
  };
  static void sync([[maybe_unused]] uint64_t m) {
#if defined(__NVPTX__)
    syncWarp(uint32_t(m));
#elif defined(__AMDGCN__)
    // The lanes run in lockstep; this only orders the compiler.
    __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WVFRNT);
    __builtin_amdgcn_wave_barrier();
    __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_WVFRNT);
#endif
  }
  static void pause() {
#if defined(__NVPTX__)
    if (__nvvm_reflect("__CUDA_ARCH") >= 700)
      atomic::rest();
#elif defined(__AMDGCN__)
    __builtin_amdgcn_s_sleep(2);
#endif
  }
  static uint32_t hint() {
#if defined(__NVPTX__)
    // The warp's place on the hardware, so that it reuses the same port.
    return __nvvm_read_ptx_sreg_smid() * __nvvm_read_ptx_sreg_nwarpid() +
           __nvvm_read_ptx_sreg_warpid();
#elif defined(__AMDGCN__)
    return uint32_t(__builtin_readcyclecounter() >> 4);
#endif
  }
  static void yield() {}
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
};
using Native = Gpu;

#endif

/// One thread that acts as N lanes: the CPU device (N = 1), a server (64), and
/// host programs that imitate a warp.
template <uint32_t N> struct Vector {
  static constexpr bool CanSleep = !XCC_RPC_GPU;

  static uint32_t count() { return N; }
  static uint64_t active() { return ~uint64_t(0) >> (64 - N); }
  static bool first(uint64_t) { return true; }
  static uint32_t broadcast(uint64_t, uint32_t value) { return value; }
  static bool any(uint64_t, bool b) { return b; }
  template <class F> static uint64_t select(uint64_t m, F &&keep) {
    uint64_t kept = 0;
    for (uint64_t rest = m; rest; rest &= rest - 1)
      if (keep(uint32_t(__builtin_ctzll(rest))))
        kept |= rest & -rest;
    return kept;
  }
  template <class F> static void each(uint64_t m, F &&action) {
    for (; m; m &= m - 1)
      action(uint32_t(__builtin_ctzll(m)));
  }
  static bool among(uint64_t m) { return m != 0; }
  template <class T> struct PerLane {
    T all[N]{};
    T &operator[](uint32_t lane) { return all[lane]; }
  };
  static void sync(uint64_t) {}
#if XCC_RPC_GPU
  static void pause() { Gpu::pause(); }
  static uint32_t hint() { return Gpu::hint(); }
  static void yield() {}
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
#else
  static void pause() { relax(); }
  static void yield() { rpc::yield(); }
  static bool willWait() {
#if XCC_RPC_MAY_SERVE
    // If the program contains the server library, this may be a callback.
    return xcc_rpc_will_wait && xcc_rpc_will_wait();
#else
    return false;
#endif
  }
  static uint32_t hint() {
    // Each thread has its own stack.
    return uint32_t(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >>
                    14);
  }
  static void sleep(const uint32_t *word, uint32_t value, bool shared) {
    futexWait(word, value, shared);
  }
  static void wake(uint32_t *word, uint32_t threads, bool shared) {
    futexWake(word, threads, shared);
  }
#endif
};

#if !XCC_RPC_GPU
using Native = Vector<1>;
#endif

} // namespace xcc::rpc::lanes
#endif // XCC_RPC_LANES_H
