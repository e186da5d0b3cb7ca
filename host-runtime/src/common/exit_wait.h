// Waiting for unfinished work when the process ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At its end, the process waits for GPUs as it does for the CPU device: as long
// as there is progress, and then for XCC_EXIT_WAIT. A GPU does not report the
// progress of a kernel, so only work that ends counts as progress.

#ifndef XCC_SRC_COMMON_EXIT_WAIT_H
#define XCC_SRC_COMMON_EXIT_WAIT_H

#include "faults.h"
#include "queues.h"

namespace xcc::rt {

/// The second half of the message about work that does not end.
const char *unfinishedWorkNote(bool unloading);

/// Pauses between two looks at the queues, and decides when to give up.
class WaitAtExit {
public:
  WaitAtExit();
  /// Pauses. Returns false if \p progress has not changed for the whole
  /// timeout.
  bool mayContinue(uint64_t progress);

private:
  const uint64_t timeout; ///< nanoseconds
  uint64_t since, last = 0;
  unsigned pause = 20; ///< microseconds
};

/// Prints which launches may be running, the latest first, followed by \p what.
void reportRunning(Device &on, std::span<const Suspect> running,
                   const char *what);

/// Device::finish for a device whose queues report how much they have completed
/// (readSoFar()) and which launches may be running (suspects()).
template <class Kind>
bool finishQueues(Device &on, QueueList<Kind> &queues, bool unloading,
                  Queue *only) {
  WaitAtExit wait;
  uint64_t busy, progress;
  do {
    busy = progress = 0;
    for (Kind &q : queues) {
      const bool idle = q.idle();
      busy += !idle && (!only || only == &q);
      progress += idle + q.readSoFar();
    }
  } while (busy && wait.mayContinue(progress));
  for (Kind &q : queues) {
    if (!busy || (only && only != &q) || q.idle())
      continue;
    Suspect running[2];
    reportRunning(on, {running, q.suspects(running)},
                  unfinishedWorkNote(unloading));
  }
  if (busy && !unloading)
    return false;
  only ? only->drain() : on.drain();
  return true;
}

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_EXIT_WAIT_H
