// Static variables of functions, while they are initialised
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guard that the compiler puts beside such a variable (Itanium C++ ABI,
// 2.8) is
//
//     byte 0     1 when the variable has been made, which callers look at first
//     bytes 4-7  the worker that initialises it: its number, or 0
//
// Threads of one block run on one worker, in turns: who finds its own worker
// there waits for itself. A kernel that fails leaves its guards to others.

#ifndef XCC_SRC_CPU_WORKERS_GUARDS_H
#define XCC_SRC_CPU_WORKERS_GUARDS_H

#include <cstdint>
#include <vector>

namespace xcc::rt::cpu {

/// The guards that a worker has acquired, the latest last.
class HeldGuards {
public:
  HeldGuards();
  /// No initialiser that was begun will end.
  void giveUp();

private:
  friend bool acquireGuard(uint64_t &guard, HeldGuards &mine);
  friend void releaseGuard(uint64_t &guard, HeldGuards &mine);
  friend void abortGuard(uint64_t &guard, HeldGuards &mine);
  const uint32_t number; ///< never 0, of this worker alone
  std::vector<uint64_t *> held;
};

bool isMade(const uint64_t &guard);
/// True: the caller is to make the variable, and then to release the guard.
/// False: it has been made, or its maker is on this worker. Waits while it is
/// on another one.
bool acquireGuard(uint64_t &guard, HeldGuards &mine);
void releaseGuard(uint64_t &guard, HeldGuards &mine);
/// The variable was not initialised: the next thread does it.
void abortGuard(uint64_t &guard, HeldGuards &mine);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_GUARDS_H
