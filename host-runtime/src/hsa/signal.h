// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal starts at 1 and is 0 once its packet or copy has ended; a copy that
// failed makes it negative. Whoever may still look at it, packets included,
// holds a count.

#ifndef XCC_SRC_HSA_SIGNAL_H
#define XCC_SRC_HSA_SIGNAL_H

#include "../recycling.h"
#include "driver.h"

#include <atomic>

namespace xcc::rt::hsa {

class HsaQueue;

struct Signal : Counted<Signal> {
  SignalRef Handle{};
  HsaQueue *Producer = nullptr; ///< where its packet is
  uint64_t Index = 0;           ///< of that packet
  uint32_t Use = 0;             ///< the queue's at that time
  bool Copy = false;            ///< a copy completes it

  bool reached() const { return Hsa.signal_load_scacquire(Handle) <= 0; }
  bool failed() const { return Hsa.signal_load_scacquire(Handle) < 0; }

  /// A signal with value 1 and a count of 1.
  static xcc_status make(Signal *&Out);
};

/// Gives a count back when it goes.
class SignalHold {
public:
  explicit SignalHold(Signal *S = nullptr) : S(S) {}
  ~SignalHold() {
    if (S)
      S->release();
  }
  SignalHold(const SignalHold &) = delete;
  SignalHold &operator=(const SignalHold &) = delete;
  Signal *get() const { return S; }
  Signal *operator->() const { return S; }
  explicit operator bool() const { return S; }
  void reset(Signal *New = nullptr) {
    if (S)
      S->release();
    S = New;
  }
  Signal *take() {
    Signal *Was = S;
    S = nullptr;
    return Was;
  }

private:
  Signal *S;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_SIGNAL_H
