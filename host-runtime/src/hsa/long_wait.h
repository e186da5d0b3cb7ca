// Waits that take long
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose blocks wait for others that never come, as in sync_grid, runs
// for ever, and so does whoever waits for it. A thread that waits looks now and
// then at what the GPUs' queues have read. Where that has not changed for as
// long as XCC_NOTICE_AFTER says, one kernel has run all the time, and is told
// of, once.

#ifndef XCC_SRC_HSA_LONG_WAIT_H
#define XCC_SRC_HSA_LONG_WAIT_H

#include <cstdint>
#include <vector>

namespace xcc::rt::hsa {

class HsaQueue;

/// Of one waiting thread.
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
