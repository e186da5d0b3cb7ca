// Inputs for functions, and errors of their results
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the test that runs on a device (../accuracy.cpp) and the program
// that runs GPU libraries on the host (measure.cpp).

#ifndef XCC_TEST_MATH_ACCURACY_H
#define XCC_TEST_MATH_ACCURACY_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// Where a function is looked at. Everywhere: half of the inputs are evenly
/// spread in the table's interval, half are of any sign and size, and errors
/// count in units of the result's last place. Inside: all are in the interval,
/// and a result below 1 counts as 1, for functions with zeros in many places.
enum class Where { everywhere, inside };

template <class T>
constexpr T specials[] = {T(0),
                          T(-0.0),
                          T(1),
                          T(-1),
                          T(0.5),
                          T(-0.5),
                          T(1.5),
                          T(2),
                          T(-2),
                          T(3),
                          T(10),
                          T(-10),
                          T(100),
                          T(0.785398163397448310),
                          T(1.57079632679489662),
                          T(3.14159265358979324),
                          T(-3.14159265358979324),
                          T(6.28318530717958648),
                          T(22),
                          T(710),
                          T(-745),
                          T(88.7),
                          T(-103),
                          T(1e5),
                          T(8388608.5),
                          T(1e10),
                          std::numeric_limits<T>::denorm_min(),
                          -std::numeric_limits<T>::denorm_min(),
                          std::numeric_limits<T>::min(),
                          -std::numeric_limits<T>::min(),
                          std::numeric_limits<T>::epsilon(),
                          1 - std::numeric_limits<T>::epsilon(),
                          1 + std::numeric_limits<T>::epsilon(),
                          std::numeric_limits<T>::max(),
                          -std::numeric_limits<T>::max(),
                          std::numeric_limits<T>::infinity(),
                          -std::numeric_limits<T>::infinity(),
                          std::numeric_limits<T>::quiet_NaN()};
constexpr std::uint64_t specialCount = sizeof specials<float> / sizeof(float);

constexpr std::uint64_t scramble(std::uint64_t i) {
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

/// The i-th input. `stream` tells a function's arguments apart.
template <class T>
constexpr T input(std::uint64_t i, T low, T high, Where where,
                  std::uint64_t stream = 0) {
  std::uint64_t bits = scramble(i * 2 + 1 + (stream << 48));
  if (where == Where::everywhere) {
    if (i < specialCount * specialCount)
      return specials<T>[(stream ? i / specialCount : i) % specialCount];
    if (i % 2) {
      T any;
      if constexpr (sizeof(T) == 4)
        any = std::bit_cast<float>(std::uint32_t(bits >> 32));
      else
        any = std::bit_cast<double>(bits);
      // Not a signaling NaN.
      return any != any ? std::numeric_limits<T>::quiet_NaN() : any;
    }
  }
  return low + (high - low) * (T(bits >> 11) / T(1ull << 53));
}

/// |got - want| in units of the last place of `want` rounded to T; infinite
/// where one is a NaN, or want is infinite, and the other is not.
template <class T, class Wide> double errorOf(T got, Wide want, Where where) {
  using Limits = std::numeric_limits<T>;
  if (want != want || got != got)
    return want != want && got != got ? 0 : INFINITY;
  T nearest = T(want);
  if (got == nearest && std::isinf(got))
    return 0;
  if (want - want != 0)
    return INFINITY;
  // An infinity is the number after the largest.
  constexpr int top = Limits::max_exponent;
  Wide value = std::isinf(got) ? (got < 0 ? Wide(-2) : Wide(2)) *
                                     Wide(std::ldexp(T(1), top - 1))
                               : Wide(got);
  int exponent = top;
  if (!std::isinf(nearest))
    std::frexp(nearest, &exponent);
  if (nearest == 0 || exponent < Limits::min_exponent)
    exponent = Limits::min_exponent;
  if (where == Where::inside && exponent < 1)
    exponent = 1;
  Wide difference = value < want ? want - value : value - want;
  return double(difference / Wide(std::ldexp(T(1), exponent - Limits::digits)));
}

#endif // XCC_TEST_MATH_ACCURACY_H
