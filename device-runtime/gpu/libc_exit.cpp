// quick_exit for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of at_quick_exit run on the device, in reverse order. They are removed
// when the image is unloaded.

extern "C" {
void *malloc(unsigned long size);
[[noreturn]] void _Exit(int status) noexcept;
}

namespace {
struct Exit {
  Exit *next;
  void (*call)();
};
Exit *last; ///< list, the latest first
} // namespace

extern "C" {
int at_quick_exit(void (*call)()) noexcept {
  auto *exit = static_cast<Exit *>(malloc(sizeof(Exit)));
  if (!exit)
    return -1;
  exit->call = call;
  exit->next = __atomic_load_n(&last, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&last, &exit->next, exit, true,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return 0;
}

[[noreturn]] void quick_exit(int status) noexcept {
  // Other threads may call this too: each function is called once.
  Exit *exit = __atomic_load_n(&last, __ATOMIC_ACQUIRE);
  while (exit)
    if (__atomic_compare_exchange_n(&last, &exit, exit->next, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
      exit->call();
      exit = __atomic_load_n(&last, __ATOMIC_ACQUIRE);
    }
  _Exit(status);
}
}
