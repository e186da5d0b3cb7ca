// Numbers of 16 bits out of wider ones
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang asks for these functions wherever a __bf16 is passed or computed, on
// processors without instructions for it. GCC's library has them from GCC 13 on,
// so they are here, and in libxcc for host code. Code generation asks for them when bitcode has been linked:
// the target takes them along wherever there are such numbers.

namespace {

/// To nearest, ties to even. \p bits are a float's.
__bf16 rounded(unsigned bits) {
  if ((bits & 0x7fffffff) > 0x7f800000)
    bits |= 0x400000; // of a NaN, the lower half is not all of it
  else
    bits += 0x7fff + (bits >> 16 & 1);
  return __builtin_bit_cast(__bf16, (unsigned short)(bits >> 16));
}

/// The float on the side of zero, its last bit set where it is not x itself: it
/// has digits enough to round once more as x would.
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
