// Shuffles without a mask: HIP's, and CUDA's before CUDA 9
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of <xcc/cuda.h> and <xcc/hip.h>, each of which says what warpSize is.

#ifndef XCC_CUDA_SHUFFLES_H
#define XCC_CUDA_SHUFFLES_H

#include <xcc/cuda/threads.h>

template <class Type>
[[clang::convergent]] inline Type __shfl(XCC_MAYBE_UNSET Type value, int lane,
                                         int width = warpSize) {
  return __shfl_sync(~0u, value, lane, width);
}
template <class Type>
[[clang::convergent]] inline Type
__shfl_up(XCC_MAYBE_UNSET Type value, unsigned delta, int width = warpSize) {
  return __shfl_up_sync(~0u, value, delta, width);
}
template <class Type>
[[clang::convergent]] inline Type
__shfl_down(XCC_MAYBE_UNSET Type value, unsigned delta, int width = warpSize) {
  return __shfl_down_sync(~0u, value, delta, width);
}
template <class Type>
[[clang::convergent]] inline Type __shfl_xor(XCC_MAYBE_UNSET Type value,
                                             int mask, int width = warpSize) {
  return __shfl_xor_sync(~0u, value, mask, width);
}

#endif // XCC_CUDA_SHUFFLES_H
