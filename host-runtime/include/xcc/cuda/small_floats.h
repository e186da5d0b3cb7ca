// Numbers of 4, 6 and 8 bits: what cuda_fp8.h, cuda_fp6.h and cuda_fp4.h share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sign, an exponent and a mantissa (OCP 8-bit Floating Point Specification 1.0;
// OCP Microscaling Formats Specification 1.0). Each number is converted by itself,
// through double; NVIDIA GPUs have instructions for two at a time, which xcc does
// not use.

#ifndef XCC_CUDA_SMALL_FLOATS_H
#define XCC_CUDA_SMALL_FLOATS_H

#include <xcc/cuda/half.h>
#include <xcc/cuda/vectors.h>

#include <cstdint>
#include <limits>
#include <type_traits>

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

/// What a number beyond the greatest becomes: an infinity, or NaN if there is
/// none; or the greatest.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

namespace xcc::cuda::detail {
/// The numbers of a format, without their signs.
struct small_format {
  int mantissa, bias;
  unsigned greatest, beyond; ///< what is greater than the greatest becomes
  unsigned nan;              ///< what NaN becomes, without its sign
  unsigned sign;             ///< the bit
};

/// To the nearest number, of two as near to the even one, or towards zero.
inline unsigned char to_small(double value, small_format f,
                              __nv_saturation_t saturation,
                              cudaRoundMode rounding = cudaRoundNearest) {
  std::uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  const unsigned sign = bits >> 63 ? f.sign : 0;
  bits &= ~std::uint64_t(0) >> 1;
  if (bits > std::uint64_t(0x7ff) << 52)
    return static_cast<unsigned char>(f.nan);
  const auto overflow = static_cast<unsigned char>(
      sign | (saturation == __NV_SATFINITE ? f.greatest : f.beyond));
  const int least = 1 - f.bias;
  int exponent = int(bits >> 52) - 1023;
  if (exponent > 16 + f.bias)
    return overflow;
  exponent = exponent < least ? least : exponent;
  // In units of the last place, which are powers of two.
  const std::uint64_t scale = std::uint64_t(1023 + f.mantissa - exponent) << 52;
  double size, by;
  __builtin_memcpy(&size, &bits, sizeof(size));
  __builtin_memcpy(&by, &scale, sizeof(by));
  const double units = size * by;
  const unsigned code =
      (unsigned(exponent - least) << f.mantissa) +
      unsigned(rounding == cudaRoundZero ? units : __builtin_rint(units));
  return code > f.greatest ? overflow : static_cast<unsigned char>(sign | code);
}

inline float from_small(unsigned char number, small_format f) {
  const unsigned code = number & (f.sign - 1);
  const unsigned exponent = code >> f.mantissa,
                 rest = code & ((1u << f.mantissa) - 1);
  float size;
  if (code > f.greatest) {
    size = code == f.beyond && f.beyond != f.nan ? __builtin_inff()
                                                 : __builtin_nanf("");
  } else {
    const unsigned power =
        unsigned(127 - f.mantissa - f.bias) + (exponent ? exponent : 1);
    const unsigned bits = power << 23;
    __builtin_memcpy(&size, &bits, sizeof(size));
    size *= float(rest + (exponent ? 1u << f.mantissa : 0));
  }
  return number & f.sign ? -size : size;
}

/// Numbers of the format FormatOf(Kind).
template <auto Kind, int Width, small_format (*FormatOf)(decltype(Kind))>
struct small_kind {
  using Storage = __nv_fp8_storage_t;
  static constexpr int Bits = Width; ///< of a number among others
  static constexpr small_format format = FormatOf(Kind);
  static Storage convert(double value) {
    return to_small(value, format, __NV_SATFINITE);
  }
  static float number(Storage bits) { return from_small(bits, format); }
};

/// Rounds towards zero. A value outside of the type becomes its nearest end. NaN
/// becomes 0, and with 64 bits the number whose highest bit alone is set.
template <class Integer> inline Integer small_to(float value) {
  using limits = std::numeric_limits<Integer>;
  if (value != value)
    return sizeof(Integer) < 8 ? Integer(0) : Integer(std::uint64_t(1) << 63);
  if (value <= float(limits::min()))
    return limits::min();
  return value >= float(limits::max()) ? limits::max() : Integer(value);
}

/// One number. Format has the members Storage and Bits; convert(double) and
/// convert(Integer), the bits that constructors give; and number(bits).
template <class Format> struct small {
  typename Format::Storage __x;

  small() = default;
  template <class Number,
            class = std::enable_if_t<std::is_arithmetic_v<Number> ||
                                     std::is_same_v<Number, __half> ||
                                     std::is_same_v<Number, __nv_bfloat16>>>
  explicit small(Number value) {
    if constexpr (std::is_integral_v<Number>)
      __x = Format::convert(value);
    else if constexpr (std::is_arithmetic_v<Number>)
      __x = Format::convert(double(value));
    else
      __x = Format::convert(double(float(value)));
  }
  explicit operator float() const { return Format::number(__x); }
  explicit operator double() const { return float(*this); }
  explicit operator __half() const { return __half(float(*this)); }
  explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(float(*this));
  }
  explicit operator bool() const { return float(*this) != 0; }
  template <class Integer,
            class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit operator Integer() const {
    return small_to<Integer>(float(*this));
  }
};

