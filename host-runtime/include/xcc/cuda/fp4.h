// The names of cuda_fp4.h: __nv_fp4_e2m1
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 4 bits, 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. One number
// has a byte, two share one, the first in its low bits. There is no infinity and
// no NaN: what is greater than 6 becomes 6, and so does NaN.

#ifndef XCC_CUDA_FP4_H
#define XCC_CUDA_FP4_H

#include <xcc/cuda/fp6.h>

using __nv_fp4_storage_t = __nv_fp8_storage_t;
using __nv_fp4x2_storage_t = __nv_fp8_storage_t;
using __nv_fp4x4_storage_t = __nv_fp8x2_storage_t;

enum __nv_fp4_interpretation_t { __NV_E2M1 };

namespace xcc::cuda::detail {
constexpr small_format format_of(__nv_fp4_interpretation_t) {
  return {1, 1, 7, 7, 7, 8};
}

using fp4_format = small_kind<__NV_E2M1, 4, format_of>;
} // namespace xcc::cuda::detail

XCC_CUDA_SMALL_FLOATS(fp4, e2m1, xcc::cuda::detail::fp4_format,
                      __nv_fp4x2_storage_t, __nv_fp4x4_storage_t)

XCC_CUDA_SMALL_FLOAT_CONVERSIONS(fp4, 4)

#endif // XCC_CUDA_FP4_H
