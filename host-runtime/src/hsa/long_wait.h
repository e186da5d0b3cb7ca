// Notices about long waits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the blocks of a kernel wait for blocks that never come, as in sync_grid,
// the kernel runs forever, and so does a thread's wait for it. The waiting
// thread checks now and then how far the GPUs' queues have been read. If that
// has not changed for XCC_NOTICE_AFTER, one kernel has run all the time, and a
// notice names it once.

#ifndef XCC_SRC_HSA_LONG_WAIT_H
#define XCC_SRC_HSA_LONG_WAIT_H

#include <cstdint>
#include <vector>

namespace xcc::rt::hsa {

class HsaQueue;

/// The state of one waiting thread.
class LongWait {
public:
  /// \p of is the queue that the thread waits for; null if there is none.
  explicit LongWait(const HsaQueue *of) : of(of) {}
  void look();

private:
  struct Seen {
    HsaQueue *queue;
    uint64_t read;  ///< packets
    uint64_t since; ///< nanoseconds
  };
  const HsaQueue *const of;
  std::vector<Seen> seen;
};

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_LONG_WAIT_H
