// Conversions to __bf16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang calls these functions wherever a __bf16 is passed or computed, on
// processors without instructions for it. GCC's library has them only from GCC
// 13 on, so they are here, and in libxcc for host code. Code generation calls
// them after bitcode has been linked, so the target keeps them wherever there
// are such numbers.

namespace {

/// Rounds to nearest, ties to even. \p bits are those of a float.
__bf16 rounded(unsigned bits) {
  if ((bits & 0x7fffffff) > 0x7f800000)
    bits |= 0x400000; // keeps a NaN whose upper half would be an infinity
  else
    bits += 0x7fff + (bits >> 16 & 1);
  return __builtin_bit_cast(__bf16, (unsigned short)(bits >> 16));
}

/// Narrows through a float rounded towards zero, with the last bit set if x is
/// not exact. The float has enough digits to round once more as x itself would.
template <class T> __bf16 narrowed(T x) {
  const float near = float(x);
  unsigned bits = __builtin_bit_cast(unsigned, near);
  if (T(near) != x && near == near) {
    if (x < 0 ? T(near) < x : T(near) > x)
      --bits;
    bits |= 1;
  }
  return rounded(bits);
}

} // namespace

#ifdef XCC_SHARED_LIBRARY
#pragma GCC visibility push(default)
#endif
extern "C" {
__bf16 __truncsfbf2(float x) {
  return rounded(__builtin_bit_cast(unsigned, x));
}
__bf16 __truncdfbf2(double x) { return narrowed(x); }
__bf16 __truncxfbf2(long double x) { return narrowed(x); }
__bf16 __trunctfbf2(__float128 x) { return narrowed(x); }
}
