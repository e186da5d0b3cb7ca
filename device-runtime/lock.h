// A lock for the threads of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every device, so it includes no header.

#ifndef XCC_DEVICE_RUNTIME_LOCK_H
#define XCC_DEVICE_RUNTIME_LOCK_H

#if defined(__NVPTX__) || defined(__AMDGCN__)
extern "C" unsigned __xcc_lane_id();
#endif

namespace xcc {

/// A lock in the device's memory; all zeros is free. It excludes threads of one
/// device.
class alignas(64) Lock {
public:
  /// Does the work while no other thread holds the lock. The work must not take
  /// the same lock. Lanes of a warp work one after the other, so a lane that
  /// holds the lock never waits for another lane that wants it, in whatever
  /// order a GPU runs them.
  template <class Work> [[clang::noinline]] void hold(Work work) {
#if defined(__NVPTX__) || defined(__AMDGCN__)
    const unsigned self = __xcc_lane_id();
    for (unsigned long lanes = lanesHere(); lanes; lanes &= lanes - 1)
      if (self == (unsigned)__builtin_ctzl(lanes))
        holdAlone(work);
#else
    holdAlone(work);
#endif
  }

private:
  template <class Work> void holdAlone(Work work) {
    while (__atomic_exchange_n(&held, 1u, __ATOMIC_ACQUIRE))
      pause();
    work();
    __atomic_store_n(&held, 0u, __ATOMIC_RELEASE);
  }

  /// The lanes that are active here, on any path.
  static unsigned long lanesHere() {
#ifdef __NVPTX__
    unsigned lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes;
#elif defined(__AMDGCN__)
    return __builtin_amdgcn_ballot_w64(true);
#else
    return 1;
#endif
  }

  static void pause() {
#ifdef __NVPTX__
    if (__nvvm_reflect("__CUDA_ARCH") >= 700)
      asm volatile("nanosleep.u32 32;" ::: "memory");
#elif defined(__AMDGCN__)
    __builtin_amdgcn_s_sleep(1);
#else
    __builtin_ia32_pause();
#endif
  }

  unsigned held;
};

} // namespace xcc
#endif // XCC_DEVICE_RUNTIME_LOCK_H
