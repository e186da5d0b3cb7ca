// x86's instructions on vectors of floating point
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

#define BINARY(name, V, ...)                                                   \
  X86 V __xcc_ia32_##name(V a, V b) { return __VA_ARGS__; }
#define FIRST(name, V, ...)                                                    \
  X86 V __xcc_ia32_##name(V a, V b) {                                          \
    a[0] = __VA_ARGS__;                                                        \
    return a;                                                                  \
  }

// The result is the second operand if the two are equal or unordered.
BINARY(minps, V4f, a < b ? a : b)
BINARY(minps256, V8f, a < b ? a : b)
BINARY(minpd, V2d, a < b ? a : b)
BINARY(minpd256, V4d, a < b ? a : b)
BINARY(maxps, V4f, a > b ? a : b)
BINARY(maxps256, V8f, a > b ? a : b)
BINARY(maxpd, V2d, a > b ? a : b)
BINARY(maxpd256, V4d, a > b ? a : b)
FIRST(minss, V4f, a[0] < b[0] ? a[0] : b[0])
FIRST(minsd, V2d, a[0] < b[0] ? a[0] : b[0])
FIRST(maxss, V4f, a[0] > b[0] ? a[0] : b[0])
FIRST(maxsd, V2d, a[0] > b[0] ? a[0] : b[0])

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {

/// The 16 predicates. Those from 16 on differ only in the exceptions they
/// raise.
template <class T> bool holds(T a, T b, int predicate) {
  bool unordered = a != a || b != b;
  switch (predicate & 15) {
  case 0:
    return a == b;
  case 1:
    return a < b;
  case 2:
    return a <= b;
  case 3:
    return unordered;
  case 4:
    return a != b;
  case 5:
    return !(a < b);
  case 6:
    return !(a <= b);
  case 7:
    return !unordered;
  case 8:
    return a == b || unordered;
  case 9:
    return !(a >= b);
  case 10:
    return !(a > b);
  case 11:
    return false;
  case 12:
    return a != b && !unordered;
  case 13:
    return a >= b;
  case 14:
    return a > b;
  default:
    return true;
  }
}

float mask(bool value, float) { return bits<float>(value ? -1 : 0); }
double mask(bool value, double) { return bits<double>(value ? -1ll : 0ll); }

template <class V>
[[gnu::always_inline]] inline V all(V a, V b, int predicate) {
  return each<V>(
      [&](int i) { return mask(holds(a[i], b[i], predicate), a[i]); });
}

} // namespace

