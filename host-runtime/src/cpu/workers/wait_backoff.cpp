// Pauses for threads of a block that wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wait_backoff.h"
#include "devices/unwritten_wait.h"
#include "process/settings.h"
#include "process/trace.h"
#include "worker.h"
#include "xcc/abi.h"

#include <ctime>

namespace xcc::rt::cpu {

/// Iterations of each thread before the first rest.
static constexpr uint64_t IterationsBefore = 64;

bool WaitBackoff::tryAgain(Worker &w, uint32_t tries, unsigned threads) {
  switch (tries) {
  case uint32_t(XCC_CPU_YIELD_MOVED):
    idle = 0;
    return false;
  case uint32_t(XCC_CPU_YIELD_ANY):
    break;
  case 0:
    idle = 0;
    break;
  default:
    if (++idle >= IterationsBefore * threads) [[unlikely]]
      rest(w, idle == IterationsBefore * threads);
  }
  return true;
}

void WaitBackoff::rest(Worker &w, bool first) {
  const timespec moment{0, 20'000};
  nanosleep(&moment, nullptr);
  if (reported)
    return;
  if (first) {
    since = trace::now();
    return;
  }
  static const uint64_t after = noticeAfter();
  if (trace::now() - since < after)
    return;
  reported = true;
  reportedWrittenWaits();
  w.printWaiting();
}

} // namespace xcc::rt::cpu
