// The names of cuda_fp8.h: __nv_fp8_e4m3, __nv_fp8_e5m2, __nv_fp8_e8m0
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/fp8.h>                 // for <cuda_fp8.h>
//     __nv_fp8_e4m3 small(0.3f);                // rounds to nearest, even
//     float near = float(small);
//
// Numbers of 8 bits: a sign, 4 or 5 bits of exponent and 3 or 2 of mantissa. E4M3
// has no infinity. E8M0 is a power of two, from 2^-127 to 2^127, without a sign:
// the scale of a block of smaller numbers.

#ifndef XCC_CUDA_FP8_H
#define XCC_CUDA_FP8_H

#include <xcc/cuda/small_floats.h>

enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace xcc::cuda::detail {
constexpr small_format format_of(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? small_format{3, 7, 0x7e, 0x7f, 0x7f, 0x80}
                           : small_format{2, 15, 0x7b, 0x7c, 0x7f, 0x80};
}

template <__nv_fp8_interpretation_t Kind>
using fp8_format = small_kind<Kind, 8, format_of>;

/// The exponent of the power of two that is not above the size of a number, or
/// with cudaRoundPosInf not below it.
inline __nv_fp8_storage_t to_e8m0(double value, __nv_saturation_t saturation,
                                  cudaRoundMode rounding) {
  std::uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits &= ~std::uint64_t(0) >> 1;
  constexpr std::uint64_t infinity = std::uint64_t(0x7ff) << 52;
  if (bits > infinity)
    return 0xff;
  const bool up = rounding == cudaRoundPosInf && bits << 12 != 0;
  const int code = int(bits >> 52) - 1023 + 127;
  if (code < 0)
    return 0;
  if (code + up < 0xff)
    return static_cast<__nv_fp8_storage_t>(code + up);
  const bool beyond = bits == infinity || rounding == cudaRoundPosInf;
  return beyond && saturation == __NV_NOSAT ? 0xff : 0xfe;
}

struct e8m0_format {
  using Storage = __nv_fp8_storage_t;
  static constexpr int Bits = 8;
  static Storage convert(double value) {
    return to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf);
  }
  /// Of an integer, which a double may not have exactly.
  template <class Integer,
            class = std::enable_if_t<std::is_integral_v<Integer>>>
  static Storage convert(Integer value) {
    const std::uint64_t size =
        value < 0 ? 0 - std::uint64_t(value) : std::uint64_t(value);
    if (size == 0)
      return 0;
    const int power = 63 - __builtin_clzll(size);
    return static_cast<Storage>(127 + power + ((size & (size - 1)) != 0));
  }
  static float number(Storage bits) {
    if (bits == 0xff)
      return __builtin_nanf("");
    const unsigned word = bits == 0 ? 0x00400000u : unsigned(bits) << 23;
    float value;
    __builtin_memcpy(&value, &word, sizeof(value));
    return value;
  }
};
} // namespace xcc::cuda::detail

XCC_CUDA_SMALL_FLOATS(fp8, e4m3, xcc::cuda::detail::fp8_format<__NV_E4M3>,
                      __nv_fp8x2_storage_t, __nv_fp8x4_storage_t)
XCC_CUDA_SMALL_FLOATS(fp8, e5m2, xcc::cuda::detail::fp8_format<__NV_E5M2>,
                      __nv_fp8x2_storage_t, __nv_fp8x4_storage_t)
XCC_CUDA_SMALL_FLOATS(fp8, e8m0, xcc::cuda::detail::e8m0_format,
                      __nv_fp8x2_storage_t, __nv_fp8x4_storage_t)

// From a number, and from a pair of numbers, of each type.
#define XCC_CUDA_TO_FP8(from, froms, Number, Pair)                             \
  inline __nv_fp8_storage_t __nv_cvt_##from##_to_fp8(                          \
      Number value, __nv_saturation_t saturation,                              \
      __nv_fp8_interpretation_t kind) {                                        \
    return xcc::cuda::detail::to_small(xcc::cuda::detail::as_double(value),    \
                                       xcc::cuda::detail::format_of(kind),     \
                                       saturation);                            \
  }                                                                            \
  inline __nv_fp8x2_storage_t __nv_cvt_##froms##_to_fp8x2(                     \
      Pair value, __nv_saturation_t saturation,                                \
      __nv_fp8_interpretation_t kind) {                                        \
    const double2 both = xcc::cuda::detail::as_double(value);                  \
    return static_cast<__nv_fp8x2_storage_t>(                                  \
        __nv_cvt_double_to_fp8(both.x, saturation, kind) |                     \
        __nv_cvt_double_to_fp8(both.y, saturation, kind) << 8);                \
  }
XCC_CUDA_TO_FP8(double, double2, double, double2)
XCC_CUDA_TO_FP8(float, float2, float, float2)
XCC_CUDA_TO_FP8(halfraw, halfraw2, __half_raw, __half2_raw)
XCC_CUDA_TO_FP8(bfloat16raw, bfloat16raw2, __nv_bfloat16_raw,
                __nv_bfloat162_raw)
#undef XCC_CUDA_TO_FP8

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t number,
                                          __nv_fp8_interpretation_t kind) {
  return __half(xcc::cuda::detail::from_small(
      number, xcc::cuda::detail::format_of(kind)));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t numbers,
                                              __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(numbers), kind).x,
          __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(numbers >> 8), kind).x};
}

/// Powers of two. The rounding is cudaRoundZero or cudaRoundPosInf.
#define XCC_CUDA_TO_E8M0(from, froms, Number, Pair)                            \
  inline __nv_fp8_storage_t __nv_cvt_##from##_to_e8m0(                         \
      Number value, __nv_saturation_t saturation, cudaRoundMode rounding) {    \
    return xcc::cuda::detail::to_e8m0(xcc::cuda::detail::as_double(value),     \
                                      saturation, rounding);                   \
  }                                                                            \
  inline __nv_fp8x2_storage_t __nv_cvt_##froms##_to_e8m0x2(                    \
      Pair value, __nv_saturation_t saturation, cudaRoundMode rounding) {      \
    const double2 both = xcc::cuda::detail::as_double(value);                  \
    return static_cast<__nv_fp8x2_storage_t>(                                  \
        __nv_cvt_double_to_e8m0(both.x, saturation, rounding) |                \
        __nv_cvt_double_to_e8m0(both.y, saturation, rounding) << 8);           \
  }
XCC_CUDA_TO_E8M0(double, double2, double, double2)
XCC_CUDA_TO_E8M0(float, float2, float, float2)
XCC_CUDA_TO_E8M0(bfloat16raw, bfloat162raw, __nv_bfloat16_raw,
                 __nv_bfloat162_raw)
#undef XCC_CUDA_TO_E8M0

inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t number) {
  return __nv_bfloat16(xcc::cuda::detail::e8m0_format::number(number));
}
inline __nv_bfloat162_raw
__nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t numbers) {
  return __nv_bfloat162(
      __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(numbers)),
      __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(numbers >> 8)));
}

#endif // XCC_CUDA_FP8_H
