// Telling sanitizers about stacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AddressSanitizer and ThreadSanitizer follow a thread's stack; when the
// runtime switches to a fiber or leaves a failed kernel they have to be told.
// Without a sanitizer all of this is empty.

#ifndef XCC_SRC_CPU_WORKERS_SANITIZER_H
#define XCC_SRC_CPU_WORKERS_SANITIZER_H

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
void __asan_handle_no_return(void);
void __sanitizer_start_switch_fiber(void **save, const void *bottom,
                                    size_t size);
void __sanitizer_finish_switch_fiber(void *saved, const void **bottom,
                                     size_t *size);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}

namespace xcc::rt::cpu::sanitizer {

/// What the sanitizers know of one stack.
struct Stack {
  void *tsan = nullptr;
  void *saved = nullptr; ///< ASan's fake stack while switched away
  const void *bottom = nullptr;
  size_t size = 0;
};

/// Frames were left without returning.
inline void leftFrames() {
#ifdef XCC_RT_ASAN
  __asan_handle_no_return();
#endif
}

inline void created(Stack &s, const void *bottom, size_t size) {
  s.bottom = bottom;
  s.size = size;
#ifdef XCC_RT_TSAN
  s.tsan = __tsan_create_fiber(0);
#endif
}

inline void destroyed(Stack &s) {
#ifdef XCC_RT_TSAN
  if (s.tsan)
    __tsan_destroy_fiber(s.tsan);
  s.tsan = nullptr;
#endif
}

/// The thread's own stack, before it switches to its first fiber.
inline void own(Stack &s) {
#ifdef XCC_RT_TSAN
  s.tsan = __tsan_get_current_fiber();
#endif
}

/// Just before a switch. \p from is null when that stack is given up.
[[gnu::always_inline]] inline void leaving(Stack *from, Stack &to) {
#ifdef XCC_RT_ASAN
  __sanitizer_start_switch_fiber(from ? &from->saved : nullptr, to.bottom,
                                 to.size);
#endif
#ifdef XCC_RT_TSAN
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
}

/// Just after a switch, on the new stack. \p came is filled, if given, with the
/// stack the switch came from.
[[gnu::always_inline]] inline void arrived(Stack &here, Stack *came) {
#ifdef XCC_RT_ASAN
  __sanitizer_finish_switch_fiber(here.saved, came ? &came->bottom : nullptr,
                                  came ? &came->size : nullptr);
#endif
}

} // namespace xcc::rt::cpu::sanitizer
#endif // XCC_SRC_CPU_WORKERS_SANITIZER_H
