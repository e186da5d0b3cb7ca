// Powers modulo the prime of secp256k1
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "field.h"

static __global__ void fieldKernel(int n, int squarings,
                                   const suite::Field *__restrict in,
                                   suite::Field *__restrict out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  suite::Field a = in[i], r = a;
  for (int k = 0; k < squarings; ++k)
    r = suite::multiply(suite::multiply(r, r), a);
  out[i] = r;
}

void suite::fieldPowers(int n, int squarings, const Field *in, Field *out) {
  fieldKernel<<<(n + 255) / 256, 256>>>(n, squarings, in, out);
}
