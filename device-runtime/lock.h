// A lock for the threads of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every device, so it includes no library's header.

#ifndef XCC_DEVICE_RUNTIME_LOCK_H
#define XCC_DEVICE_RUNTIME_LOCK_H

#include "machine.h"

extern "C" unsigned __xcc_lane_id();

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
    if constexpr (machine::HasWarps) {
      const unsigned self = __xcc_lane_id();
      for (unsigned long lanes = machine::activeLanes(); lanes;
           lanes &= lanes - 1)
        if (self == (unsigned)__builtin_ctzl(lanes))
          holdAlone(work);
    } else {
      holdAlone(work);
    }
  }

private:
  template <class Work> void holdAlone(Work work) {
    while (__atomic_exchange_n(&held, 1u, __ATOMIC_ACQUIRE))
      machine::pause<1>();
    work();
    __atomic_store_n(&held, 0u, __ATOMIC_RELEASE);
  }

  unsigned held;
};

} // namespace xcc
#endif // XCC_DEVICE_RUNTIME_LOCK_H
