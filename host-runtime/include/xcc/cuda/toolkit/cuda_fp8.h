// <cuda_fp8.h> of CUDA's toolkit, for -foffload-cuda
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_TOOLKIT_CUDA_FP8_H
#define XCC_CUDA_TOOLKIT_CUDA_FP8_H

#include <xcc/cuda/fp8.h>

#endif // XCC_CUDA_TOOLKIT_CUDA_FP8_H
