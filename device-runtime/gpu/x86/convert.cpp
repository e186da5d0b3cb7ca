// x86's conversions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

namespace {

/// Converts by truncation. A value outside the type's range gives the least
/// value of the type, Intel's "integer indefinite".
template <class To, class From>
[[gnu::always_inline]] inline To truncated(From value) {
  constexpr To least = To(1ull << (sizeof(To) * 8 - 1));
  constexpr From limit = -From(least);
  // Values just below the least one are truncated to it.
  constexpr From below = sizeof(From) > sizeof(To) ? -limit - 1 : -limit;
  bool fits = sizeof(From) > sizeof(To) ? value > below && value < limit
                                        : value >= below && value < limit;
  return fits ? To(value) : least;
}
template <class To, class From>
[[gnu::always_inline]] inline To rounded(From value) {
  return truncated<To>(__builtin_elementwise_rint(value));
}

/// Applies f to the elements of a and fills the rest of V with zeros.
template <class V, class F, class From>
[[gnu::always_inline]] inline V lower(From a, F f) {
  return each<V>([&](int i) {
    return i < Size<From> ? f(a[i % Size<From>]) : Element<V>(0);
  });
}

} // namespace

#define TO_INTEGER(name, Result, Vector, T, how)                               \
  X86 Result __xcc_ia32_##name(Vector a) {                                     \
    return lower<Result>(a, [](auto x) { return how<T>(x); });                 \
  }
TO_INTEGER(cvtps2dq, V4i, V4f, int, rounded)
TO_INTEGER(cvttps2dq, V4i, V4f, int, truncated)
TO_INTEGER(cvtps2dq256, V8i, V8f, int, rounded)
TO_INTEGER(cvttps2dq256, V8i, V8f, int, truncated)
TO_INTEGER(cvttpd2dq, V4i, V2d, int, truncated)
TO_INTEGER(cvtpd2dq256, V4i, V4d, int, rounded)
TO_INTEGER(cvttpd2dq256, V4i, V4d, int, truncated)
X86 V2q __xcc_ia32_cvtpd2dq(V2d a) {
  return bits<V2q>(lower<V4i>(a, [](double x) { return rounded<int>(x); }));
}

#define FIRST(name, Result, Vector, how)                                       \
  X86 Result __xcc_ia32_##name(Vector a) { return how<Result>(a[0]); }
FIRST(cvtss2si, int, V4f, rounded)
FIRST(cvttss2si, int, V4f, truncated)
FIRST(cvtss2si64, long long, V4f, rounded)
FIRST(cvttss2si64, long long, V4f, truncated)
FIRST(cvtsd2si, int, V2d, rounded)
FIRST(cvttsd2si, int, V2d, truncated)
FIRST(cvtsd2si64, long long, V2d, rounded)
FIRST(cvttsd2si64, long long, V2d, truncated)

X86 V4f __xcc_ia32_cvtpd2ps(V2d a) {
  return lower<V4f>(a, [](double x) { return float(x); });
}
X86 V4f __xcc_ia32_cvtpd2ps256(V4d a) {
  return __builtin_convertvector(a, V4f);
}
X86 V4f __xcc_ia32_cvtsd2ss(V4f a, V2d b) {
  a[0] = float(b[0]);
  return a;
}

//===----------------------------------------------------------------------===//
// To 16 bits of floating point
//===----------------------------------------------------------------------===//

namespace {

enum { Nearest, Down, Up, Truncate };

short half(float value, int mode) {
  unsigned from = bits<unsigned>(value), sign = from >> 31;
  int exponent = int(from >> 23 & 255) - 127 + 15;
  unsigned mantissa = from & 0x7fffff;
  unsigned result = sign << 15;
  if (exponent == 128 + 15) // infinity, or NaN, which becomes quiet
    return short(result | 0x7c00 | (mantissa ? 0x200 | mantissa >> 13 : 0));
  mantissa |= from >> 23 & 255 ? 0x800000 : 0;
  // The number of bits to drop; there are more below the least normal number.
  int lost = exponent > 0 ? 13 : 14 - exponent;
  unsigned kept = 0, rest, middle;
  if (lost > 25) {
    rest = mantissa != 0;
    middle = 2;
  } else {
    kept = mantissa >> lost;
    rest = mantissa & ((1u << lost) - 1);
    middle = 1u << (lost - 1);
  }
  if (exponent > 0) // the mantissa's leading bit adds one to the exponent
    kept += unsigned(exponent - 1) << 10;
  bool away = mode == Nearest
                  ? rest > middle || (rest == middle && (kept & 1))
                  : rest && mode != Truncate && (mode == Up) != bool(sign);
  if (exponent > 30 || (kept += away) >= 0x7c00) {
    bool infinite =
        mode == Nearest || (mode != Truncate && (mode == Up) != bool(sign));
    kept = infinite ? 0x7c00 : 0x7bff;
  }
  return short(result | kept);
}

} // namespace

X86_CALL V8s __xcc_ia32_vcvtps2ph(V4f a, int mode) {
  return lower<V8s>(
      a, [=](float x) { return half(x, mode & 4 ? Nearest : mode & 3); });
}
X86_CALL V8s __xcc_ia32_vcvtps2ph256(V8f a, int mode) {
  return lower<V8s>(
      a, [=](float x) { return half(x, mode & 4 ? Nearest : mode & 3); });
}
