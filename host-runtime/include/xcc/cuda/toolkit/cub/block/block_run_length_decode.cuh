// <cub/block/block_run_length_decode.cuh> of CUDA's toolkit, for -foffload-cuda
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_TOOLKIT_CUB_BLOCK_BLOCK_RUN_LENGTH_DECODE_CUH
#define XCC_CUDA_TOOLKIT_CUB_BLOCK_BLOCK_RUN_LENGTH_DECODE_CUH

#include <xcc/cuda/cub.h>

#endif // XCC_CUDA_TOOLKIT_CUB_BLOCK_BLOCK_RUN_LENGTH_DECODE_CUH
