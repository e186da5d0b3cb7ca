// HSA signals on the CPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal is a 64-bit value that counts down to 0. Barrier packets wait for
// it, and completed packets decrement it. Signals are counted and reused, but
// never given back to the system. So a thread that no longer holds a signal may
// read a stale value, but never freed memory.

#ifndef XCC_SRC_CPU_QUEUE_SIGNAL_H
#define XCC_SRC_CPU_QUEUE_SIGNAL_H

#include "common/aql.h"
#include "common/signals.h"

namespace xcc::rt::cpu {

class CpuQueue;

struct alignas(64) Signal : Counted<Signal>, InQueue<CpuQueue> {
  std::atomic<int64_t> value{0}; ///< 0: reached
  uint64_t time = 0;             ///< trace::now() when reached

  aql::SignalHandle handle() { return reinterpret_cast<uintptr_t>(this); }
  static Signal *of(aql::SignalHandle h) {
    return reinterpret_cast<Signal *>(h);
  }
  bool reached() const { return value.load(std::memory_order_seq_cst) <= 0; }

  /// A signal with value 1 and one reference; null when memory ran out.
  static Signal *make();
};

using SignalHold = Hold<Signal>;

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_QUEUE_SIGNAL_H
