// Sleeping until a word changes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only way the runtime puts a thread to sleep.

#ifndef XCC_SRC_PROCESS_FUTEX_H
#define XCC_SRC_PROCESS_FUTEX_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xcc::rt {

/// Sleeps while \p word holds \p expected; may return early for any reason.
inline void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

/// The same for at most \p time nanoseconds.
inline void futexWaitFor(std::atomic<uint32_t> &word, uint32_t expected,
                         uint64_t time) {
  timespec most{time_t(time / 1'000'000'000), long(time % 1'000'000'000)};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &most, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t> &word, int threads = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// One iteration of a spinning wait.
inline void relax() { __builtin_ia32_pause(); }

/// The time-stamp counter: cheap, and of constant rate on current CPUs.
inline uint64_t ticks() { return __builtin_ia32_rdtsc(); }

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_FUTEX_H
