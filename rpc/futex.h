// Sleeping in code without a C library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code on the CPU device is freestanding, so the system call is made
// here. Linux on x86-64 and AArch64.

#ifndef XCC_RPC_FUTEX_H
#define XCC_RPC_FUTEX_H

#include <stdint.h>

namespace xcc::rpc {

/// A time span as the kernel takes it.
struct FutexTime {
  int64_t Seconds, Nanoseconds;
};

namespace detail {
inline long futex(const uint32_t *Word, long Operation, uint32_t Value,
                  const FutexTime *Timeout) {
#if defined(__x86_64__)
  long Result;
  register const FutexTime *R10 __asm__("r10") = Timeout;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(202L), "D"(Word), "S"(Operation), "d"(long(Value)),
                     "r"(R10)
                   : "rcx", "r11", "memory");
  return Result;
#elif defined(__aarch64__)
  register long X0 __asm__("x0") = long(Word);
  register long X1 __asm__("x1") = Operation;
  register long X2 __asm__("x2") = long(Value);
  register const FutexTime *X3 __asm__("x3") = Timeout;
  register long X8 __asm__("x8") = 98;
  __asm__ volatile("svc 0"
                   : "+r"(X0)
                   : "r"(X1), "r"(X2), "r"(X3), "r"(X8)
                   : "memory");
  return X0;
#else
#error "RPC on the CPU knows x86-64 and AArch64 Linux"
#endif
}
inline constexpr long FutexPrivate = 128;
} // namespace detail

/// Sleeps while *Word is Value; returns early for any reason.
inline void futexWait(const uint32_t *Word, uint32_t Value, bool Shared,
                      const FutexTime *Timeout = nullptr) {
  detail::futex(Word, Shared ? 0 : detail::FutexPrivate, Value, Timeout);
}

/// Wakes up to Threads of those that sleep on Word.
inline void futexWake(uint32_t *Word, uint32_t Threads, bool Shared) {
  detail::futex(Word, 1 | (Shared ? 0 : detail::FutexPrivate), Threads,
                nullptr);
}

/// Lets another thread of this CPU go first: it may be the one that is waited
/// for.
inline void yield() {
#if defined(__x86_64__)
  long Result;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(24L)
                   : "rcx", "r11", "memory");
#else
  register long X8 __asm__("x8") = 124;
  register long X0 __asm__("x0");
  __asm__ volatile("svc 0" : "=r"(X0) : "r"(X8) : "memory");
#endif
}

/// One turn of a waiting loop.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield" ::: "memory");
#endif
}

} // namespace xcc::rpc
#endif // XCC_RPC_FUTEX_H
