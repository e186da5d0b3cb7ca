// Objects that are used again and never freed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and signals: any thread may look at one at any time, so the memory
// stays. Streams take the queues of streams that have gone, and signals whose
// last count was given back become new ones.

#ifndef XCC_SRC_RECYCLING_H
#define XCC_SRC_RECYCLING_H

#include <atomic>
#include <cstdint>
#include <mutex>

namespace xcc::rt {

/// Adds an object to a list that only grows.
template <class T> void push(std::atomic<T *> &Head, T &New) {
  New.Next = Head.load(std::memory_order_relaxed);
  while (!Head.compare_exchange_weak(New.Next, &New, std::memory_order_release,
                                     std::memory_order_relaxed))
    ;
}

/// A queue of such a list that no stream has, and now the caller's; null for
/// none.
template <class Queue> Queue *takeUnused(Queue *First) {
  while (First && !First->claim())
    First = First->Next;
  return First;
}

/// What signals of several kinds share: counts, and a list of those without.
template <class Signal> class Counted {
public:
  void retain() { Count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (Count.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    std::lock_guard Lock(FreeMutex);
    NextFree = FreeList;
    FreeList = static_cast<Signal *>(this);
  }

protected:
  /// One that nobody has; null for none.
  static Signal *takeFree() {
    std::lock_guard Lock(FreeMutex);
    Signal *S = FreeList;
    if (S)
      FreeList = S->NextFree;
    return S;
  }
  /// With everything else in place: the caller's count.
  void begin() { Count.store(1, std::memory_order_release); }

private:
  std::atomic<uint32_t> Count{0};
  Signal *NextFree = nullptr;
  static inline constinit std::mutex FreeMutex;
  static inline constinit Signal *FreeList = nullptr;
};

} // namespace xcc::rt
#endif // XCC_SRC_RECYCLING_H
