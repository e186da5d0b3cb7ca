// <cuda_fp4.h> of CUDA's toolkit, for -foffload-cuda
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_TOOLKIT_CUDA_FP4_H
#define XCC_CUDA_TOOLKIT_CUDA_FP4_H

#include <xcc/cuda/fp4.h>

#endif // XCC_CUDA_TOOLKIT_CUDA_FP4_H
