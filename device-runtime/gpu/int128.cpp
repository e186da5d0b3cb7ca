// 128-bit integers on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The back ends of LLVM 22 expand 128-bit arithmetic in place, including
// division. NVPTX cannot convert from and to floating point; the compiler calls
// these functions for that, with the names of compiler-rt and libgcc. Division
// is also here by its usual names, for objects that call it.

using int128 = __int128;
using uint128 = unsigned __int128;

namespace {

/// Converts to a T with \p Digits bits of mantissa: to nearest, ties to even.
template <class T, int Digits> T fromUnsigned(uint128 x) {
  if (x >> 64 == 0)
    return T((unsigned long)x);
  // The top 64 bits, with the rest merged into the last bit, round like x.
  int zeros = __builtin_clzl((unsigned long)(x >> 64)), shift = 64 - zeros;
  unsigned long top = (unsigned long)(x >> shift);
  bool rest = (x & ((uint128(1) << shift) - 1)) != 0;
  static_assert(Digits < 62);
  // Multiply by 2^shift in two factors, because 2^64 does not fit in 64 bits.
  return T(top | rest) * T(1ul << shift / 2) * T(1ul << (shift - shift / 2));
}

template <class T, int Digits> T fromSigned(int128 x) {
  T size = fromUnsigned<T, Digits>(x < 0 ? 0 - uint128(x) : uint128(x));
  return x < 0 ? -size : size;
}

/// Truncates x. Out of range: the nearest value; for NaN: 0.
template <class T> uint128 toUnsigned(T x) {
  if (!(x >= 1))
    return 0;
  constexpr T limit = T(1ul << 63) * 2; // 2^64
  if (x >= limit * limit)
    return ~uint128(0);
  if (x < limit)
    return (unsigned long)x;
  // Exact, because x has fewer digits than 64.
  unsigned long high = (unsigned long)(x / limit);
  T low = x - T(high) * limit;
  return (uint128(high) << 64) | (unsigned long)low;
}

template <class T> int128 toSigned(T x) {
  constexpr uint128 top = uint128(1) << 127;
  uint128 size = toUnsigned(x < 0 ? -x : x);
  if (x < 0)
    return size >= top ? int128(top) : -int128(size);
  return size >= top ? int128(top - 1) : int128(size);
}

} // namespace

extern "C" {
float __floattisf(int128 x) { return fromSigned<float, 24>(x); }
double __floattidf(int128 x) { return fromSigned<double, 53>(x); }
float __floatuntisf(uint128 x) { return fromUnsigned<float, 24>(x); }
double __floatuntidf(uint128 x) { return fromUnsigned<double, 53>(x); }
int128 __fixsfti(float x) { return toSigned(x); }
int128 __fixdfti(double x) { return toSigned(x); }
uint128 __fixunssfti(float x) { return toUnsigned(x); }
uint128 __fixunsdfti(double x) { return toUnsigned(x); }

int128 __divti3(int128 x, int128 y) { return x / y; }
int128 __modti3(int128 x, int128 y) { return x % y; }
uint128 __udivti3(uint128 x, uint128 y) { return x / y; }
uint128 __umodti3(uint128 x, uint128 y) { return x % y; }
int128 __multi3(int128 x, int128 y) { return x * y; }
int128 __ashlti3(int128 x, int n) { return x << n; }
int128 __ashrti3(int128 x, int n) { return x >> n; }
uint128 __lshrti3(uint128 x, int n) { return x >> n; }
}
