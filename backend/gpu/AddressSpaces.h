// Address spaces that NVIDIA and AMD GPUs share in LLVM
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address spaces of a single target are in its folder. A target with other
// numbers, such as SPIR-V (private memory is 0 there), needs a function of
// GPUTarget in place of each constant.

#ifndef XCC_BACKEND_GPU_ADDRESSSPACES_H
#define XCC_BACKEND_GPU_ADDRESSSPACES_H

namespace xcc::gpu {

/// Shared memory: the threads of a block share it.
constexpr unsigned SharedAddressSpace = 3;
/// Memory that all threads share, and memory of a single thread.
constexpr unsigned GlobalAddressSpace = 1, LocalAddressSpace = 5;

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_ADDRESSSPACES_H
