// x86's instructions that choose, permute and test elements of vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

namespace {

/// The sign bits of the elements, as a number.
template <class V> [[gnu::always_inline]] inline int signs(V a) {
  unsigned result = 0;
  for (int i = 0; i < Size<V>; ++i)
    result |= unsigned(a[i] < 0) << i;
  return int(result);
}

/// Selects bytes by index in each lane; a negative index gives zero.
template <class V> [[gnu::always_inline]] inline V shuffle(V a, V index) {
  return each<V>([&](int i) {
    return index[i] < 0 ? char(0) : a[i / 16 * 16 + (index[i] & 15)];
  });
}

template <class V, class I>
[[gnu::always_inline]] inline V permute(V a, I index) {
  constexpr int shift = sizeof(Element<V>) == 8; // of 64 bits: bit 1 selects
  return each<V>([&](int i) {
    return a[i / Lane<V> * Lane<V> + (index[i] >> shift & (Lane<V> - 1))];
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

// Take elements of b where the mask's sign is set.
#define BLEND(name, V, I)                                                      \
  X86 V __xcc_ia32_##name(V a, V b, V mask) {                                  \
    I m = bits<I>(mask);                                                       \
    return each<V>([&](int i) { return m[i] < 0 ? b[i] : a[i]; });             \
  }
BLEND(blendvps, V4f, V4i)
BLEND(blendvps256, V8f, V8i)
BLEND(blendvpd, V2d, V2q)
BLEND(blendvpd256, V4d, V4q)
BLEND(pblendvb128, V16c, V16c)
BLEND(pblendvb256, V32c, V32c)

/// Puts the element of b that bits 6 and 7 select at the index in bits 4 and 5.
/// The lower four bits then clear elements.
X86 V4f __xcc_ia32_insertps128(V4f a, V4f b, char how) {
  return each<V4f>([&](int i) {
    float value = i == (how >> 4 & 3) ? b[how >> 6 & 3] : a[i];
    return how >> i & 1 ? 0.0f : value;
  });
}

//===----------------------------------------------------------------------===//
// Permutation
//===----------------------------------------------------------------------===//

X86 V16c __xcc_ia32_pshufb128(V16c a, V16c index) { return shuffle(a, index); }
X86 V32c __xcc_ia32_pshufb256(V32c a, V32c index) { return shuffle(a, index); }
X86 V4f __xcc_ia32_vpermilvarps(V4f a, V4i index) { return permute(a, index); }
X86 V8f __xcc_ia32_vpermilvarps256(V8f a, V8i index) {
  return permute(a, index);
}
X86 V2d __xcc_ia32_vpermilvarpd(V2d a, V2q index) { return permute(a, index); }
X86 V4d __xcc_ia32_vpermilvarpd256(V4d a, V4q index) {
  return permute(a, index);
}
X86 V8f __xcc_ia32_permvarsf256(V8f a, V8i index) {
  return each<V8f>([&](int i) { return a[index[i] & 7]; });
}
X86 V8i __xcc_ia32_permvarsi256(V8i a, V8i index) {
  return each<V8i>([&](int i) { return a[index[i] & 7]; });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

X86 int __xcc_ia32_movmskps(V4f a) { return signs(bits<V4i>(a)); }
X86 int __xcc_ia32_movmskps256(V8f a) { return signs(bits<V8i>(a)); }
X86 int __xcc_ia32_movmskpd(V2d a) { return signs(bits<V2q>(a)); }
X86 int __xcc_ia32_movmskpd256(V4d a) { return signs(bits<V4q>(a)); }
X86 int __xcc_ia32_pmovmskb128(V16c a) { return signs(a); }
X86 int __xcc_ia32_pmovmskb256(V32c a) { return signs(a); }

#define TEST(z, c, nzc, V, A, B)                                               \
  X86 int __xcc_ia32_##z(V a, V b) { return A == 0; }                          \
  X86 int __xcc_ia32_##c(V a, V b) { return B == 0; }                          \
  X86 int __xcc_ia32_##nzc(V a, V b) { return A != 0 && B != 0; }
#define ANY(a) __builtin_reduce_or(a)
TEST(ptestz128, ptestc128, ptestnzc128, V2q, ANY(a &b), ANY(~a &b))
TEST(ptestz256, ptestc256, ptestnzc256, V4q, ANY(a &b), ANY(~a &b))
#define TEST_SIGNS(suffix, V, I)                                               \
  TEST(vtestz##suffix, vtestc##suffix, vtestnzc##suffix, V,                    \
       signs(bits<I>(a) & bits<I>(b)), signs(~bits<I>(a) & bits<I>(b)))
TEST_SIGNS(ps, V4f, V4i)
TEST_SIGNS(ps256, V8f, V8i)
TEST_SIGNS(pd, V2d, V2q)
TEST_SIGNS(pd256, V4d, V4q)
