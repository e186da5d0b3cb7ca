// The names of cuda_fp8.h: __nv_fp8_e4m3, __nv_fp8_e5m2
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/fp8.h>                 // for <cuda_fp8.h>
//     __nv_fp8_e4m3 small(0.3f);                // rounds to nearest, even
//     float near = float(small);
//
// Numbers of 8 bits: a sign, 4 or 5 bits of exponent and 3 or 2 of mantissa (OCP
// 8-bit Floating Point Specification, revision 1.0). E4M3 has no infinity. Each
// number is converted by itself, through double; NVIDIA GPUs since sm_89 have
// instructions for two at a time, which xcc does not use.

#ifndef XCC_CUDA_FP8_H
#define XCC_CUDA_FP8_H

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
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/// The bits of a __half.
struct __half_raw {
  unsigned short x;
  __half_raw() = default;
  __half_raw(__half value) : x(value.bits()) {}
  operator __half() const { return __half::from_bits(x); }
};
struct __half2_raw {
  unsigned short x, y;
  __half2_raw() = default;
  __half2_raw(unsigned short x_, unsigned short y_) : x(x_), y(y_) {}
  __half2_raw(__half2 pair) : x(pair.x.bits()), y(pair.y.bits()) {}
  operator __half2() const {
    return {__half::from_bits(x), __half::from_bits(y)};
  }
};
/// The bits of a __nv_bfloat16.
struct __nv_bfloat16_raw {
  unsigned short x;
  __nv_bfloat16_raw() = default;
  __nv_bfloat16_raw(__nv_bfloat16 value) : x(value.bits()) {}
  operator __nv_bfloat16() const { return __nv_bfloat16::from_bits(x); }
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
  __nv_bfloat162_raw() = default;
  __nv_bfloat162_raw(__nv_bfloat162 pair)
      : x(pair.x.bits()), y(pair.y.bits()) {}
  operator __nv_bfloat162() const {
    return {__nv_bfloat16::from_bits(x), __nv_bfloat16::from_bits(y)};
  }
};

namespace xcc::cuda::detail {
struct fp8_format {
  int mantissa, bias;
  unsigned greatest, beyond; ///< without a sign
};
constexpr fp8_format format_of(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? fp8_format{3, 7, 0x7e, 0x7f}
                           : fp8_format{2, 15, 0x7b, 0x7c};
}

inline __nv_fp8_storage_t to_fp8(double value, __nv_saturation_t saturation,
                                 __nv_fp8_interpretation_t kind) {
  const fp8_format f = format_of(kind);
  std::uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  const unsigned sign = unsigned(bits >> 63) << 7;
  bits &= ~std::uint64_t(0) >> 1;
  constexpr std::uint64_t infinity = std::uint64_t(0x7ff) << 52;
  if (bits > infinity)
    return 0x7f;
  const auto overflow = __nv_fp8_storage_t(
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
  const unsigned code = (unsigned(exponent - least) << f.mantissa) +
                        unsigned(__builtin_rint(size * by));
  return code > f.greatest ? overflow : __nv_fp8_storage_t(sign | code);
}

inline float from_fp8(__nv_fp8_storage_t number,
                      __nv_fp8_interpretation_t kind) {
  const fp8_format f = format_of(kind);
  const unsigned code = number & 0x7f;
  const unsigned exponent = code >> f.mantissa,
                 rest = code & ((1u << f.mantissa) - 1);
  float size;
  if (code >= f.beyond) {
    size = code == 0x7c ? __builtin_inff() : __builtin_nanf("");
  } else {
    const unsigned power =
        unsigned(127 - f.mantissa - f.bias) + (exponent ? exponent : 1);
    const unsigned bits = power << 23;
    __builtin_memcpy(&size, &bits, sizeof(size));
    size *= float(rest + (exponent ? 1u << f.mantissa : 0));
  }
  return number & 0x80 ? -size : size;
}

template <__nv_fp8_interpretation_t Kind> struct fp8 {
  __nv_fp8_storage_t __x;

  fp8() = default;
  template <class Number,
            class = std::enable_if_t<std::is_arithmetic_v<Number> ||
                                     std::is_same_v<Number, __half> ||
                                     std::is_same_v<Number, __nv_bfloat16>>>
  explicit fp8(Number value) {
    if constexpr (std::is_arithmetic_v<Number>)
      __x = to_fp8(double(value), __NV_SATFINITE, Kind);
    else
      __x = to_fp8(float(value), __NV_SATFINITE, Kind);
  }
  explicit operator float() const { return from_fp8(__x, Kind); }
  explicit operator double() const { return float(*this); }
  explicit operator __half() const { return __half(float(*this)); }
  explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(float(*this));
  }
  explicit operator bool() const { return (__x & 0x7f) != 0; }
  /// Rounds towards zero. A value outside of the type becomes its nearest end.
  /// NaN becomes 0, and with 64 bits the number whose highest bit alone is set.
  template <class Integer,
            class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit operator Integer() const {
    using limits = std::numeric_limits<Integer>;
    const float value = float(*this);
    if (value != value)
      return sizeof(Integer) < 8 ? Integer(0) : Integer(std::uint64_t(1) << 63);
    if (value <= float(limits::min()))
      return limits::min();
    return value >= float(limits::max()) ? limits::max() : Integer(value);
  }
};

/// Several of them, the first in the lowest bits.
template <__nv_fp8_interpretation_t Kind, class Storage, class Floats,
          class Doubles>
struct fp8s {
  static constexpr bool Two = sizeof(Storage) == 2;
  template <class Pair>
  static constexpr bool is_pair =
      std::is_same_v<Pair, __half2> || std::is_same_v<Pair, __nv_bfloat162>;
  Storage __x;

