// Events that are points of AQL queues
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is a barrier packet that completes a signal; the event has the
// signal of its last record.

#ifndef XCC_SRC_COMMON_SIGNAL_EVENT_H
#define XCC_SRC_COMMON_SIGNAL_EVENT_H

#include "devices/device.h"

#include <mutex>

namespace xcc::rt {

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
  /// The signal with a count for the caller; null when never recorded.
  Signal *hold() {
    std::lock_guard lock(mutex);
    if (point)
      point->retain();
    return point;
  }
  /// Takes the caller's count.
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
#endif // XCC_SRC_COMMON_SIGNAL_EVENT_H
