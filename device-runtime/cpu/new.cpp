// Throwing operator new on the CPU device, where a handler can catch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory comes from the host's operator new. A program may replace it, and the
// nothrow form calls the replacement. The host's exception stays inside that
// form, so these functions throw an exception of device code.

using size_t = decltype(sizeof 0);

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {};
extern const nothrow_t nothrow;
[[noreturn]] void __throw_bad_alloc();
} // namespace std
// NOLINTEND(readability-identifier-naming)

using Align = std::align_val_t;
void *operator new(size_t n, const std::nothrow_t &) noexcept;
void *operator new[](size_t n, const std::nothrow_t &) noexcept;
void *operator new(size_t n, Align a, const std::nothrow_t &) noexcept;
void *operator new[](size_t n, Align a, const std::nothrow_t &) noexcept;

namespace {
void *checked(void *memory) {
  if (!memory)
    std::__throw_bad_alloc();
  return memory;
}
} // namespace

#define WEAK [[gnu::weak]]
WEAK void *operator new(size_t n) {
  return checked(operator new(n, std::nothrow));
}
WEAK void *operator new[](size_t n) {
  return checked(operator new[](n, std::nothrow));
}
WEAK void *operator new(size_t n, Align a) {
  return checked(operator new(n, a, std::nothrow));
}
WEAK void *operator new[](size_t n, Align a) {
  return checked(operator new[](n, a, std::nothrow));
}