  fp8s() = default;
  explicit fp8s(Floats from) : __x(packed(&from.x)) {}
  explicit fp8s(Doubles from) : __x(packed(&from.x)) {}
  template <class Pair, std::enable_if_t<Two && is_pair<Pair>, int> = 0>
  explicit fp8s(Pair from) : fp8s(Floats{float(from.x), float(from.y)}) {}
  template <class Pair, std::enable_if_t<!Two && is_pair<Pair>, int> = 0>
  explicit fp8s(Pair low, Pair high)
      : fp8s(Floats{float(low.x), float(low.y), float(high.x), float(high.y)}) {
  }
  explicit operator Floats() const {
    Floats to;
    float *each = &to.x;
    for (unsigned at = 0; at != sizeof(Storage); ++at)
      each[at] = from_fp8(__nv_fp8_storage_t(__x >> (8 * at)), Kind);
    return to;
  }
  template <class Pair,
            std::enable_if_t<Two && std::is_same_v<Pair, __half2>, int> = 0>
  explicit operator Pair() const {
    const Floats from(*this);
    return {__half(from.x), __half(from.y)};
  }

private:
  template <class Number> static Storage packed(const Number *each) {
    Storage bits = 0;
    for (unsigned at = 0; at != sizeof(Storage); ++at)
      bits |= Storage(to_fp8(each[at], __NV_SATFINITE, Kind)) << (8 * at);
    return bits;
  }
};
} // namespace xcc::cuda::detail

using __nv_fp8_e4m3 = xcc::cuda::detail::fp8<__NV_E4M3>;
using __nv_fp8_e5m2 = xcc::cuda::detail::fp8<__NV_E5M2>;
using __nv_fp8x2_e4m3 =
    xcc::cuda::detail::fp8s<__NV_E4M3, __nv_fp8x2_storage_t, float2, double2>;
using __nv_fp8x2_e5m2 =
    xcc::cuda::detail::fp8s<__NV_E5M2, __nv_fp8x2_storage_t, float2, double2>;
using __nv_fp8x4_e4m3 =
    xcc::cuda::detail::fp8s<__NV_E4M3, __nv_fp8x4_storage_t, float4, double4>;
using __nv_fp8x4_e5m2 =
    xcc::cuda::detail::fp8s<__NV_E5M2, __nv_fp8x4_storage_t, float4, double4>;

inline __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                       __nv_fp8_interpretation_t kind) {
  return xcc::cuda::detail::to_fp8(value, saturation, kind);
}
inline __nv_fp8_storage_t
__nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                      __nv_fp8_interpretation_t kind) {
  return xcc::cuda::detail::to_fp8(value, saturation, kind);
}
inline __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                        __nv_fp8_interpretation_t kind) {
  return xcc::cuda::detail::to_fp8(float(__half(value)), saturation, kind);
}
inline __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturation,
                         __nv_fp8_interpretation_t kind) {
  return __nv_fp8x2_storage_t(
      xcc::cuda::detail::to_fp8(value.x, saturation, kind) |
      xcc::cuda::detail::to_fp8(value.y, saturation, kind) << 8);
}
inline __nv_fp8x2_storage_t
__nv_cvt_double2_to_fp8x2(double2 value, __nv_saturation_t saturation,
                          __nv_fp8_interpretation_t kind) {
  return __nv_fp8x2_storage_t(
      xcc::cuda::detail::to_fp8(value.x, saturation, kind) |
      xcc::cuda::detail::to_fp8(value.y, saturation, kind) << 8);
}
inline __nv_fp8x2_storage_t
__nv_cvt_halfraw2_to_fp8x2(__half2_raw value, __nv_saturation_t saturation,
                           __nv_fp8_interpretation_t kind) {
  const __half2 from = value;
  return __nv_cvt_float2_to_fp8x2({float(from.x), float(from.y)}, saturation,
                                  kind);
}
inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                            __nv_saturation_t saturation,
                            __nv_fp8_interpretation_t kind) {
  return xcc::cuda::detail::to_fp8(float(__nv_bfloat16(value)), saturation,
                                   kind);
}
inline __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value,
                               __nv_saturation_t saturation,
                               __nv_fp8_interpretation_t kind) {
  const __nv_bfloat162 from = value;
  return __nv_cvt_float2_to_fp8x2({float(from.x), float(from.y)}, saturation,
                                  kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t number,
                                          __nv_fp8_interpretation_t kind) {
  return __half(xcc::cuda::detail::from_fp8(number, kind));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t numbers,
                                              __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(numbers), kind).x,
          __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(numbers >> 8), kind).x};
}

#endif // XCC_CUDA_FP8_H
