// x86's instructions on vectors of integers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

// Defines NAME128 for 16 bytes and NAME256 for 32 bytes.
#define BINARY(name, V128, V256, ...)                                          \
  X86 V128 __xcc_ia32_##name##128(V128 a, V128 b) { return __VA_ARGS__; }      \
  X86 V256 __xcc_ia32_##name##256(V256 a, V256 b) { return __VA_ARGS__; }

namespace {

/// Applies f to each two elements and truncates the results.
template <class V, class F> [[gnu::always_inline]] inline V zip(V a, V b, F f) {
  return each<V>([&](int i) { return Element<V>(f(a[i], b[i])); });
}

/// In each lane, converts the elements of a, then of b, to half the width with
/// saturation.
template <class To, class From>
[[gnu::always_inline]] inline To pack(From a, From b) {
  return each<To>([&](int i) {
    int lane = i / Lane<To>, at = i % Lane<To>;
    const From &from = at < Lane<From> ? a : b;
    return saturate<Element<To>>(from[lane * Lane<From> + at % Lane<From>]);
  });
}

int distance(unsigned char a, unsigned char b) { return a < b ? b - a : a - b; }

/// Each element is the sum of eight absolute differences.
template <class To, class From>
[[gnu::always_inline]] inline To distances(From a, From b) {
  return each<To>([&](int i) {
    int sum = 0;
    for (int j = 0; j < 8; ++j)
      sum += distance(a[i * 8 + j], b[i * 8 + j]);
    return sum;
  });
}

/// Sums of four absolute differences between a window that moves over a and
/// four bytes of b.
template <class V>
[[gnu::always_inline]] inline V windows(V a, V b, int where) {
  using Sums = Vector<short, Size<V> / 2>;
  return bits<V>(each<Sums>([&](int i) {
    int lane = i / 8, at = i % 8, how = where >> lane * 3;
    int sum = 0;
    for (int j = 0; j < 4; ++j)
      sum += distance(a[lane * 16 + (how & 4) + at + j],
                      b[lane * 16 + (how & 3) * 4 + j]);
    return short(sum);
  }));
}

} // namespace

#define PACK(name, To128, From128, To256, From256, How128, How256)             \
  X86 To128 __xcc_ia32_##name##128(From128 a, From128 b) {                     \
    return bits<To128>(pack<How128>(a, b));                                    \
  }                                                                            \
  X86 To256 __xcc_ia32_##name##256(From256 a, From256 b) {                     \
    return bits<To256>(pack<How256>(a, b));                                    \
  }
PACK(packsswb, V16c, V8s, V32c, V16s, V16c, V32c)
PACK(packssdw, V8s, V4i, V16s, V8i, V8s, V16s)
PACK(packuswb, V16c, V8s, V32c, V16s, V16uc, V32uc)
PACK(packusdw, V8s, V4i, V16s, V8i, V8us, V16us)

BINARY(pavgb, V16uc, V32uc,
       zip(a, b, [](int x, int y) { return (x + y + 1) >> 1; }))
BINARY(pavgw, V8us, V16us,
       zip(a, b, [](int x, int y) { return (x + y + 1) >> 1; }))
BINARY(pmulhw, V8s, V16s, zip(a, b, [](int x, int y) { return x * y >> 16; }))
BINARY(pmulhuw, V8us, V16us,
       zip(a, b, [](unsigned x, unsigned y) { return x * y >> 16; }))
BINARY(pmulhrsw, V8s, V16s,
       zip(a, b, [](int x, int y) { return ((x * y >> 14) + 1) >> 1; }))

#define SIGN(name, V128, V256)                                                 \
  BINARY(name, V128, V256, zip(a, b, [](auto x, auto y) {                      \
           return y < 0 ? 0 - (long long)x : y ? x : 0;                        \
         }))
SIGN(psignb, V16c, V32c)
SIGN(psignw, V8s, V16s)
SIGN(psignd, V4i, V8i)

#define PAIRS(name, V128, V256, ...)                                           \
  BINARY(name, V128, V256,                                                     \
         pairs(a, b, [](long long x, long long y) { return __VA_ARGS__; }))
PAIRS(phaddw, V8s, V16s, x + y)
PAIRS(phaddd, V4i, V8i, x + y)
PAIRS(phsubw, V8s, V16s, x - y)
PAIRS(phsubd, V4i, V8i, x - y)
PAIRS(phaddsw, V8s, V16s, saturate<short>(x + y))
PAIRS(phsubsw, V8s, V16s, saturate<short>(x - y))

#define MULTIPLY_ADD(name, To, From, T, finish)                                \
  X86 To __xcc_ia32_##name(From a, From b) {                                   \
    return each<To>([&](int i) {                                               \
      int low = T(a[2 * i]) * b[2 * i], high = T(a[2 * i + 1]) * b[2 * i + 1]; \
      return finish(low, high);                                                \
    });                                                                        \
  }
#define WRAP(low, high) int(unsigned(low) + unsigned(high))
#define SATURATE(low, high) saturate<short>(low + high)
MULTIPLY_ADD(pmaddwd128, V4i, V8s, short, WRAP)
MULTIPLY_ADD(pmaddwd256, V8i, V16s, short, WRAP)
MULTIPLY_ADD(pmaddubsw128, V8s, V16c, (unsigned char), SATURATE)
MULTIPLY_ADD(pmaddubsw256, V16s, V32c, (unsigned char), SATURATE)

// Multiply the lower halves of every 64 bits.
#define MULTIPLY_EVEN(name, To, From, Half, T)                                 \
  X86 To __xcc_ia32_##name(From a, From b) {                                   \
    return each<To>([&](int i) {                                               \
      return (long long)(T(Half(a[2 * i])) * T(Half(b[2 * i])));               \
    });                                                                        \
  }
MULTIPLY_EVEN(pmuldq128, V2q, V4i, int, I64)
MULTIPLY_EVEN(pmuldq256, V4q, V8i, int, I64)
MULTIPLY_EVEN(pmuludq128, V2q, V4i, U32, U64)
MULTIPLY_EVEN(pmuludq256, V4q, V8i, U32, U64)

X86 V2q __xcc_ia32_psadbw128(V16c a, V16c b) { return distances<V2q>(a, b); }
X86 V4q __xcc_ia32_psadbw256(V32c a, V32c b) { return distances<V4q>(a, b); }
X86_CALL V16c __xcc_ia32_mpsadbw128(V16c a, V16c b, char where) {
  return windows(a, b, where);
}
X86_CALL V32c __xcc_ia32_mpsadbw256(V32c a, V32c b, char where) {
  return windows(a, b, where);
}

/// The smallest number and its first index.
X86 V8s __xcc_ia32_phminposuw128(V8s a) {
  V8s result = {a[0]};
  for (int i = 1; i < 8; ++i)
    if ((unsigned short)a[i] < (unsigned short)result[0]) {
      result[0] = a[i];
      result[1] = short(i);
    }
  return result;
}
