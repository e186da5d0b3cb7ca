// Arithmetic of every width
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <cstdint>
#include <limits>

namespace {
constexpr unsigned N = 400;
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
using std::int64_t, std::uint64_t;

constexpr uint64_t mix(uint64_t i) {
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}
/// Numbers of all magnitudes and both signs.
template <class T> constexpr T any(unsigned i) {
  if constexpr (sizeof(T) == 16)
    return T((uint128(mix(i)) << 64 | mix(i + 1000000)) >> i % 120);
  else
    return T(mix(i) >> i % 60);
}
uint64_t fold(uint128 v) { return uint64_t(v) * 31 + uint64_t(v >> 64); }

/// All of a type's operators on two numbers, in one.
template <class T> uint64_t operators(unsigned i) {
  using U = std::conditional_t<
      sizeof(T) == 16, uint128,
      std::conditional_t<sizeof(T) == 8, uint64_t, std::uint32_t>>;
  const T a = any<T>(i);
  T b = any<T>(i + N);
  b = b == 0 || b == T(-1) ? T(3) : b;
  uint64_t h = fold(U(a) + U(b));
  h = h * 31 + fold(U(a) - U(b));
  h = h * 31 + fold(U(a) * U(b));
  h = h * 31 + fold(uint128(a / b));
  h = h * 31 + fold(uint128(a % b));
  h = h * 31 + fold(uint128((a & b) | (a ^ b)));
  h = h * 31 + fold(uint128(T(~a)));
  h = h * 31 + fold(uint128(T(U(a) << i % (sizeof(T) * 8))));
  h = h * 31 + fold(uint128(T(a >> i % (sizeof(T) * 8))));
  h = h * 31 + (a < b) + 2 * (a == b) + 4 * (a >= b);
  return h;
}
template <class T> void same_operators(const char *name) {
  same(name, N, [](unsigned i) { return operators<T>(i); });
}
} // namespace

TEST(integers_8_and_16, needs(execution)) {
  same_operators<signed char>("signed char");
  same_operators<unsigned char>("unsigned char");
  same_operators<short>("short");
  same_operators<unsigned short>("unsigned short");
}
TEST(integers_32, needs(execution)) {
  same_operators<int>("int");
  same_operators<unsigned>("unsigned");
}
TEST(integers_64, needs(execution)) {
  same_operators<int64_t>("int64_t");
  same_operators<uint64_t>("uint64_t");
}
TEST(integers_128, needs(execution)) {
  same_operators<int128>("int128");
  same_operators<uint128>("uint128");
}

TEST(high_products, needs(execution)) {
  same("high", N, [](unsigned i) {
    const uint64_t a = mix(i), b = mix(i + N);
    return uint64_t(uint128(a) * b >> 64) +
           uint64_t(int128(int64_t(a)) * int64_t(b) >> 64);
  });
  same("high 32", N, [](unsigned i) {
    return unsigned(mix(i) % 0xffffffff * (mix(i + N) % 0xffffffff) >> 32);
  });
}

TEST(division_by_constants, needs(execution)) {
  same("constants", N, [](unsigned i) {
    const auto u = mix(i);
    const auto s = int64_t(u);
    return u / 3 + u % 10 + u / 1000000007 + uint64_t(s / 7) +
           uint64_t(s % 12) + uint64_t(int(u) / 10) + unsigned(u) / 641;
  });
}

TEST(conversions_128, needs(execution)) {
  same("to double", N, [](unsigned i) { return double(any<int128>(i)); });
  same("to float", N, [](unsigned i) { return float(any<uint128>(i)); });
  same("from double", N, [](unsigned i) {
    const double d = double(int64_t(mix(i))) * (i % 2 ? 1e15 : 1e-3);
    return fold(uint128(int128(d)));
  });
}

TEST(carry_and_overflow, needs(execution)) {
  same("overflow", N, [](unsigned i) {
    int a = 0;
    int64_t b = 0;
    uint64_t c = 0;
    unsigned h = __builtin_add_overflow(int(mix(i)), int(mix(i + 1)), &a);
    h += 2 * __builtin_mul_overflow(int64_t(mix(i) >> i % 40),
                                    int64_t(mix(i + 2)), &b);
    h += 4 * __builtin_sub_overflow(mix(i), mix(i + 3), &c);
    return fold(uint128(unsigned(a)) + uint64_t(b)) + c + h;
  });
}

TEST(bit_builtins, needs(execution)) {
  same("builtins", N, [](unsigned i) {
    const uint64_t v = mix(i);
    return __builtin_bswap64(v) + __builtin_bswap32(unsigned(v)) +
           __builtin_bitreverse32(unsigned(v)) + __builtin_bitreverse64(v) +
           unsigned(__builtin_popcountll(v) + __builtin_clzll(v | 1) +
                    __builtin_ctz(unsigned(v) | 256) + __builtin_ffs(int(v)) +
                    __builtin_parity(unsigned(v)));
  });
}

