// Failures that have not been reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failure belongs to its stream and to the thread that launched the failed
// work. Any thread that waits for the stream gets it. A thread that waits for
// the whole device gets it too; the launching thread still gets it when it
// waits for the stream. A copy that waits for the device gets only failures of
// its own thread's launches, and of threads that have ended.

#ifndef XCC_SRC_ERRORS_PENDING_H
#define XCC_SRC_ERRORS_PENDING_H

#include "error.h"

#include <atomic>
#include <mutex>

namespace xcc::rt {

/// The calling thread's number: not 0, and never used again.
uint64_t threadNumber();
/// Called at the end of a thread, which takes no more failures.
void forgetThread();

class PendingErrors {
public:
  /// Keeps an error and takes over the reference. If an earlier error of the
  /// launcher has not been reported to any thread, that one stays and the new
  /// one is dropped.
  void add(xcc_error *error, uint64_t launcher);

  /// For a thread that waits for the stream: its own error, else the oldest.
  /// This and the next two return null if there is none.
  xcc_error *take() { return none() ? nullptr : findAny(); }
  /// For a thread that waits for the whole device.
  xcc_error *findForDevice() { return none() ? nullptr : findUnreported(); }
  /// For a copy that waits.
  xcc_error *takeOwn() { return none() ? nullptr : findOwn(); }
  /// Moves all errors to another list.
  void moveTo(PendingErrors &other);

private:
  struct Entry {
    xcc_error *error;
    uint64_t launcher;
    bool reported; ///< reported to a thread that waited for the device
    Entry *next;
  };
  bool none() const { return !first.load(std::memory_order_acquire); }
  [[gnu::cold]] xcc_error *findAny();
  [[gnu::cold]] xcc_error *findUnreported();
  [[gnu::cold]] xcc_error *findOwn();
  xcc_error *unlink(Entry *e);

  std::mutex mutex;
  /// Oldest first. Written under the mutex.
  std::atomic<Entry *> first{nullptr};
};

} // namespace xcc::rt
#endif // XCC_SRC_ERRORS_PENDING_H
