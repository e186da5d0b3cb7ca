// Floating-point numbers of 16 bits: half and bfloat16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     std::vector<xcc::half> x(1000, 1.5);
//     xcc::parallel_for(x.size(), [&](std::size_t i) {
//       x[i] = xcc::sqrt(x[i]) * 2; // two bytes an element, in host code too
//     });
//
// half is IEEE 754's binary16: 11 bits of precision, up to 65504. bfloat16 is the
// upper half of a float: 8 bits of precision, the exponents of a float. Both are
// ordinary numbers in host code and in kernels. Each operation is rounded once, to
// nearest, ties to even, with the same result on every device. (On GPUs a product
// and a sum may be contracted, as for float: -ffp-contract=off.)
//
//  * Every number converts to them. They convert to float.
//  * half + half is a half; half + int is a half; half + float is a float.
//  * sqrt, fma, exp and the like are functions of namespace xcc, found without
//    it for arguments of these types. sqrt and fma are rounded once. The others
//    are those of float, and then rounded.
//  * std::numeric_limits, std::hash, << and >> of streams know them.
//
// GPUs compute with half by instructions of their own. The CPU device computes
// in float and rounds.
//
// Errors. No function fails. Threads. These are values; any thread may use them.
//
// Not part of <xcc/xcc.h>. Compilers without _Float16 cannot read it: it needs
// Clang 15 or GCC 12.

#ifndef XCC_HALF_H
#define XCC_HALF_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#ifndef __FLT16_MAX__
#error "xcc/half.h needs a compiler with _Float16: xcc, Clang 15 or GCC 12"
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <type_traits>

namespace xcc {

class half;
class bfloat16;

namespace detail {
template <class To, class From> inline To same_bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To made;
  std::memcpy(&made, &value, sizeof made);
  return made;
}

/// The nearest bfloat16 of a float. A NaN stays one, with its upper bits.
inline std::uint16_t to_bfloat16(float value) {
#ifdef __XCC_DEVICE_PASS__
  if (value == value)
    return same_bits<std::uint16_t>(static_cast<__bf16>(value));
  return static_cast<std::uint16_t>(same_bits<std::uint32_t>(value) >> 16 |
                                    0x40);
#else
  const std::uint32_t bits = same_bits<std::uint32_t>(value);
  if (!(value == value))
    return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}

/// The float that is rounded to a bfloat16 as the double would be: rounded to
/// odd, so that what a float has no room for still counts.
inline float rounded_to_odd(double value) {
  const float near = static_cast<float>(value);
  std::uint32_t bits = same_bits<std::uint32_t>(near);
  if (double(near) == value || !(value == value) || (bits & 1))
    return near;
  if (std::isinf(near)) // the greatest float below is odd
    return same_bits<float>(bits - 1);
  // Towards the value: the bits of a greater magnitude are greater.
  bits += std::fabs(double(near)) < std::fabs(value) ? 1 : -1u;
  return same_bits<float>(bits);
}

/// What an operation of a short number and a number of another type gives.
template <class Short, class Other>
using short_result = std::enable_if_t<
    std::is_arithmetic_v<Other>,
    std::conditional_t<std::is_integral_v<Other>, Short, Other>>;
} // namespace detail

/// IEEE 754's binary16. 2 bytes, aligned to 2; trivially copyable.
class half {
public:
  half() = default;
  /// The nearest half of a number; infinity from 65520 on.
  template <class Type,
            class = std::enable_if_t<std::is_arithmetic_v<Type> ||
                                     std::is_same_v<Type, _Float16>>>
  constexpr half(Type value) : value(static_cast<_Float16>(value)) {}
  explicit inline half(bfloat16 value);

  /// Exact.
  constexpr operator float() const { return static_cast<float>(value); }
  constexpr explicit operator _Float16() const { return value; }

  /// The half of these bits, and the bits of a half.
  static half from_bits(std::uint16_t bits) {
    return detail::same_bits<half>(bits);
  }
  std::uint16_t bits() const { return detail::same_bits<std::uint16_t>(*this); }

private:
  _Float16 value;
};

