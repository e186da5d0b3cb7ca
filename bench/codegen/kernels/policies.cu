// A functor made of policies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "policies.h"

template <class F> static __global__ void policiesKernel(int n, F body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    body(i);
}

void suite::policies(int n, float scale, float low, float high, const float *a,
                     const float *b, float *out) {
  policiesKernel<<<(n + 1023) / 1024, 256>>>(
      n, makePolicies(scale, low, high, a, b, out));
}
