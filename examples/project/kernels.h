// What the program calls, which any compiler compiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SCALE_KERNELS_H
#define SCALE_KERNELS_H

#include <vector>

/// Multiplies every number, on a device.
void scale(std::vector<float> &numbers, float factor);

#endif // SCALE_KERNELS_H
