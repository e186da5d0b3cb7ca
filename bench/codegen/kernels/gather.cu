// Structures of 16 bytes by an index
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void gatherKernel(int n, const int *__restrict index,
                                    const suite::Particle *__restrict in,
                                    suite::Particle *__restrict out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = in[index[i]];
}

void suite::gather(int n, const int *index, const suite::Particle *in,
                   suite::Particle *out) {
  gatherKernel<<<dim3(1024), dim3(256)>>>(n, index, in, out);
}
