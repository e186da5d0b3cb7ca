// Address spaces that LLVM has on every GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from a target is in its own folder.

#ifndef XCC_BACKEND_GPU_ADDRESSSPACES_H
#define XCC_BACKEND_GPU_ADDRESSSPACES_H

namespace xcc::gpu {

/// Memory that the threads of a block share.
constexpr unsigned SharedAddressSpace = 3;
/// Memory that all threads share, and a thread's own.
constexpr unsigned GlobalAddressSpace = 1, LocalAddressSpace = 5;

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_ADDRESSSPACES_H