#define COMPARE(name, predicate)                                               \
  FIRST(name##ss, V4f, mask(holds(a[0], b[0], predicate), 0.0f))               \
  FIRST(name##sd, V2d, mask(holds(a[0], b[0], predicate), 0.0))
COMPARE(cmpeq, 0)
COMPARE(cmplt, 1)
COMPARE(cmple, 2)
COMPARE(cmpunord, 3)
COMPARE(cmpneq, 4)
COMPARE(cmpnlt, 5)
COMPARE(cmpnle, 6)
COMPARE(cmpord, 7)
X86 V4f __xcc_ia32_cmpss(V4f a, V4f b, char predicate) {
  a[0] = mask(holds(a[0], b[0], predicate), 0.0f);
  return a;
}
X86 V2d __xcc_ia32_cmpsd(V2d a, V2d b, char predicate) {
  a[0] = mask(holds(a[0], b[0], predicate), 0.0);
  return a;
}

// Compare all elements and return masks.
#define COMPARE_ALL(name, predicate)                                           \
  BINARY(name##ps, V4f, all(a, b, predicate))                                  \
  BINARY(name##pd, V2d, all(a, b, predicate))
COMPARE_ALL(cmpeq, 0)
COMPARE_ALL(cmplt, 1)
COMPARE_ALL(cmple, 2)
COMPARE_ALL(cmpunord, 3)
COMPARE_ALL(cmpneq, 4)
COMPARE_ALL(cmpnlt, 5)
COMPARE_ALL(cmpnle, 6)
COMPARE_ALL(cmpord, 7)
#define COMPARE_BY(name, V)                                                    \
  X86 V __xcc_ia32_##name(V a, V b, char predicate) {                          \
    return all(a, b, predicate);                                               \
  }
COMPARE_BY(cmpps, V4f)
COMPARE_BY(cmpps256, V8f)
COMPARE_BY(cmppd, V2d)
COMPARE_BY(cmppd256, V4d)

#define ORDER(name, sign)                                                      \
  X86 int __xcc_ia32_comi##name(V4f a, V4f b) { return a[0] sign b[0]; }       \
  X86 int __xcc_ia32_ucomi##name(V4f a, V4f b) { return a[0] sign b[0]; }      \
  X86 int __xcc_ia32_comisd##name(V2d a, V2d b) { return a[0] sign b[0]; }     \
  X86 int __xcc_ia32_ucomisd##name(V2d a, V2d b) { return a[0] sign b[0]; }
ORDER(eq, ==)
ORDER(lt, <)
ORDER(le, <=)
ORDER(gt, >)
ORDER(ge, >=)
ORDER(neq, !=)

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {

template <class V> [[gnu::always_inline]] inline V sums(V a, V b) {
  return pairs(a, b, [](auto x, auto y) { return x + y; });
}
template <class V> [[gnu::always_inline]] inline V differences(V a, V b) {
  return pairs(a, b, [](auto x, auto y) { return x - y; });
}
template <class V> [[gnu::always_inline]] inline V alternate(V a, V b) {
  return each<V>([&](int i) { return i & 1 ? a[i] + b[i] : a[i] - b[i]; });
}
template <class V> [[gnu::always_inline]] inline V fmaAlternate(V a, V b, V c) {
  return __builtin_elementwise_fma(
      a, b, each<V>([&](int i) { return i & 1 ? c[i] : -c[i]; }));
}

/// In each lane, adds the products that the upper four bits select, and stores
/// the sum where the lower bits are set.
template <class V> [[gnu::always_inline]] inline V dot(V a, V b, int chosen) {
  V products = each<V>([&](int i) {
    return chosen >> (4 + i % Lane<V>)&1 ? a[i] * b[i] : Element<V>(0);
  });
  return each<V>([&](int i) {
    int lane = i / Lane<V> * Lane<V>;
    Element<V> sum = products[lane] + products[lane + 1];
    if constexpr (Lane<V> == 4)
      sum += products[lane + 2] + products[lane + 3];
    return chosen >> (i % Lane<V>)&1 ? sum : Element<V>(0);
  });
}

} // namespace

BINARY(haddps, V4f, sums(a, b))
BINARY(haddps256, V8f, sums(a, b))
BINARY(haddpd, V2d, sums(a, b))
BINARY(haddpd256, V4d, sums(a, b))
BINARY(hsubps, V4f, differences(a, b))
BINARY(hsubps256, V8f, differences(a, b))
BINARY(hsubpd, V2d, differences(a, b))
BINARY(hsubpd256, V4d, differences(a, b))
BINARY(addsubps, V4f, alternate(a, b))
BINARY(addsubps256, V8f, alternate(a, b))
BINARY(addsubpd, V2d, alternate(a, b))
BINARY(addsubpd256, V4d, alternate(a, b))

#define FMA(name, V)                                                           \
  X86 V __xcc_ia32_##name(V a, V b, V c) { return fmaAlternate(a, b, c); }
FMA(vfmaddsubps, V4f)
FMA(vfmaddsubps256, V8f)
FMA(vfmaddsubpd, V2d)
FMA(vfmaddsubpd256, V4d)

#define DOT(name, V)                                                           \
  X86 V __xcc_ia32_##name(V a, V b, char chosen) { return dot(a, b, chosen); }
DOT(dpps, V4f)
DOT(dpps256, V8f)
DOT(dppd, V2d)

// x86 computes these approximately, to 12 bits that differ by processor. Here
// they are exact.
#define UNARY(name, V, ...)                                                    \
  X86 V __xcc_ia32_##name(V a) { return __VA_ARGS__; }
UNARY(rcpps, V4f, 1 / a)
UNARY(rcpps256, V8f, 1 / a)
UNARY(rsqrtps, V4f, 1 / __builtin_elementwise_sqrt(a))
UNARY(rsqrtps256, V8f, 1 / __builtin_elementwise_sqrt(a))
X86 V4f __xcc_ia32_rcpss(V4f a) {
  a[0] = 1 / a[0];
  return a;
}
X86 V4f __xcc_ia32_rsqrtss(V4f a) {
  a[0] = 1 / __builtin_elementwise_sqrt(a[0]);
  return a;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

namespace {

/// Bit 2 selects the mode of MXCSR, which is round-to-nearest here.
template <class V> [[gnu::always_inline]] inline V rounded(V a, int mode) {
  switch (mode & 4 ? 0 : mode & 3) {
  case 0:
    return __builtin_elementwise_rint(a);
  case 1:
    return __builtin_elementwise_floor(a);
  case 2:
    return __builtin_elementwise_ceil(a);
  default:
    return __builtin_elementwise_trunc(a);
  }
}

} // namespace

#define ROUND(name, V)                                                         \
  X86 V __xcc_ia32_##name(V a, int mode) { return rounded(a, mode); }
ROUND(roundps, V4f)
ROUND(roundps256, V8f)
ROUND(roundpd, V2d)
ROUND(roundpd256, V4d)
#define ROUND_FIRST(name, V)                                                   \
  X86 V __xcc_ia32_##name(V a, V b, int mode) {                                \
    a[0] = rounded(b[0], mode);                                                \
    return a;                                                                  \
  }
ROUND_FIRST(roundss, V4f)
ROUND_FIRST(roundsd, V2d)
