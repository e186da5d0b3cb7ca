// x86's instructions that move elements of vectors by an immediate
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

namespace {

/// Takes elements of b where the immediate has set bits. All groups of eight
/// elements use the same bits.
template <class V> [[gnu::always_inline]] inline V blend(V a, V b, int chosen) {
  return each<V>([&](int i) { return chosen >> i % 8 & 1 ? b[i] : a[i]; });
}

/// In each lane, permutes four elements from \p first on; the immediate has two
/// bits for each.
template <class V>
[[gnu::always_inline]] inline V fours(V a, int order, int first) {
  return each<V>([&](int i) {
    int lane = i / Lane<V> * Lane<V>, at = i % Lane<V> - first;
    return at >= 0 && at < 4 ? a[lane + first + (order >> at * 2 & 3)] : a[i];
  });
}
/// The same for two vectors: the lower half of a lane is from a, the upper from
/// b.
template <class V> [[gnu::always_inline]] inline V mix(V a, V b, int order) {
  return each<V>([&](int i) {
    constexpr int half = Lane<V> / 2, width = half; // bits of an index
    int lane = i / Lane<V> * Lane<V>, at = i % Lane<V>;
    // For doubles, the immediate has a bit for each element of all lanes.
    int bit = half == 2 ? at * width : i;
    return (at < half ? a : b)[lane + (order >> bit & (Lane<V> - 1))];
  });
}
template <class V> [[gnu::always_inline]] inline V permuteBits(V a, int order) {
  return each<V>([&](int i) { return a[i / 2 * 2 + (order >> i & 1)]; });
}

/// In each lane, takes 16 bytes of b followed by a, from byte \p from on. Bytes
/// beyond are zero.
template <class V> [[gnu::always_inline]] inline V align(V a, V b, int from) {
  return each<V>([&](int i) {
    int lane = i / 16 * 16, at = i % 16 + from;
    return at < 16 ? b[lane + at % 16] : at < 32 ? a[lane + at % 16] : char(0);
  });
}

template <class To, class From>
[[gnu::always_inline]] inline To half(From a, int which) {
  return each<To>([&](int i) { return a[(which & 1) * Size<To> + i]; });
}
template <class V, class Part>
[[gnu::always_inline]] inline V withHalf(V a, Part b, int which) {
  return each<V>([&](int i) {
    return i / Size<Part> == (which & 1) ? b[i % Size<Part>] : a[i];
  });
}
/// Each half of the result is one of the four halves, or zeros.
template <class V> [[gnu::always_inline]] inline V halves(V a, V b, int how) {
  return each<V>([&](int i) {
    constexpr int half = Size<V> / 2;
    int which = how >> i / half * 4;
    int at = (which & 1) * half + i % half;
    return which & 8 ? Element<V>(0) : which & 2 ? b[at] : a[at];
  });
}

/// The value of an unsigned char immediate, which arrives sign-extended.
int byte(int immediate) { return immediate & 255; }

} // namespace

#define BLEND(name, V)                                                         \
  X86 V __xcc_ia32_##name(V a, V b, int chosen) { return blend(a, b, chosen); }
BLEND(blendps, V4f)
BLEND(blendps256, V8f)
BLEND(blendpd, V2d)
BLEND(blendpd256, V4d)
BLEND(pblendw128, V8s)
BLEND(pblendw256, V16s)
BLEND(pblendd128, V4i)
BLEND(pblendd256, V8i)

#define FOURS(name, V, first)                                                  \
  X86 V __xcc_ia32_##name(V a, int order) { return fours(a, order, first); }
FOURS(pshufd, V4i, 0)
FOURS(pshufd256, V8i, 0)
FOURS(pshuflw, V8s, 0)
FOURS(pshuflw256, V16s, 0)
FOURS(pshufhw, V8s, 4)
FOURS(pshufhw256, V16s, 4)
FOURS(vpermilps, V4f, 0)
FOURS(vpermilps256, V8f, 0)
#define MIX(name, V)                                                           \
  X86 V __xcc_ia32_##name(V a, V b, int order) { return mix(a, b, order); }