/// The upper 16 bits of a float. 2 bytes, aligned to 2; trivially copyable.
class bfloat16 {
public:
  bfloat16() = default;
  /// The nearest bfloat16 of a number.
  template <class Type, class = std::enable_if_t<std::is_arithmetic_v<Type>>>
  bfloat16(Type value) : held(detail::to_bfloat16(nearest(value))) {}
  explicit bfloat16(half value) : bfloat16(float(value)) {}

  /// Exact.
  operator float() const {
    return detail::same_bits<float>(std::uint32_t(held) << 16);
  }

  /// The bfloat16 of these bits, and the bits of a bfloat16.
  static bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 made;
    made.held = bits;
    return made;
  }
  std::uint16_t bits() const { return held; }

private:
  template <class Type> static float nearest(Type value) {
    if constexpr (std::is_same_v<Type, float> ||
                  (std::is_integral_v<Type> && sizeof(Type) <= 2))
      return value;
    else if constexpr (std::is_integral_v<Type> && sizeof(Type) > 4)
      return wide(value);
    else
      return detail::rounded_to_odd(static_cast<double>(value));
  }
  /// A double has no room for 64 bits: what is cut off counts as one bit.
  template <class Type> static float wide(Type value) {
    const bool negative = value < 0;
    std::uint64_t magnitude = static_cast<std::uint64_t>(value);
    magnitude = negative ? 0 - magnitude : magnitude;
    if (magnitude >> 53)
      magnitude = (magnitude & ~std::uint64_t(0xfff)) |
                  std::uint64_t((magnitude & 0xfff) != 0) << 12;
    const double exact = static_cast<double>(magnitude);
    return detail::rounded_to_odd(negative ? -exact : exact);
  }

  std::uint16_t held;
};

inline half::half(bfloat16 from) : half(float(from)) {}

// Arithmetic and comparisons. A sum, difference, product or quotient in float of
// two numbers of at most 11 bits, rounded again, is rounded as if once: a float
// has more than twice as many bits and two.

#define XCC_SHORT_OPERATOR(type, op)                                           \
  inline type operator op(type a, type b) {                                    \
    return type(float(a) op float(b));                                         \
  }                                                                            \
  template <class Other>                                                       \
  inline detail::short_result<type, Other> operator op(type a, Other b) {      \
    return detail::short_result<type, Other>(a)                                \
        op detail::short_result<type, Other>(b);                               \
  }                                                                            \
  template <class Other>                                                       \
  inline detail::short_result<type, Other> operator op(Other a, type b) {      \
    return detail::short_result<type, Other>(a)                                \
        op detail::short_result<type, Other>(b);                               \
  }                                                                            \
  template <class Other,                                                       \
            class = std::enable_if_t<std::is_arithmetic_v<Other> ||            \
                                     std::is_same_v<Other, type>>>             \
  inline type &operator op## = (type & a, Other b) {                           \
    return a = type(a op b);                                                   \
  }
#define XCC_SHORT_COMPARISON(type, op)                                         \
  inline bool operator op(type a, type b) { return float(a) op float(b); }     \
  template <class Other, class = detail::short_result<type, Other>>            \
  inline bool operator op(type a, Other b) {                                   \
    return detail::short_result<type, Other>(a)                                \
        op detail::short_result<type, Other>(b);                               \
  }                                                                            \
  template <class Other, class = detail::short_result<type, Other>>            \
  inline bool operator op(Other a, type b) {                                   \
    return detail::short_result<type, Other>(a)                                \
        op detail::short_result<type, Other>(b);                               \
  }
