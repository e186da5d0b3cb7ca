// Waits within a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block that wait call xcc_cpu_services::yield. When all of them have
// done so many times without progress, they wait for another block or the host, or
// for ever: the worker then sleeps between iterations, and prints a notice after a
// while.

#ifndef XCC_SRC_CPU_WORKERS_PATIENCE_H
#define XCC_SRC_CPU_WORKERS_PATIENCE_H

#include <cstdint>

namespace xcc::rt::cpu {

class Worker;

class Patience {
public:
  /// A thread of \p w 's block, of which so many have not ended, passes its turn
  /// on. False: it only came on, and goes on.
  bool tryAgain(Worker &w, uint32_t tries, unsigned threads);
  /// A thread came on in another way.
  void moved() { idle = 0; }
  /// Another launch begins.
  void begin() { idle = 0, told = false; }

private:
  void rest(Worker &w, bool first);

  uint64_t idle = 0;  ///< turns since one came on
  uint64_t since = 0; ///< when the first rest began
  bool told = false;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_PATIENCE_H
