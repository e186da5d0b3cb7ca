// What gives workers their work
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool knows its queues as this. They are never freed while there are
// workers, which may look at one at any time.

#ifndef XCC_SRC_CPU_WORKERS_WORK_SOURCE_H
#define XCC_SRC_CPU_WORKERS_WORK_SOURCE_H

#include "worker.h"

namespace xcc::rt::cpu {

class WorkSource {
public:
  /// Could helpFor() do something? A look without obligation.
  virtual bool hasWork() = 0;
  /// Runs what can be run now, of the next so many packets at most. True when
  /// something was done.
  virtual bool helpFor(Worker &w, uint64_t packets) = 0;
  /// Has all its work ended?
  virtual bool isIdle() = 0;
  /// Wakes threads that wait for the end of work.
  virtual void wakeWaiting() = 0;

  /// The smaller, the more urgent. Constant once a pool has it.
  int priority = 0;
  WorkSource *next = nullptr; ///< the pool's list

protected:
  ~WorkSource() = default;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_WORK_SOURCE_H
