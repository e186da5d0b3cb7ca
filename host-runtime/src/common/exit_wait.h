// Work that is left when the process ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a process waits for GPUs as it does for the CPU device: as long as
// something gets done, and then for XCC_EXIT_WAIT. A GPU does not say how far a
// kernel is, so what counts is work that ends.

#ifndef XCC_SRC_COMMON_EXIT_WAIT_H
#define XCC_SRC_COMMON_EXIT_WAIT_H

#include "faults.h"
#include "queues.h"

namespace xcc::rt {

/// How the message about work that does not end continues.
const char *whatBecomesOfWork(bool unloading);

/// Waits between looks at queues.
class LastWait {
public:
  LastWait();
  /// Pauses; false after the patience without another \p progress.
  bool goOn(uint64_t progress);

private:
  const uint64_t patience; ///< nanoseconds
  uint64_t since, last = 0;
  unsigned pause = 20; ///< microseconds
};

/// Tells of launches that may be running, the latest first, and \p what about
/// them.
void tellOfRest(Device &on, std::span<const Suspect> running, const char *what);

/// Device::finish for a device whose queues say what they have read
/// (readSoFar()), as far as they know, and which launches may run (suspects()).
template <class Kind>
bool finishQueues(Device &on, QueueList<Kind> &queues, bool unloading,
                  Queue *only) {
  LastWait wait;
  uint64_t busy, progress;
  do {
    busy = progress = 0;
    for (Kind &q : queues) {
      const bool idle = q.idle();
      busy += !idle && (!only || only == &q);
      progress += idle + q.readSoFar();
    }
  } while (busy && wait.goOn(progress));
  for (Kind &q : queues) {
    if (!busy || (only && only != &q) || q.idle())
      continue;
    Suspect running[2];
    tellOfRest(on, {running, q.suspects(running)},
               whatBecomesOfWork(unloading));
  }
  if (busy && !unloading)
    return false;
  only ? only->drain() : on.drain();
  return true;
}

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_EXIT_WAIT_H
