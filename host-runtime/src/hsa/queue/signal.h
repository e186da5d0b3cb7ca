// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal starts at 1 and is 0 once its packet or copy has ended; a copy that
// failed makes it negative. Whoever may still look at it, packets included,
// holds a count.

#ifndef XCC_SRC_HSA_QUEUE_SIGNAL_H
#define XCC_SRC_HSA_QUEUE_SIGNAL_H

#include "common/recycling.h"
#include "hsa/driver/driver.h"

#include <atomic>

namespace xcc::rt::hsa {

class HsaQueue;

struct Signal : Counted<Signal> {
  SignalRef handle{};
  HsaQueue *producer = nullptr; ///< where its packet is
  uint64_t index = 0;           ///< of that packet
  uint32_t use = 0;             ///< the queue's at that time
  bool copy = false;            ///< a copy completes it

  bool reached() const { return hsa.signal_load_scacquire(handle) <= 0; }
  bool failed() const { return hsa.signal_load_scacquire(handle) < 0; }

  /// A signal with value 1 and a count of 1.
  static xcc_status make(Signal *&out);
};

/// Gives a count back when it goes.
class SignalHold {
public:
  explicit SignalHold(Signal *s = nullptr) : s(s) {}
  ~SignalHold() {
    if (s)
      s->release();
  }
  SignalHold(const SignalHold &) = delete;
  SignalHold &operator=(const SignalHold &) = delete;
  Signal *get() const { return s; }
  Signal *operator->() const { return s; }
  explicit operator bool() const { return s; }
  void reset(Signal *fresh = nullptr) {
    if (s)
      s->release();
    s = fresh;
  }
  Signal *take() {
    Signal *was = s;
    s = nullptr;
    return was;
  }

private:
  Signal *s;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_QUEUE_SIGNAL_H
