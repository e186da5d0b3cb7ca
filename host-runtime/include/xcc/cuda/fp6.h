// The names of cuda_fp6.h: __nv_fp6_e2m3, __nv_fp6_e3m2
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 6 bits, in the low bits of a byte: a sign, 2 or 3 bits of exponent
// and 3 or 2 of mantissa. There is no infinity and no NaN: what is greater than
// the greatest number becomes that number, and so does NaN.

#ifndef XCC_CUDA_FP6_H
#define XCC_CUDA_FP6_H

#include <xcc/cuda/fp8.h>

using __nv_fp6_storage_t = __nv_fp8_storage_t;
using __nv_fp6x2_storage_t = __nv_fp8x2_storage_t;
using __nv_fp6x4_storage_t = __nv_fp8x4_storage_t;

enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

namespace xcc::cuda::detail {
constexpr small_format format_of(__nv_fp6_interpretation_t kind) {
  return kind == __NV_E2M3 ? small_format{3, 1, 0x1f, 0x1f, 0x1f, 0x20}
                           : small_format{2, 3, 0x1f, 0x1f, 0x1f, 0x20};
}

/// Each has a byte, also among others.
template <__nv_fp6_interpretation_t Kind>
using fp6_format = small_kind<Kind, 8, format_of>;
} // namespace xcc::cuda::detail

XCC_CUDA_SMALL_FLOATS(fp6, e2m3, xcc::cuda::detail::fp6_format<__NV_E2M3>,
                      __nv_fp6x2_storage_t, __nv_fp6x4_storage_t)
XCC_CUDA_SMALL_FLOATS(fp6, e3m2, xcc::cuda::detail::fp6_format<__NV_E3M2>,
                      __nv_fp6x2_storage_t, __nv_fp6x4_storage_t)

XCC_CUDA_SMALL_FLOAT_CONVERSIONS(fp6, 8)

#endif // XCC_CUDA_FP6_H
