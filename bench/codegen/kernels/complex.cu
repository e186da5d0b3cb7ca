// Products of complex numbers, in a grid-stride loop
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void complexKernel(std::size_t n, suite::Complex factor,
                                     const suite::Complex *__restrict a,
                                     const suite::Complex *__restrict b,
                                     suite::Complex *__restrict out) {
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
       i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    suite::Complex u = a[i], v = b[i];
    suite::Complex w = {u.re * v.re - u.im * v.im, u.re * v.im + u.im * v.re};
    out[i] = {w.re * factor.re - w.im * factor.im,
              w.re * factor.im + w.im * factor.re};
  }
}

void suite::complexProducts(std::size_t n, suite::Complex factor,
                            const suite::Complex *a, const suite::Complex *b,
                            suite::Complex *out) {
  complexKernel<<<dim3(1024), dim3(256)>>>(n, factor, a, b, out);
}
