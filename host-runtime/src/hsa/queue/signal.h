// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal starts at 1 and is 0 once its packet or copy has ended; a copy that
// failed makes it negative. Every reader, packets included, holds a reference.

#ifndef XCC_SRC_HSA_QUEUE_SIGNAL_H
#define XCC_SRC_HSA_QUEUE_SIGNAL_H

#include "common/signals.h"
#include "hsa/driver/driver.h"

namespace xcc::rt::hsa {

class HsaQueue;

struct Signal : Counted<Signal>, InQueue<HsaQueue> {
  SignalRef handle{};
  bool copy = false; ///< a copy completes it

  bool reached() const { return hsa.signal_load_scacquire(handle) <= 0; }
  bool failed() const { return hsa.signal_load_scacquire(handle) < 0; }

  /// Makes a signal with value 1 and one reference.
  static xcc_status make(Signal *&out);
};

using SignalHold = Hold<Signal>;

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_QUEUE_SIGNAL_H
