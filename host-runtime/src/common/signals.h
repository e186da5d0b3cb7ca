// Signals of AQL queues, and events
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet or a copy completes a signal when it ends. Any thread may read a
// signal at any time, so signals are never freed: one that nothing refers to
// is used again.

#ifndef XCC_SRC_COMMON_SIGNALS_H
#define XCC_SRC_COMMON_SIGNALS_H

#include "devices/device.h"

#include <mutex>

namespace xcc::rt {

/// The reference count that signals of all kinds share, and the list of unused
/// signals.
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
  /// An unused signal; null if there is none.
  static Signal *takeFree() {
    std::lock_guard lock(freeMutex);
    Signal *s = freeList;
    if (s)
      freeList = s->nextFree;
    return s;
  }
  /// Call this after all other fields are set. The caller owns the reference.
  void begin() { count.store(1, std::memory_order_release); }

private:
  std::atomic<uint32_t> count{0};
  Signal *nextFree = nullptr;
  static inline constinit std::mutex freeMutex;
  static inline constinit Signal *freeList = nullptr;
};

/// The packet that completes a signal.
template <class Queue> struct InQueue {
  Queue *producer = nullptr; ///< null for none
  uint64_t index = 0;
  uint32_t use = 0; ///< the queue's use() when the packet was written

  void placeAt(Queue &q, uint64_t at) {
    producer = &q;
    index = at;
    use = q.use();
  }
};

/// A reference to a signal, or none. The destructor releases it.
template <class Signal> class Hold {
public:
  explicit Hold(Signal *s = nullptr) : s(s) {}
  ~Hold() { reset(); }
  Hold(Hold &&other) : s(other.take()) {}
  Hold &operator=(const Hold &) = delete;
  Signal *get() const { return s; }
  Signal *operator->() const { return s; }
  explicit operator bool() const { return s; }
  /// Takes over the caller's reference to another signal.
  void reset(Signal *fresh = nullptr) {
    if (s)
      s->release();
    s = fresh;
  }
  /// Hands the reference to the caller.
  Signal *take() {
    Signal *was = s;
    s = nullptr;
    return was;
  }

private:
  Signal *s;
};

/// An event marks a point of a queue. A record writes a barrier packet that
/// completes a signal; the event refers to the signal of its last record.
template <class Signal> class SignalEvent : public Event {
public:
  ~SignalEvent() override {
    if (point)
      point->release();
  }
  bool recorded() final {
    std::lock_guard lock(mutex);
    return point != nullptr;
  }

protected:
  /// The signal of the last record; none if there was no record.
  Hold<Signal> hold() {
    std::lock_guard lock(mutex);
    if (point)
      point->retain();
    return Hold<Signal>(point);
  }
  /// The signal that a queue has to wait for. None if it is reached already, or
  /// if the queue's own order makes the wait unnecessary.
  template <class Queue> Hold<Signal> holdFor(const Queue &waits) {
    Hold<Signal> s = hold();
    if (s && (s->reached() || s->producer == &waits))
      s.reset();
    return s;
  }
  /// Takes over the caller's reference.
  void set(Signal *s) {
    std::lock_guard lock(mutex);
    if (point)
      point->release();
    point = s;
  }

  std::mutex mutex;
  Signal *point = nullptr;
};

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_SIGNALS_H
