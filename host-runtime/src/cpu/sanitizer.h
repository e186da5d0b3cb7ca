// Telling sanitizers about stacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AddressSanitizer and ThreadSanitizer follow a thread's stack; when the
// runtime switches to a fiber or leaves a failed kernel they have to be told.
// Without a sanitizer all of this is empty.

#ifndef XCC_SRC_CPU_SANITIZER_H
#define XCC_SRC_CPU_SANITIZER_H

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
void __sanitizer_start_switch_fiber(void **Save, const void *Bottom,
                                    size_t Size);
void __sanitizer_finish_switch_fiber(void *Saved, const void **Bottom,
                                     size_t *Size);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned Flags);
void __tsan_destroy_fiber(void *Fiber);
void __tsan_switch_to_fiber(void *Fiber, unsigned Flags);
}

namespace xcc::rt::cpu::sanitizer {

/// What the sanitizers know of one stack.
struct Stack {
  void *Tsan = nullptr;
  void *Saved = nullptr; ///< ASan's fake stack while switched away
  const void *Bottom = nullptr;
  size_t Size = 0;
};

/// Frames were left without returning.
inline void leftFrames() {
#ifdef XCC_RT_ASAN
  __asan_handle_no_return();
#endif
}

inline void created(Stack &S, const void *Bottom, size_t Size) {
  S.Bottom = Bottom;
  S.Size = Size;
#ifdef XCC_RT_TSAN
  S.Tsan = __tsan_create_fiber(0);
#endif
}

inline void destroyed(Stack &S) {
#ifdef XCC_RT_TSAN
  if (S.Tsan)
    __tsan_destroy_fiber(S.Tsan);
  S.Tsan = nullptr;
#endif
}

/// The thread's own stack, before it switches to its first fiber.
inline void own(Stack &S) {
#ifdef XCC_RT_TSAN
  S.Tsan = __tsan_get_current_fiber();
#endif
}

/// Just before a switch. \p From is null when that stack is given up.
[[gnu::always_inline]] inline void leaving(Stack *From, Stack &To) {
#ifdef XCC_RT_ASAN
  __sanitizer_start_switch_fiber(From ? &From->Saved : nullptr, To.Bottom,
                                 To.Size);
#endif
#ifdef XCC_RT_TSAN
  __tsan_switch_to_fiber(To.Tsan, 0);
#endif
}

/// Just after a switch, on the new stack. \p Came is filled, if given, with the
/// stack the switch came from.
[[gnu::always_inline]] inline void arrived(Stack &Here, Stack *Came) {
#ifdef XCC_RT_ASAN
  __sanitizer_finish_switch_fiber(Here.Saved, Came ? &Came->Bottom : nullptr,
                                  Came ? &Came->Size : nullptr);
#endif
}

} // namespace xcc::rt::cpu::sanitizer
#endif // XCC_SRC_CPU_SANITIZER_H