/// Several of them, the first in the lowest bits.
template <class Format, int Count, class Word> struct alignas(Word) smalls {
  using Floats = std::conditional_t<Count == 2, float2, float4>;
  template <class Pair>
  static constexpr bool is_pair =
      std::is_same_v<Pair, __half2> || std::is_same_v<Pair, __nv_bfloat162>;
  template <class Type>
  static constexpr bool is_vector =
      Count == 2
          ? std::is_same_v<Type, float2> || std::is_same_v<Type, double2>
          : std::is_same_v<Type, float4> || std::is_same_v<Type, double4> ||
                std::is_same_v<Type, double4_16a> ||
                std::is_same_v<Type, double4_32a>;
  Word __x;

  smalls() = default;
  template <class Vector, std::enable_if_t<is_vector<Vector>, int> = 0>
  explicit smalls(Vector from) : __x(packed(&from.x)) {}
  template <class Pair, std::enable_if_t<Count == 2 && is_pair<Pair>, int> = 0>
  explicit smalls(Pair from) : smalls(Floats{float(from.x), float(from.y)}) {}
  template <class Pair, std::enable_if_t<Count == 4 && is_pair<Pair>, int> = 0>
  explicit smalls(Pair low, Pair high)
      : smalls(
            Floats{float(low.x), float(low.y), float(high.x), float(high.y)}) {}
  explicit operator Floats() const {
    Floats to;
    float *each = &to.x;
    for (unsigned at = 0; at != Count; ++at)
      each[at] = Format::number(static_cast<unsigned char>(
          (__x >> (Format::Bits * at)) & ((1u << Format::Bits) - 1)));
    return to;
  }
  template <class Pair, std::enable_if_t<Count == 2 && is_pair<Pair>, int> = 0>
  explicit operator Pair() const {
    const Floats from(*this);
    using Short = decltype(Pair::x);
    return {Short(from.x), Short(from.y)};
  }

private:
  template <class Number> static Word packed(const Number *each) {
    Word bits = 0;
    for (unsigned at = 0; at != Count; ++at)
      bits = static_cast<Word>(bits | Word(Format::convert(double(each[at])))
                                          << (Format::Bits * at));
    return bits;
  }
};

inline double as_double(double value) { return value; }
inline double as_double(__half_raw value) { return float(__half(value)); }
inline double as_double(__nv_bfloat16_raw value) {
  return float(__nv_bfloat16(value));
}
inline double2 as_double(double2 pair) { return pair; }
inline double2 as_double(float2 pair) { return {pair.x, pair.y}; }
inline double2 as_double(__half2 pair) {
  return {float(pair.x), float(pair.y)};
}
inline double2 as_double(__nv_bfloat162 pair) {
  return {float(pair.x), float(pair.y)};
}
} // namespace xcc::cuda::detail

/// One number of a format, two and four of them.
#define XCC_CUDA_SMALL_FLOATS(type, kind, format, word2, word4)                \
  using __nv_##type##_##kind = xcc::cuda::detail::small<format>;               \
  using __nv_##type##x2_##kind = xcc::cuda::detail::smalls<format, 2, word2>;  \
  using __nv_##type##x4_##kind = xcc::cuda::detail::smalls<format, 4, word4>;

/// Conversions to fp6 and fp4, which have no infinities. The rounding is
/// cudaRoundNearest or cudaRoundZero.
#define XCC_CUDA_TO_SMALL_FLOAT(type, from, froms, Number, Pair, bits)         \
  inline __nv_##type##_storage_t __nv_cvt_##from##_to_##type(                  \
      Number value, __nv_##type##_interpretation_t kind,                       \
      cudaRoundMode rounding) {                                                \
    return xcc::cuda::detail::to_small(xcc::cuda::detail::as_double(value),    \
                                       xcc::cuda::detail::format_of(kind),     \
                                       __NV_SATFINITE, rounding);              \
  }                                                                            \
  inline __nv_##type##x2_storage_t __nv_cvt_##froms##_to_##type##x2(           \
      Pair value, __nv_##type##_interpretation_t kind,                         \
      cudaRoundMode rounding) {                                                \
    const double2 both = xcc::cuda::detail::as_double(value);                  \
    return static_cast<__nv_##type##x2_storage_t>(                             \
        __nv_cvt_double_to_##type(both.x, kind, rounding) |                    \
        __nv_cvt_double_to_##type(both.y, kind, rounding) << bits);            \
  }
#define XCC_CUDA_SMALL_FLOAT_CONVERSIONS(type, bits)                           \
  XCC_CUDA_TO_SMALL_FLOAT(type, double, double2, double, double2, bits)        \
  XCC_CUDA_TO_SMALL_FLOAT(type, float, float2, float, float2, bits)            \
  XCC_CUDA_TO_SMALL_FLOAT(type, halfraw, halfraw2, __half_raw, __half2_raw,    \
                          bits)                                                \
  XCC_CUDA_TO_SMALL_FLOAT(type, bfloat16raw, bfloat16raw2, __nv_bfloat16_raw,  \
                          __nv_bfloat162_raw, bits)                            \
  inline __half_raw __nv_cvt_##type##_to_halfraw(                              \
      __nv_##type##_storage_t number, __nv_##type##_interpretation_t kind) {   \
    return __half(xcc::cuda::detail::from_small(                               \
        number, xcc::cuda::detail::format_of(kind)));                          \
  }                                                                            \
  inline __half2_raw __nv_cvt_##type##x2_to_halfraw2(                          \
      __nv_##type##x2_storage_t numbers,                                       \
      __nv_##type##_interpretation_t kind) {                                   \
    return {__nv_cvt_##type##_to_halfraw(                                      \
                static_cast<unsigned char>(numbers & ((1 << bits) - 1)), kind) \
                .x,                                                            \
            __nv_cvt_##type##_to_halfraw(                                      \
                static_cast<unsigned char>(numbers >> bits), kind)             \
                .x};                                                           \
  }

#endif // XCC_CUDA_SMALL_FLOATS_H
