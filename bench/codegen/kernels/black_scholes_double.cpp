// Option prices in double
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "black_scholes.h"
#include <xcc/xcc.h>

static void blackScholesDoubleKernel(int n, const double *__restrict price,
                                     const double *__restrict strike,
                                     const double *__restrict years,
                                     double rate, double volatility,
                                     double *__restrict call,
                                     double *__restrict put) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  auto option =
      suite::optionPrice(price[i], strike[i], years[i], rate, volatility);
  call[i] = option.call;
  put[i] = option.put;
}

void suite::blackScholesDouble(int n, const double *price, const double *strike,
                               const double *years, double rate,
                               double volatility, double *call, double *put) {
  xcc::launch({{(n + 255) / 256}, {256}}, blackScholesDoubleKernel, n, price,
              strike, years, rate, volatility, call, put);
}
