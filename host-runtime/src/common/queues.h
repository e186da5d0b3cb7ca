// The queues of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any thread may look at a queue at any time, so none is ever freed: streams
// take the queues of streams that have gone.

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

/// Objects that are added and never removed, each with its `next`. Any thread may
/// go through them at any time.
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
  /// A queue for a stream of that priority. \p make(Kind *&) makes one and adds
  /// it.
  template <class Fn> xcc_status take(Queue **out, int priority, Fn make) {
    Kind *q = this->first();
    while (q && (q->priority != priority || !q->claim()))
      q = q->next;
    if (!q)
      XCC_TRY(make(q));
    *out = q;
    return XCC_SUCCESS;
  }

  /// The queue of null streams, which is made at its first use.
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
