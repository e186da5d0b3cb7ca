// CUB's primitives of warps, blocks and devices, for programs in CUDA
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/cub.h>               // for <cub/cub.cuh>
//     using reduction = cub::BlockReduce<int, 128>;
//     __shared__ typename reduction::TempStorage storage;
//     int sum = reduction(storage).Sum(mine); // in thread 0
//
// types.h   Sum, KeyValuePair, CountingInputIterator, DoubleBuffer
// warp.h    WarpReduce, WarpScan
// block.h   BlockReduce, BlockScan, BlockLoad, BlockStore, BlockRadixSort
// device.h  DeviceReduce, DeviceScan, DeviceRadixSort, DeviceSelect
// differences.h  BlockAdjacentDifference, DeviceAdjacentDifference
// each.h    DeviceFor, DeviceTransform, DeviceMemcpy, DeviceCopy, DeviceMerge
// ranks.h   BlockRadixRank, BlockRunLengthDecode
// exchanges.h    BlockShuffle, WarpExchange, WarpLoad, WarpStore, WarpMergeSort

#ifndef XCC_CUDA_CUB_H
#define XCC_CUDA_CUB_H

#include <xcc/cuda/cub/device.h>
#include <xcc/cuda/cub/differences.h>
#include <xcc/cuda/cub/each.h>
#include <xcc/cuda/cub/exchanges.h>
#include <xcc/cuda/cub/ranks.h>

#endif // XCC_CUDA_CUB_H
