// operator new and delete
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If there is no memory, std::bad_alloc ends the launch like any exception.

#include "call.h"
#include "malloc.h"

namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {};
extern const nothrow_t nothrow;
[[gnu::weak]] const nothrow_t nothrow{};
} // namespace std

namespace {
using Align = std::align_val_t;
using Quiet = const std::nothrow_t &;
constexpr Align Default{16};

void *allocated(size_t size, Align alignment) {
  if (void *block = __xcc_allocate(size, size_t(alignment)))
    return block;
  __xcc_trap(2, "std::bad_alloc", nullptr, 0);
}
} // namespace

#define WEAK [[gnu::weak]]

WEAK void *operator new(size_t n) { return allocated(n, Default); }
WEAK void *operator new[](size_t n) { return allocated(n, Default); }
WEAK void *operator new(size_t n, Align a) { return allocated(n, a); }
WEAK void *operator new[](size_t n, Align a) { return allocated(n, a); }
WEAK void *operator new(size_t n, Quiet) noexcept {
  return __xcc_allocate(n, size_t(Default));
}
WEAK void *operator new[](size_t n, Quiet) noexcept {
  return __xcc_allocate(n, size_t(Default));
}
WEAK void *operator new(size_t n, Align a, Quiet) noexcept {
  return __xcc_allocate(n, size_t(a));
}
WEAK void *operator new[](size_t n, Align a, Quiet) noexcept {
  return __xcc_allocate(n, size_t(a));
}

WEAK void operator delete(void *p) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p) noexcept { __xcc_free(p); }
WEAK void operator delete(void *p, size_t) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p, size_t) noexcept { __xcc_free(p); }
WEAK void operator delete(void *p, Align) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p, Align) noexcept { __xcc_free(p); }
WEAK void operator delete(void *p, size_t, Align) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p, size_t, Align) noexcept { __xcc_free(p); }
WEAK void operator delete(void *p, Quiet) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p, Quiet) noexcept { __xcc_free(p); }
WEAK void operator delete(void *p, Align, Quiet) noexcept { __xcc_free(p); }
WEAK void operator delete[](void *p, Align, Quiet) noexcept { __xcc_free(p); }
