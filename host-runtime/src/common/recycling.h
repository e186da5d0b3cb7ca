// Objects that are used again and never freed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any thread may look at one at any time, so the memory stays. Signals whose
// last count was given back become new ones.

#ifndef XCC_SRC_COMMON_RECYCLING_H
#define XCC_SRC_COMMON_RECYCLING_H

#include <atomic>
#include <cstdint>
#include <mutex>

namespace xcc::rt {

/// Adds an object to a list that only grows.
template <class T> void push(std::atomic<T *> &head, T &fresh) {
  fresh.next = head.load(std::memory_order_relaxed);
  while (!head.compare_exchange_weak(
      fresh.next, &fresh, std::memory_order_release, std::memory_order_relaxed))
    ;
}

/// What signals of several kinds share: counts, and a list of those without.
template <class Signal> class Counted {
public:
  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    std::lock_guard lock(freeMutex);
    nextFree = freeList;
    freeList = static_cast<Signal *>(this);
  }

protected:
  /// One that nobody has; null for none.
  static Signal *takeFree() {
    std::lock_guard lock(freeMutex);
    Signal *s = freeList;
    if (s)
      freeList = s->nextFree;
    return s;
  }
  /// With everything else in place: the caller's count.
  void begin() { count.store(1, std::memory_order_release); }

private:
  std::atomic<uint32_t> count{0};
  Signal *nextFree = nullptr;
  static inline constinit std::mutex freeMutex;
  static inline constinit Signal *freeList = nullptr;
};

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_RECYCLING_H
