// Option prices in float
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "black_scholes.h"

static __global__ void blackScholesKernel(int n, const float *__restrict price,
                                          const float *__restrict strike,
                                          const float *__restrict years,
                                          float rate, float volatility,
                                          float *__restrict call,
                                          float *__restrict put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  auto option =
      suite::optionPrice(price[i], strike[i], years[i], rate, volatility);
  call[i] = option.call;
  put[i] = option.put;
}

void suite::blackScholes(int n, const float *price, const float *strike,
                         const float *years, float rate, float volatility,
                         float *call, float *put) {
  blackScholesKernel<<<(n + 255) / 256, 256>>>(n, price, strike, years, rate,
                                               volatility, call, put);
}
