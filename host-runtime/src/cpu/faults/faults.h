// Signals that kernels raise
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reads a bad address, divides by zero or frees memory twice raises
// a signal on the thread that runs it. Handlers turn that into the launch's failure; a fault
// of any other code goes to the program's handler, as if ours were not there:
// with its mask, on its stack, once if it asked for that.
//
// A program that sets its handler later replaces ours. Where xcc linked the
// call, sigaction and signal lead here and set what lies beneath ours instead.
// Of handlers that others set we learn when we look, once in a millisecond with
// work, and put ours above them.

#ifndef XCC_SRC_CPU_FAULTS_FAULTS_H
#define XCC_SRC_CPU_FAULTS_FAULTS_H

#include <atomic>
#include <csignal>
#include <cstdint>

namespace xcc::rt::cpu {

/// Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, if they are
/// not.
void installFaultHandlers();
/// Puts the earlier handlers back where ours are still installed.
void removeFaultHandlers();

/// When to look next whether the handlers are still there, in ticks.
extern constinit std::atomic<uint64_t> nextLook;
[[gnu::cold]] void lookAfterFaultHandlers(uint64_t now);
/// Before blocks are run. Cheap.
inline void keepFaultHandlers(uint64_t now) {
  if (now >= nextLook.load(std::memory_order_relaxed)) [[unlikely]]
    lookAfterFaultHandlers(now);
}

/// How often a thread that waits for others' blocks looks, nanoseconds: one of
/// them may fault again and again in a handler that lies above ours.
constexpr uint64_t LookWhileWaiting = 50'000'000;

/// sigaction(2) for a program that does not know of our handlers.
int signalAction(int signal, const struct sigaction *wanted,
                 struct sigaction *old);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_FAULTS_H
