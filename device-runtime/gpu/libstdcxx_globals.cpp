// Variables of libstdc++ and glibc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that libstdc++'s headers declare, and its library or the C library
// defines.

/// shared_ptr counts without atomic operations if this is true.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;

// std::bind distinguishes these by their types and never reads them.
namespace std {
template <int> struct _Placeholder {};
namespace placeholders {
#define XCC_PLACEHOLDER(n)                                                     \
  extern const _Placeholder<n> _##n;                                           \
  const _Placeholder<n> _##n{};
XCC_PLACEHOLDER(1)
XCC_PLACEHOLDER(2)
XCC_PLACEHOLDER(3)
XCC_PLACEHOLDER(4)
XCC_PLACEHOLDER(5)
XCC_PLACEHOLDER(6)
XCC_PLACEHOLDER(7)
XCC_PLACEHOLDER(8)
XCC_PLACEHOLDER(9)
XCC_PLACEHOLDER(10)
XCC_PLACEHOLDER(11)
XCC_PLACEHOLDER(12)
XCC_PLACEHOLDER(13)
XCC_PLACEHOLDER(14)
XCC_PLACEHOLDER(15)
XCC_PLACEHOLDER(16)
XCC_PLACEHOLDER(17)
XCC_PLACEHOLDER(18)
XCC_PLACEHOLDER(19)
XCC_PLACEHOLDER(20)
XCC_PLACEHOLDER(21)
XCC_PLACEHOLDER(22)
XCC_PLACEHOLDER(23)
XCC_PLACEHOLDER(24)
XCC_PLACEHOLDER(25)
XCC_PLACEHOLDER(26)
XCC_PLACEHOLDER(27)
XCC_PLACEHOLDER(28)
XCC_PLACEHOLDER(29)
} // namespace placeholders
} // namespace std
