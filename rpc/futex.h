// Sleeping in code without a C library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code of the CPU device is freestanding, so it makes the system call
// itself. Supports Linux on x86-64 and AArch64.

#ifndef XCC_RPC_FUTEX_H
#define XCC_RPC_FUTEX_H

#include <stdint.h>

namespace xcc::rpc {

/// A time span in the kernel's layout.
struct FutexTime {
  int64_t seconds, nanoseconds;
};

namespace detail {
inline long futex(const uint32_t *word, long operation, uint32_t value,
                  const FutexTime *timeout) {
#if defined(__x86_64__)
  long result;
  register const FutexTime *r10 __asm__("r10") = timeout;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(202L), "D"(word), "S"(operation), "d"(long(value)),
                     "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x0 __asm__("x0") = long(word);
  register long x1 __asm__("x1") = operation;
  register long x2 __asm__("x2") = long(value);
  register const FutexTime *x3 __asm__("x3") = timeout;
  register long x8 __asm__("x8") = 98;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x1), "r"(x2), "r"(x3), "r"(x8)
                   : "memory");
  return x0;
#else
#error "RPC on the CPU knows x86-64 and AArch64 Linux"
#endif
}
inline constexpr long FutexPrivate = 128;
} // namespace detail

/// Sleeps while *word equals \p value. May return early for any reason.
inline void futexWait(const uint32_t *word, uint32_t value, bool shared,
                      const FutexTime *timeout = nullptr) {
  detail::futex(word, shared ? 0 : detail::FutexPrivate, value, timeout);
}

/// Wakes at most \p threads threads that sleep on \p word.
inline void futexWake(uint32_t *word, uint32_t threads, bool shared) {
  detail::futex(word, 1 | (shared ? 0 : detail::FutexPrivate), threads,
                nullptr);
}

/// Lets another thread of this CPU run, which may be the one to wait for.
inline void yield() {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(24L)
                   : "rcx", "r11", "memory");
#else
  register long x8 __asm__("x8") = 124;
  register long x0 __asm__("x0");
  __asm__ volatile("svc 0" : "=r"(x0) : "r"(x8) : "memory");
#endif
}

/// One iteration of a waiting loop.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield" ::: "memory");
#endif
}

} // namespace xcc::rpc
#endif // XCC_RPC_FUTEX_H
