// operator new and delete
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where there is no memory, std::bad_alloc ends the launch as any exception.

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

void *allocated(size_t Size, Align Alignment) {
  if (void *Block = __xcc_allocate(Size, size_t(Alignment)))
    return Block;
  __xcc_trap(2, "std::bad_alloc", nullptr, 0);
}
} // namespace

#define WEAK [[gnu::weak]]

WEAK void *operator new(size_t N) { return allocated(N, Default); }
WEAK void *operator new[](size_t N) { return allocated(N, Default); }
WEAK void *operator new(size_t N, Align A) { return allocated(N, A); }
WEAK void *operator new[](size_t N, Align A) { return allocated(N, A); }
WEAK void *operator new(size_t N, Quiet) noexcept {
  return __xcc_allocate(N, size_t(Default));
}
WEAK void *operator new[](size_t N, Quiet) noexcept {
  return __xcc_allocate(N, size_t(Default));
}
WEAK void *operator new(size_t N, Align A, Quiet) noexcept {
  return __xcc_allocate(N, size_t(A));
}
WEAK void *operator new[](size_t N, Align A, Quiet) noexcept {
  return __xcc_allocate(N, size_t(A));
}

WEAK void operator delete(void *P) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P) noexcept { __xcc_free(P); }
WEAK void operator delete(void *P, size_t) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P, size_t) noexcept { __xcc_free(P); }
WEAK void operator delete(void *P, Align) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P, Align) noexcept { __xcc_free(P); }
WEAK void operator delete(void *P, size_t, Align) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P, size_t, Align) noexcept { __xcc_free(P); }
WEAK void operator delete(void *P, Quiet) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P, Quiet) noexcept { __xcc_free(P); }
WEAK void operator delete(void *P, Align, Quiet) noexcept { __xcc_free(P); }
WEAK void operator delete[](void *P, Align, Quiet) noexcept { __xcc_free(P); }
