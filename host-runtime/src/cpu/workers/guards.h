// Guards of static variables in functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler puts a guard beside such a variable (Itanium C++ ABI, 2.8):
//
//     byte 0     1 when the variable is initialised; callers read it first
//     bytes 4-7  the worker that initialises it: its number, or 0
//
// Threads of one block run on one worker, one at a time. A thread that finds
// its own worker in the guard would wait for itself. When a kernel fails, its
// worker gives up the guards that it holds, so that other threads can
// initialise the variables.

#ifndef XCC_SRC_CPU_WORKERS_GUARDS_H
#define XCC_SRC_CPU_WORKERS_GUARDS_H

#include <cstdint>
#include <vector>

namespace xcc::rt::cpu {

/// The guards that a worker holds, the latest last.
class HeldGuards {
public:
  HeldGuards();
  /// Releases all guards. No initialiser that has begun will end.
  void giveUp();

private:
  friend bool acquireGuard(uint64_t &guard, HeldGuards &mine);
  friend void releaseGuard(uint64_t &guard, HeldGuards &mine);
  friend void abortGuard(uint64_t &guard, HeldGuards &mine);
  const uint32_t number; ///< of this worker; never 0
  std::vector<uint64_t *> held;
};

bool isMade(const uint64_t &guard);
/// Returns true if the caller has to initialise the variable and then release
/// the guard. Returns false if the variable is initialised, or if a thread on
/// this worker initialises it. Waits while another worker does.
bool acquireGuard(uint64_t &guard, HeldGuards &mine);
void releaseGuard(uint64_t &guard, HeldGuards &mine);
/// Releases a guard without initialisation; the next thread initialises.
void abortGuard(uint64_t &guard, HeldGuards &mine);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_WORKERS_GUARDS_H
