// The queues of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any thread may read a queue at any time, so no queue is ever freed: new
// streams reuse the queues of destroyed streams.

#ifndef XCC_SRC_COMMON_QUEUES_H
#define XCC_SRC_COMMON_QUEUES_H

#include "devices/device.h"

#include <atomic>
#include <mutex>

namespace xcc::rt {

/// Adds an object to a list that only grows.
template <class T> void push(std::atomic<T *> &head, T &fresh) {
  fresh.next = head.load(std::memory_order_relaxed);
  while (!head.compare_exchange_weak(
      fresh.next, &fresh, std::memory_order_release, std::memory_order_relaxed))
    ;
}

/// A list of objects that are added and never removed, linked by `next`. Any
/// thread may iterate over it at any time.
template <class T> class GrowingList {
public:
  class Iterator {
  public:
    explicit Iterator(T *at) : at(at) {}
    T &operator*() const { return *at; }
    Iterator &operator++() {
      at = at->next;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at != other.at; }

  private:
    T *at;
  };
  T *first() const { return head.load(std::memory_order_acquire); }
  Iterator begin() const { return Iterator(first()); }
  Iterator end() const { return Iterator(nullptr); }

  void add(T &fresh) { push(head, fresh); }

private:
  std::atomic<T *> head{nullptr};
};

template <class Kind> class QueueList : public GrowingList<Kind> {
public:
  /// Takes a queue of this priority for a stream. \p make(Kind *&) creates one
  /// and adds it to the list.
  template <class Fn> xcc_status take(Queue **out, int priority, Fn make) {
    Kind *q = this->first();
    while (q && (q->priority != priority || !q->claim()))
      q = q->next;
    if (!q)
      XCC_TRY(make(q));
    *out = q;
    return XCC_SUCCESS;
  }

  /// The queue of null streams, created at its first use.
  template <class Fn> xcc_status takeDefault(Queue **out, Fn make) {
    Kind *q = ofNull.load(std::memory_order_acquire);
    if (!q) [[unlikely]] {
      std::lock_guard lock(mutex);
      q = ofNull.load(std::memory_order_relaxed);
      if (!q)
        XCC_TRY(make(q));
      ofNull.store(q, std::memory_order_release);
    }
    *out = q;
    return XCC_SUCCESS;
  }

private:
  std::atomic<Kind *> ofNull{nullptr};
  std::mutex mutex;
};

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_QUEUES_H
