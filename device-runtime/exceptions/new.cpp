// Throwing operator new on GPUs, where a handler can catch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no handler can catch, ../rpc/new.cpp has the same functions.

using size_t = decltype(sizeof 0);
extern "C" void *__xcc_allocate(size_t size, size_t alignment) noexcept;

namespace std {
enum class align_val_t : size_t {};
[[noreturn]] void __throw_bad_alloc();
} // namespace std

namespace {
using Align = std::align_val_t;
void *allocated(size_t size, Align alignment = Align(16)) {
  if (void *block = __xcc_allocate(size, size_t(alignment)))
    return block;
  std::__throw_bad_alloc();
}
} // namespace

#define WEAK [[gnu::weak]]
WEAK void *operator new(size_t n) { return allocated(n); }
WEAK void *operator new[](size_t n) { return allocated(n); }
WEAK void *operator new(size_t n, Align a) { return allocated(n, a); }
WEAK void *operator new[](size_t n, Align a) { return allocated(n, a); }