#define XCC_SHORT_FLOAT(type)                                                  \
  XCC_SHORT_OPERATOR(type, +)                                                  \
  XCC_SHORT_OPERATOR(type, -)                                                  \
  XCC_SHORT_OPERATOR(type, *)                                                  \
  XCC_SHORT_OPERATOR(type, /)                                                  \
  XCC_SHORT_COMPARISON(type, ==)                                               \
  XCC_SHORT_COMPARISON(type, !=)                                               \
  XCC_SHORT_COMPARISON(type, <)                                                \
  XCC_SHORT_COMPARISON(type, >)                                                \
  XCC_SHORT_COMPARISON(type, <=)                                               \
  XCC_SHORT_COMPARISON(type, >=)                                               \
  inline type operator+(type a) { return a; }                                  \
  inline type operator-(type a) {                                              \
    return type::from_bits(static_cast<std::uint16_t>(a.bits() ^ 0x8000));     \
  }                                                                            \
  inline type &operator++(type &a) { return a = a + 1; }                       \
  inline type &operator--(type &a) { return a = a - 1; }                       \
  inline type operator++(type &a, int) {                                       \
    const type old = a;                                                        \
    ++a;                                                                       \
    return old;                                                                \
  }                                                                            \
  inline type operator--(type &a, int) {                                       \
    const type old = a;                                                        \
    --a;                                                                       \
    return old;                                                                \
  }
XCC_SHORT_FLOAT(half)
XCC_SHORT_FLOAT(bfloat16)
#undef XCC_SHORT_FLOAT
#undef XCC_SHORT_COMPARISON
#undef XCC_SHORT_OPERATOR

// Functions of <cmath>.

/// a * b + c, rounded once.
inline half fma(half a, half b, half c) {
  return static_cast<_Float16>(
      __builtin_fmaf16(_Float16(a), _Float16(b), _Float16(c)));
}
inline bfloat16 fma(bfloat16 a, bfloat16 b, bfloat16 c) {
  // The product is exact. What the sum has no room for counts as one bit.
  const double product = double(float(a)) * double(float(b)), c2 = float(c);
  const double sum = product + c2, part = sum - product;
  const double rest = (product - (sum - part)) + (c2 - part);
  std::uint64_t bits = detail::same_bits<std::uint64_t>(sum);
  if (rest != 0 && rest == rest && !(bits & 1))
    bits += (rest > 0) == (sum > 0) ? 1 : -std::uint64_t(1);
  return detail::same_bits<double>(bits);
}

#define XCC_SHORT_FUNCTION(name)                                               \
  inline half name(half a) { return std::name(float(a)); }                     \
  inline bfloat16 name(bfloat16 a) { return std::name(float(a)); }
XCC_SHORT_FUNCTION(sqrt)
XCC_SHORT_FUNCTION(cbrt)
XCC_SHORT_FUNCTION(exp)
XCC_SHORT_FUNCTION(exp2)
XCC_SHORT_FUNCTION(expm1)
XCC_SHORT_FUNCTION(log)
XCC_SHORT_FUNCTION(log2)
XCC_SHORT_FUNCTION(log10)
XCC_SHORT_FUNCTION(log1p)
XCC_SHORT_FUNCTION(sin)
XCC_SHORT_FUNCTION(cos)
XCC_SHORT_FUNCTION(tan)
XCC_SHORT_FUNCTION(asin)
XCC_SHORT_FUNCTION(acos)
XCC_SHORT_FUNCTION(atan)
XCC_SHORT_FUNCTION(sinh)
XCC_SHORT_FUNCTION(cosh)
XCC_SHORT_FUNCTION(tanh)
XCC_SHORT_FUNCTION(erf)
XCC_SHORT_FUNCTION(floor)
XCC_SHORT_FUNCTION(ceil)
XCC_SHORT_FUNCTION(trunc)
XCC_SHORT_FUNCTION(round)
XCC_SHORT_FUNCTION(rint)
XCC_SHORT_FUNCTION(nearbyint)
#undef XCC_SHORT_FUNCTION

