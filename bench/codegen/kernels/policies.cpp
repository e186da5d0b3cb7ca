// A functor made of policies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "policies.h"
#include <xcc/xcc.h>

template <class F> static void policiesKernel(int n, F body) {
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
       i < n; i += xcc::grid_dim().x * xcc::block_dim().x)
    body(i);
}

void suite::policies(int n, float scale, float low, float high, const float *a,
                     const float *b, float *out) {
  xcc::launch({{(n + 1023) / 1024}, {256}}, policiesKernel<Policies>, n,
              makePolicies(scale, low, high, a, b, out));
}
