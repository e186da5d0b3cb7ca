// Destructors of thread_local variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code registers destructors as host code does (Itanium C++ ABI, 3.3.6).
// Each device thread has a list, which runs when its kernel returns; the
// compiler adds that call. Threads that are fibers may run code of several
// images, so the runtime keeps their list.

#include "xcc/abi.h"

#include <stddef.h>

extern "C" {
void *malloc(size_t size) noexcept;
void free(void *block) noexcept;
extern xcc_cpu_image __xcc_image;
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object,
                             void *library) noexcept;
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
}

/// The variables of a device thread; null if no kernel of this image runs. It
/// is itself a variable of the machine's thread.
constinit thread_local void *__xcc_thread_locals = nullptr;

namespace {
struct Exit {
  Exit *next;
  void (*destroy)(void *);
  void *object;
};
constinit thread_local Exit *last = nullptr; ///< list, the latest first
} // namespace

extern "C" {
int __cxa_thread_atexit(void (*destroy)(void *), void *object,
                        void *library) noexcept {
  if (__xcc_image.services->thread_atexit(destroy, object))
    return 0;
  if (!__xcc_thread_locals)
    return __cxa_thread_atexit_impl(destroy, object, library);
  auto *exit = static_cast<Exit *>(malloc(sizeof(Exit)));
  if (!exit)
    __xcc_trap(0, "no memory to register a destructor", nullptr, 0);
  *exit = {last, destroy, object};
  last = exit;
  return 0;
}

/// Runs the destructors; one may register more.
void __xcc_end_thread() {
  __xcc_image.services->thread_end();
  while (Exit *exit = last) {
    last = exit->next;
    auto [next, destroy, object] = *exit;
    free(exit);
    destroy(object);
  }
}
}
