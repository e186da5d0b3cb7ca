// Signals that kernels raise
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reads a bad address, divides by zero or frees memory twice
// raises a signal on the thread that runs it. Our handlers make the launch
// fail. A fault of other code goes to the program's handler as if ours did not
// exist: with its mask, on its stack, and only once with SA_RESETHAND.
//
// A program that installs a handler later replaces ours. In programs that xcc
// linked, sigaction and signal lead to signalAction, which sets the handler
// beneath ours instead. Handlers that other code installs are found by looking,
// once in a millisecond with work; ours are then installed above them.

#ifndef XCC_SRC_CPU_FAULTS_FAULTS_H
#define XCC_SRC_CPU_FAULTS_FAULTS_H

#include <atomic>
#include <csignal>
#include <cstdint>

namespace xcc::rt::cpu {

/// Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, if
/// they are not installed.
void installFaultHandlers();
/// Restores the earlier handlers where ours are still installed.
void removeFaultHandlers();

/// When to check again whether the handlers are still installed, in ticks.
extern constinit std::atomic<uint64_t> nextCheck;
[[gnu::cold]] void checkFaultHandlers(uint64_t now);
/// Called before blocks are run. Cheap.
inline void keepFaultHandlers(uint64_t now) {
  if (now >= nextCheck.load(std::memory_order_relaxed)) [[unlikely]]
    checkFaultHandlers(now);
}

/// Nanoseconds between checks by a thread that waits for blocks of other
/// threads: a block may fault repeatedly in a handler above ours.
constexpr uint64_t CheckWhileWaiting = 50'000'000;

/// sigaction(2) for a program that does not know of our handlers.
int signalAction(int signal, const struct sigaction *wanted,
                 struct sigaction *old);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_FAULTS_H