MIX(shufps, V4f)
MIX(shufps256, V8f)
MIX(shufpd, V2d)
MIX(shufpd256, V4d)
X86 V2d __xcc_ia32_vpermilpd(V2d a, int order) { return permuteBits(a, order); }
X86 V4d __xcc_ia32_vpermilpd256(V4d a, int order) {
  return permuteBits(a, order);
}
X86 V4d __xcc_ia32_permdf256(V4d a, int order) {
  return each<V4d>([&](int i) { return a[order >> i * 2 & 3]; });
}
X86 V4q __xcc_ia32_permdi256(V4q a, int order) {
  return each<V4q>([&](int i) { return a[order >> i * 2 & 3]; });
}

X86 V16c __xcc_ia32_palignr128(V16c a, V16c b, int from) {
  return align(a, b, byte(from));
}
X86 V32c __xcc_ia32_palignr256(V32c a, V32c b, int from) {
  return align(a, b, byte(from));
}
// Shift whole lanes by bytes.
X86 V16c __xcc_ia32_psrldqi128_byteshift(V16c a, int count) {
  return align(V16c{}, a, byte(count));
}
X86 V32c __xcc_ia32_psrldqi256_byteshift(V32c a, int count) {
  return align(V32c{}, a, byte(count));
}
X86 V16c __xcc_ia32_pslldqi128_byteshift(V16c a, int count) {
  return byte(count) < 16 ? align(a, V16c{}, 16 - byte(count)) : V16c{};
}
X86 V32c __xcc_ia32_pslldqi256_byteshift(V32c a, int count) {
  return byte(count) < 16 ? align(a, V32c{}, 16 - byte(count)) : V32c{};
}

//===----------------------------------------------------------------------===//
// Halves and single elements
//===----------------------------------------------------------------------===//

#define HALF(name, To, From)                                                   \
  X86 To __xcc_ia32_##name(From a, int which) { return half<To>(a, which); }
HALF(vextractf128_ps256, V4f, V8f)
HALF(vextractf128_pd256, V2d, V4d)
HALF(vextractf128_si256, V4i, V8i)
HALF(extract128i256, V2q, V4q)
#define WITH_HALF(name, V, Part)                                               \
  X86 V __xcc_ia32_##name(V a, Part b, int which) {                            \
    return withHalf(a, b, which);                                              \
  }
WITH_HALF(vinsertf128_ps256, V8f, V4f)
WITH_HALF(vinsertf128_pd256, V4d, V2d)
WITH_HALF(vinsertf128_si256, V8i, V4i)
WITH_HALF(insert128i256, V4q, V2q)
#define HALVES(name, V)                                                        \
  X86 V __xcc_ia32_##name(V a, V b, int how) { return halves(a, b, how); }
HALVES(vperm2f128_ps256, V8f)
HALVES(vperm2f128_pd256, V4d)
HALVES(vperm2f128_si256, V8i)
HALVES(permti256, V4q)

#define EXTRACT(type, V)                                                       \
  X86 Element<V> __xcc_ia32_vec_ext_##type(V a, int at) {                      \
    return a[at & (Size<V> - 1)];                                              \
  }
#define INSERT(type, V)                                                        \
  X86 V __xcc_ia32_vec_set_##type(V a, Element<V> value, int at) {             \
    a[at & (Size<V> - 1)] = value;                                             \
    return a;                                                                  \
  }
#define ELEMENT(type, V)                                                       \
  EXTRACT(type, V)                                                             \
  INSERT(type, V)
ELEMENT(v4hi, V4s)
ELEMENT(v16qi, V16c)
ELEMENT(v8hi, V8s)
ELEMENT(v4si, V4i)
ELEMENT(v2di, V2q)
ELEMENT(v32qi, V32c)
ELEMENT(v16hi, V16s)
ELEMENT(v8si, V8i)
ELEMENT(v4di, V4q)
EXTRACT(v4sf, V4f)

/// The value is arbitrary.
X86 V2d __xcc_ia32_undef128() { return {}; }
X86 V4d __xcc_ia32_undef256() { return {}; }
