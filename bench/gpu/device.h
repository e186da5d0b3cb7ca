// Memory and time of the device, for either side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases are ordinary C++ that is linked once with xcc's kernels and
// device_xcc.cpp, once with their CUDA equivalents and device_cuda.cu. Everything
// happens on the default stream of the default device. A failure ends the
// program with a message.

#ifndef XCC_BENCH_GPU_DEVICE_H
#define XCC_BENCH_GPU_DEVICE_H

#include <cstddef>
#include <functional>

namespace device {

/// What the device calls itself.
const char *name();

void *allocate(std::size_t bytes);
void release(void *memory);
void copyIn(void *to, const void *from, std::size_t bytes);
/// Waits for everything launched before.
void copyOut(void *to, const void *from, std::size_t bytes);

/// Milliseconds between two events around `times` calls of `launch`.
double time(int times, const std::function<void()> &launch);

} // namespace device

#endif // XCC_BENCH_GPU_DEVICE_H
