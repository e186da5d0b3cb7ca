// Pauses for threads of a block that wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block that wait call xcc_cpu_services::yield. When all of them
// have done so many times without progress, they wait for another block or the
// host, or forever. The worker then sleeps between iterations, and prints a
// notice after a while.

#ifndef XCC_SRC_CPU_WORKERS_WAIT_BACKOFF_H
#define XCC_SRC_CPU_WORKERS_WAIT_BACKOFF_H

#include <cstdint>

namespace xcc::rt::cpu {

class Worker;

class WaitBackoff {
public:
  /// Called when a thread of \p w 's block yields; \p threads of them have not
  /// ended. Returns false if the thread only reports progress and shall
  /// continue.
  bool tryAgain(Worker &w, uint32_t tries, unsigned threads);
  /// A thread made progress in another way.
  void moved() { idle = 0; }
  /// Another launch begins.
  void begin() { idle = 0, reported = false; }

private:
  void rest(Worker &w, bool first);

  uint64_t idle = 0;  ///< yields since a thread made progress
  uint64_t since = 0; ///< when the first rest began
  bool reported = false;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_WAIT_BACKOFF_H
