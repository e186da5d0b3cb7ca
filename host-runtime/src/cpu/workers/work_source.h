// A source of work for the workers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool's view of a queue. A source is never freed while there are workers,
// because a worker may look at it at any time.

#ifndef XCC_SRC_CPU_WORKERS_WORK_SOURCE_H
#define XCC_SRC_CPU_WORKERS_WORK_SOURCE_H

#include "worker.h"

namespace xcc::rt::cpu {

class WorkSource {
public:
  /// Could helpFor() do something? The answer may be out of date at once.
  virtual bool hasWork() = 0;
  /// Runs what can run now, at most the next \p packets packets. Returns true
  /// if it did something.
  virtual bool helpFor(Worker &w, uint64_t packets) = 0;
  /// Has all its work ended?
  virtual bool isIdle() = 0;
  /// Wakes threads that wait for the end of work.
  virtual void wakeWaiting() = 0;

  /// Smaller is more urgent. Constant once a pool has the source.
  int priority = 0;
  WorkSource *next = nullptr; ///< in the pool's list

protected:
  ~WorkSource() = default;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_WORK_SOURCE_H
