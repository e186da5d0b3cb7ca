// Annotations for sanitizers: stacks, and which thread waits for which
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AddressSanitizer and ThreadSanitizer follow a thread's stack, so the runtime
// tells them when it switches to a fiber or leaves a failed kernel. To
// ThreadSanitizer each thread of each block is a thread. The runtime is not
// instrumented, although the program and its kernels may be, so it also tells
// what orders these threads. Without a sanitizer the functions called here are
// not defined, and all of this does nothing.

#ifndef XCC_SRC_CPU_WORKERS_SANITIZER_H
#define XCC_SRC_CPU_WORKERS_SANITIZER_H

#include "process/ignored_by_tsan.h"

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define XCC_RT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define XCC_RT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define XCC_RT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define XCC_RT_TSAN 1
#endif

#if defined(__clang__)
#define XCC_RT_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#elif defined(XCC_RT_TSAN)
#define XCC_RT_UNINSTRUMENTED __attribute__((no_sanitize_thread))
#else
#define XCC_RT_UNINSTRUMENTED
#endif

extern "C" {
[[gnu::weak]] void __asan_handle_no_return(void);
[[gnu::weak]] void
__sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
[[gnu::weak]] void
__sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size);
[[gnu::weak]] void *__tsan_get_current_fiber(void);
[[gnu::weak]] void *__tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void *fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void *fiber, unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void *fiber, const char *name);
[[gnu::weak]] void __tsan_acquire(void *at);
[[gnu::weak]] void __tsan_release(void *at);
}

namespace xcc::rt::cpu::sanitizer {

/// Is the process under AddressSanitizer, ThreadSanitizer?
inline bool address() { return __asan_handle_no_return != nullptr; }
inline bool thread() { return __tsan_switch_to_fiber != nullptr; }

/// The sanitizers' data about one stack.
struct Stack {
  void *tsan = nullptr;
  void *saved = nullptr; ///< ASan's fake stack while switched away
  const void *bottom = nullptr;
  size_t size = 0;
};

/// Tells that frames were left without returning.
inline void leftFrames() {
  if (address())
    __asan_handle_no_return();
}

inline void created(Stack &s, const void *bottom, size_t size) {
  s.bottom = bottom;
  s.size = size;
}

#ifdef XCC_RT_TSAN
constexpr unsigned SwitchFlags = 0; // the runtime's accesses are ordered
#else
constexpr unsigned SwitchFlags = 1; // a switch does not order kernels
#endif

/// The origin of a block's threads. Other work of the thread that runs a block
/// does not happen before them.
class Root {
public:
  void make() {
#ifndef XCC_RT_TSAN
    // An instrumented function must return on the fiber on which it began.
    if (thread() && !made)
      made = __tsan_create_fiber(0);
#endif
  }

private:
  friend class Within;
  void *made = nullptr;
};

/// While it lives, the calling thread runs as the root.
class Within {
public:
  explicit Within(const Root &root) {
    if (!root.made)
      return;
    home = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(root.made, SwitchFlags);
  }
  ~Within() {
    if (home)
      __tsan_switch_to_fiber(home, SwitchFlags);
  }
  Within(const Within &) = delete;

private:
  void *home = nullptr;
};

/// A thread of a block begins, as a new thread for ThreadSanitizer.
inline void begins(Stack &s, const char *name) {
  s.tsan = __tsan_create_fiber(0);
  __tsan_set_fiber_name(s.tsan, name);
}

/// The thread has ended, or will not continue.
inline void destroyed(Stack &s) {
  if (s.tsan)
    __tsan_destroy_fiber(s.tsan);
  s.tsan = nullptr;
}

/// Records the thread's own stack, before it switches to its first fiber.
inline void own(Stack &s) {
  if (thread())
    s.tsan = __tsan_get_current_fiber();
}

/// Call this just before a switch. \p from is null if that stack is abandoned.
[[gnu::always_inline]] inline void leaving(Stack *from, Stack &to) {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(from ? &from->saved : nullptr, to.bottom,
                                   to.size);
  if (thread())
    __tsan_switch_to_fiber(to.tsan, SwitchFlags);
}

/// Call this just after a switch, on the new stack. Stores in \p came, if
/// given, the stack from which the switch came.
[[gnu::always_inline]] inline void arrived(Stack &here, Stack *came) {
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(here.saved, came ? &came->bottom : nullptr,
                                    came ? &came->size : nullptr);
}

/// All that precedes release(at) happens before all that follows acquire(at).
inline void release(void *at) {
  if (thread())
    __tsan_release(at);
}
inline void acquire(void *at) {
  if (thread())
    __tsan_acquire(at);
}

using Ignored = IgnoredByTsan;

} // namespace xcc::rt::cpu::sanitizer
#endif // XCC_SRC_CPU_WORKERS_SANITIZER_H
