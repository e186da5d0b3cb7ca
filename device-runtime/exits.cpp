// Destructors of global and static variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code registers them as the host's does (Itanium C++ ABI, 3.3.6), each
// image in a list of its own: what the C library has would call code that is no
// longer there. The compiler makes a kernel of the call of __xcc_run_exits,
// which the runtime launches before an image goes.
//
// For every device, and so compiled without any header.

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
Exit *last; ///< the latest first

/// What atexit was given takes no argument.
void callPlain(void *function) {
  reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(function))();
}
} // namespace

extern "C" {
/// Names the library that is to go. Here that is the image.
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

/// As if registered before all others.
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

/// In one thread, when no other is left. A destructor may register more.
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