#define XCC_SHORT_FUNCTIONS(type)                                              \
  inline type abs(type a) {                                                    \
    return type::from_bits(static_cast<std::uint16_t>(a.bits() & 0x7fff));     \
  }                                                                            \
  inline type fabs(type a) { return abs(a); }                                  \
  inline type copysign(type a, type sign) {                                    \
    return type::from_bits(static_cast<std::uint16_t>(                         \
        (a.bits() & 0x7fff) | (sign.bits() & 0x8000)));                        \
  }                                                                            \
  inline type fmin(type a, type b) { return std::fmin(float(a), float(b)); }   \
  inline type fmax(type a, type b) { return std::fmax(float(a), float(b)); }   \
  inline type fmod(type a, type b) { return std::fmod(float(a), float(b)); }   \
  inline type pow(type a, type b) { return std::pow(float(a), float(b)); }     \
  inline type atan2(type a, type b) { return std::atan2(float(a), float(b)); } \
  inline bool isnan(type a) { return a != a; }                                 \
  inline bool isinf(type a) {                                                  \
    return abs(a) == std::numeric_limits<float>::infinity();                   \
  }                                                                            \
  inline bool isfinite(type a) {                                               \
    return abs(a) < std::numeric_limits<float>::infinity();                    \
  }                                                                            \
  inline bool signbit(type a) { return a.bits() >> 15 != 0; }                  \
  template <class Char, class Traits>                                          \
  std::basic_ostream<Char, Traits> &operator<<(                                \
      std::basic_ostream<Char, Traits> &to, type a) {                          \
    return to << float(a);                                                     \
  }                                                                            \
  template <class Char, class Traits>                                          \
  std::basic_istream<Char, Traits> &operator>>(                                \
      std::basic_istream<Char, Traits> &from, type &a) {                       \
    float read = 0;                                                            \
    if (from >> read)                                                          \
      a = read;                                                                \
    return from;                                                               \
  }
XCC_SHORT_FUNCTIONS(half)
XCC_SHORT_FUNCTIONS(bfloat16)
#undef XCC_SHORT_FUNCTIONS

namespace detail {
/// What std::numeric_limits says of a number of 16 bits.
template <class Type, int Digits, int Digits10, int MinExponent10,
          int MaxExponent10, int Bias, std::uint16_t Infinity>
struct short_limits : std::numeric_limits<float> {
  static constexpr int digits = Digits, digits10 = Digits10;
  static constexpr int max_digits10 = 2 + Digits * 30103 / 100000;
  static constexpr int min_exponent = 2 - Bias, max_exponent = Bias + 1;
  static constexpr int min_exponent10 = MinExponent10;
  static constexpr int max_exponent10 = MaxExponent10;
  static Type min() { return Type::from_bits(1 << (Digits - 1)); }
  static Type max() { return Type::from_bits(Infinity - 1); }
  static Type lowest() { return Type::from_bits(0x8000 | (Infinity - 1)); }
  static Type epsilon() {
    return Type::from_bits((Bias - (Digits - 1)) << (Digits - 1));
  }
  static Type round_error() { return 0.5f; }
  static Type infinity() { return Type::from_bits(Infinity); }
  static Type quiet_NaN() {
    return Type::from_bits(Infinity | 1 << (Digits - 2));
  }
  static Type signaling_NaN() {
    return Type::from_bits(Infinity | 1 << (Digits - 3));
  }
  static Type denorm_min() { return Type::from_bits(1); }
};
} // namespace detail

} // namespace xcc

namespace std {
/// What is known of half. Functions are not constexpr: values are made of bits.
template <>
struct numeric_limits<xcc::half>
    : xcc::detail::short_limits<xcc::half, 11, 3, -4, 4, 15, 0x7c00> {};
/// What is known of bfloat16, likewise.
template <>
struct numeric_limits<xcc::bfloat16>
    : xcc::detail::short_limits<xcc::bfloat16, 8, 2, -37, 38, 127, 0x7f80> {};

/// The same for 0 and -0.
template <> struct hash<xcc::half> {
  size_t operator()(xcc::half value) const { return std::hash<float>()(value); }
};
/// The same for 0 and -0.
template <> struct hash<xcc::bfloat16> {
  size_t operator()(xcc::bfloat16 value) const {
    return std::hash<float>()(value);
  }
};
} // namespace std

#endif // XCC_HALF_H