TEST(conversions, needs(execution)) {
  same("integers to floating point", N, [](unsigned i) {
    const uint64_t v = mix(i);
    return double(v) + double(int64_t(v)) + double(float(v)) +
           double(float(int(v))) + double(unsigned(v));
  });
  same("floating point to integers", N, [](unsigned i) {
    const double d = (double(mix(i) >> 20) - 1e12) / 1e6;
    const float f = float(d);
    return int64_t(d) + int(f) + int64_t(short(f / 1000)) +
           int64_t(unsigned(f < 0 ? -f : f)) +
           int64_t(uint64_t(d < 0 ? -d : d) * 3);
  });
  same("double to float", N, [](unsigned i) {
    return float(double(mix(i)) * 1.1) + float(1e-30 / double(mix(i)));
  });
}

TEST(floating_point_is_ieee, needs(execution)) {
  // One operation each, so there is nothing to contract.
  same("float division", N,
       [](unsigned i) { return float(mix(i) % 100000) / float(i + 7); });
  same("double division", N,
       [](unsigned i) { return double(mix(i)) / double(i * 3 + 7); });
  same("float root", N,
       [](unsigned i) { return __builtin_sqrtf(float(mix(i) >> i % 50)); });
  same("double root", N,
       [](unsigned i) { return __builtin_sqrt(double(mix(i))); });
  same("float product", N,
       [](unsigned i) { return float(mix(i)) * float(mix(i + 9)); });
  same("float sum", N,
       [](unsigned i) { return float(mix(i)) + float(mix(i + 9) >> 10); });
}

TEST(denormals, needs(execution)) {
  same("float", N, [](unsigned i) {
    return std::numeric_limits<float>::min() / float(i + 2);
  });
  same("double", N, [](unsigned i) {
    return std::numeric_limits<double>::min() / double(i + 2);
  });
}

TEST(special_values, needs(execution)) {
  same("special", 16, [](unsigned i) {
    const float zero = float(i / 16), infinity = 1 / zero;
    const float values[] = {zero, -zero, infinity, -infinity};
    const float a = values[i % 4], b = values[i / 4];
    return (a < b) + 2 * (a == b) + 4 * (a - b == a - b) +
           8 * (a * b == a * b) + 16 * __builtin_signbit(a) +
           32 * __builtin_isinf(a + b);
  });
}

TEST(half_precision, needs(execution)) {
  same("arithmetic", N, [](unsigned i) {
    const auto a = _Float16(float(i) * 0.25f), b = _Float16(float(i % 9) + 1);
    const auto sum = _Float16(a + b), product = _Float16(a * b);
    const auto quotient = _Float16(a / b), difference = _Float16(a - b);
    return float(sum) + 3 * float(difference) +
           (float(product) > 65504 ? 1 : float(product)) + float(quotient) +
           float(a < b);
  });
  same("conversion", N, [](unsigned i) {
    const auto h = static_cast<_Float16>(float(mix(i) % 70000) / 7);
    return float(h) + float(double(h)) + float(int(h));
  });
}

TEST(half_precision_in_memory, needs(execution)) {
  xcc::buffer<_Float16> b(N);
  xcc::parallel_for(N, [p = b.data()](std::size_t i) {
    p[i] = static_cast<_Float16>(float(i) / 4);
  });
  xcc::buffer<float> sums(1);
  xcc::launch({{1}, {1}}, [p = b.data(), s = sums.data()] {
    float sum = 0;
    for (unsigned i = 0; i < N; ++i)
      sum += float(p[i]);
    *s = sum;
  });
  EQUAL(read(sums)[0], N * (N - 1) / 8.0f);
}

TEST(vectors, needs(execution)) {
  // Clang's vector types: their elements, not how they are passed.
  same("vectors", N, [](unsigned i) {
    typedef float float4 __attribute__((ext_vector_type(4)));
    const float4 a = {float(i), 1, 2, 3}, b = {4, float(i % 5), 6, 7};
    const float4 c = a + b, d = c.wzyx;
    return c.x + 2 * c.y + 4 * d.x + 8 * d.w;
  });
}

TEST(wrapping, needs(execution)) {
  same("wrapping", N, [](unsigned i) {
    unsigned char c = static_cast<unsigned char>(i);
    c = static_cast<unsigned char>(c + 250);
    unsigned u = 0xffffff00u + i;
    short s = short(i * 1000);
    return c + u + unsigned(s) + unsigned(int(i) - 1000) % 7;
  });
}
