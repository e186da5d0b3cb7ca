// Destructors of global and static variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code registers destructors as host code does (Itanium C++ ABI, 3.3.6).
// Each image has a list of its own, because the C library's list would call
// code that has been unloaded. The compiler makes a kernel that calls
// __xcc_run_exits, which the runtime launches before it unloads an image.
//
// For every device, so compiled without any header.

using size_t = decltype(sizeof 0);

extern "C" {
void *malloc(size_t size) noexcept;
void free(void *block) noexcept;
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
}

namespace {
struct Exit {
  Exit *next;
  void (*call)(void *);
  void *object;
};
Exit *last; ///< list, the latest first

/// Calls a function that was given to atexit; it takes no argument.
void callPlain(void *function) {
  reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(function))();
}
} // namespace

extern "C" {
/// Identifies the library to be unloaded; here that is the image.
__attribute__((visibility("hidden"))) void *__dso_handle = nullptr;

int __cxa_atexit(void (*call)(void *), void *object, void *) noexcept {
  auto *exit = static_cast<Exit *>(malloc(sizeof(Exit)));
  if (!exit)
    __xcc_trap(0, "no memory to register a destructor", nullptr, 0);
  exit->call = call;
  exit->object = object;
  exit->next = __atomic_load_n(&last, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&last, &exit->next, exit, true,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return 0;
}

int atexit(void (*call)()) noexcept {
  return __cxa_atexit(callPlain, reinterpret_cast<void *>(call), nullptr);
}

/// Registers a function as if before all others, so that it runs last.
void __xcc_at_exit_last(void (*call)()) noexcept {
  Exit *before = __atomic_exchange_n(&last, nullptr, __ATOMIC_ACQ_REL);
  atexit(call);
  if (!before)
    return;
  Exit *first = before;
  while (first->next)
    first = first->next;
  first->next = __atomic_exchange_n(&last, before, __ATOMIC_ACQ_REL);
}

/// Runs the destructors, in one thread, when no other is left. One may register
/// more.
void __xcc_run_exits() {
  while (Exit *exit = __atomic_load_n(&last, __ATOMIC_ACQUIRE)) {
    last = exit->next;
    void (*call)(void *) = exit->call;
    void *object = exit->object;
    free(exit);
    call(object);
  }
}
}
