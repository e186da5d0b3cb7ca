// Sleeping until a word changes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only way the runtime puts a thread to sleep.

#ifndef XCC_SRC_CPU_FUTEX_H
#define XCC_SRC_CPU_FUTEX_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xcc::rt::cpu {

/// Sleeps while \p Word holds \p Expected; may return early for any reason.
inline void futexWait(std::atomic<uint32_t> &Word, uint32_t Expected) {
  syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, Expected, nullptr, nullptr, 0);
}

/// The same for so many nanoseconds at most.
inline void futexWaitFor(std::atomic<uint32_t> &Word, uint32_t Expected,
                         uint64_t Time) {
  timespec Most{time_t(Time / 1'000'000'000), long(Time % 1'000'000'000)};
  syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, Expected, &Most, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t> &Word, int Threads = INT_MAX) {
  syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, Threads, nullptr, nullptr, 0);
}

/// One turn of a spinning wait.
inline void relax() { __builtin_ia32_pause(); }

/// The time-stamp counter: cheap, constant rate on every CPU of today.
inline uint64_t ticks() { return __builtin_ia32_rdtsc(); }

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FUTEX_H
