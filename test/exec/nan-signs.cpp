// -x, fabs and copysign change the sign bit of a NaN as of any number, and
// leave its other bits; so do the optimiser's own uses of them for integers.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0 of {{[1-9][0-9]*}} differ
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

template <class Bits, class Number> Bits bits_of(Number x) {
  Bits bits;
  static_assert(sizeof(bits) == sizeof(x));
  std::memcpy(&bits, &x, sizeof(x));
  return bits;
}
template <class Number, class Bits> Number number_of(Bits bits) {
  Number x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

[[gnu::noinline]] double negated(double x) { return -x; }
[[gnu::noinline]] float negated(float x) { return -x; }
[[gnu::noinline]] _Float16 negated(_Float16 x) { return -x; }
inline double absolute(double x) { return std::fabs(x); }
inline float absolute(float x) { return std::fabs(x); }
inline _Float16 absolute(_Float16 x) { return __builtin_fabsf16(x); }
inline double signed_as(double x, double y) { return std::copysign(x, y); }
inline float signed_as(float x, float y) { return std::copysign(x, y); }
inline _Float16 signed_as(_Float16 x, _Float16 y) {
  return __builtin_copysignf16(x, y);
}

constexpr int Ways = 10;

/// What comes of a number's bits in each way, and what ought to.
template <class Number, class Bits>
void in_all_ways(Bits in, const volatile Bits *one, Bits *out, Bits *right) {
  constexpr Bits sign = Bits(Bits(1) << (sizeof(Bits) * 8 - 1));
  Bits positive = Bits(in & ~sign), negative = Bits(in | sign),
       other = Bits(in ^ sign), unit = *one;
  Number x = number_of<Number>(in), three = number_of<Number>(unit);
  auto next = [&](Bits got, Bits wanted) {
    *out++ = got;
    *right++ = wanted;
  };
  next(bits_of<Bits>(-x), other);
  next(bits_of<Bits>(negated(x)), other);
  next(bits_of<Bits>(absolute(x)), positive);
  next(bits_of<Bits>(-absolute(x)), negative);
  next(bits_of<Bits>(signed_as(three, x)), Bits(unit | (in & sign)));
  next(bits_of<Bits>(signed_as(three, -x)), Bits(unit | (other & sign)));
  next(bits_of<Bits>(signed_as(x, three)), positive);
  // A choice, and one that goes on to arithmetic too.
  Number y = unit ? -x : three;
  next(bits_of<Bits>(y), other);
  next(bits_of<Bits>(Number(-x + three)) == 0 ? in : bits_of<Bits>(Number(-x)),
       other);
  // Integers, of which the optimiser makes the operations above.
  next(bits_of<Bits>(number_of<Number>(Bits(in ^ sign))), other);
}

struct values {
  uint64_t d, d_one;
  uint32_t f, f_one;
  uint16_t h, h_one;
};
struct results {
  uint64_t d[Ways], d_right[Ways];
  uint32_t f[Ways], f_right[Ways];
  uint16_t h[Ways], h_right[Ways];
  bool minus[3], negated_minus[3];
};

int main() {
  constexpr uint64_t D[] = {0x7ff8000000000000, 0x7ff8000000000123,
                            0x7fffffffffffffff, 0x7ff0000000000000,
                            0x3ff8000000000001, 0};
  constexpr uint32_t F[] = {0x7fc00000, 0x7fc00123, 0x7fffffff,
                            0x7f800000, 0x3fc00001, 0};
  constexpr uint16_t H[] = {0x7e00, 0x7e12, 0x7fff, 0x7c00, 0x3e01, 0};
  constexpr int n = 12;
  static values in[n];
  static results out[n];
  for (int i = 0; i < n; ++i) {
    in[i] = {D[i / 2],   0x4008000000000000, F[i / 2],
             0x40400000, H[i / 2],           0x4200};
    if (i % 2)
      in[i].d |= uint64_t(1) << 63, in[i].f |= 1u << 31, in[i].h |= 1u << 15;
  }
  xcc::buffer<values> from(n);
  xcc::buffer<results> to(n);
  from.copy_from(in, n);
  xcc::parallel_for(n, [v = from.data(), r = to.data()](std::size_t i) {
    in_all_ways<double>(v[i].d, &v[i].d_one, r[i].d, r[i].d_right);
    in_all_ways<float>(v[i].f, &v[i].f_one, r[i].f, r[i].f_right);
    in_all_ways<_Float16>(v[i].h, &v[i].h_one, r[i].h, r[i].h_right);
    double d = number_of<double>(v[i].d);
    float f = number_of<float>(v[i].f);
    r[i].minus[0] = std::signbit(d), r[i].negated_minus[0] = std::signbit(-d);
    r[i].minus[1] = std::signbit(f), r[i].negated_minus[1] = std::signbit(-f);
    r[i].minus[2] = std::signbit(std::copysign(d, double(i % 2) - 1));
    r[i].negated_minus[2] = std::signbit(-std::copysign(f, 0.0f));
  });
  to.copy_to(out, n);
  int differ = 0, all = 0;
  auto compare = [&](const char *what, int i, int way, uint64_t got,
                     uint64_t wanted) {
    ++all;
    if (got != wanted && ++differ < 20)
      std::printf("%s %d in way %d: %llx, not %llx\n", what, i, way,
                  (unsigned long long)got, (unsigned long long)wanted);
  };
  for (int i = 0; i < n; ++i) {
    for (int way = 0; way < Ways; ++way) {
      compare("double", i, way, out[i].d[way], out[i].d_right[way]);
      compare("float", i, way, out[i].f[way], out[i].f_right[way]);
      compare("half", i, way, out[i].h[way], out[i].h_right[way]);
    }
    for (int type = 0; type < 2; ++type) {
      compare("signbit", i, type, out[i].minus[type], i % 2);
      compare("signbit of -", i, type, out[i].negated_minus[type], !(i % 2));
    }
    compare("signbit of copysign", i, 2, out[i].minus[2], !(i % 2));
    compare("signbit of -copysign", i, 2, out[i].negated_minus[2], 1);
  }
  std::printf("%d of %d differ\n", differ, all);
}
