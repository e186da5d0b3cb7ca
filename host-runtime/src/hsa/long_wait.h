// Waits that take long
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose blocks wait for blocks that never come, as in sync_grid, runs for
// ever, and a thread that waits for it waits for ever. Such a thread looks now and
// then at how far the GPUs' queues have been read. If that has not changed for
// XCC_NOTICE_AFTER, one kernel has run all the time, and a notice names it once.

#ifndef XCC_SRC_HSA_LONG_WAIT_H
#define XCC_SRC_HSA_LONG_WAIT_H

#include <cstdint>
#include <vector>

namespace xcc::rt::hsa {

class HsaQueue;

/// The state of one waiting thread.
class LongWait {
public:
  /// \p of: the queue that the thread waits for; null where it is none.
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
