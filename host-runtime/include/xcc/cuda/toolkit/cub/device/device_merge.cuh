// <cub/device/device_merge.cuh> of CUDA's toolkit, for -foffload-cuda
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_TOOLKIT_CUB_DEVICE_DEVICE_MERGE_CUH
#define XCC_CUDA_TOOLKIT_CUB_DEVICE_DEVICE_MERGE_CUH

#include <xcc/cuda/cub.h>

#endif // XCC_CUDA_TOOLKIT_CUB_DEVICE_DEVICE_MERGE_CUH
