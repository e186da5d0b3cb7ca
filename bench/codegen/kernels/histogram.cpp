// How often each byte occurs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block counts with atomics in shared memory and adds its counts once.

#include "../suite.h"
#include <atomic>
#include <xcc/xcc.h>

static void histogramKernel(int n, const std::uint8_t *__restrict text,
                            std::uint32_t *__restrict bins) {
  static xcc::block_shared<std::uint32_t[256]> local;
  int t = xcc::thread_idx().x;
  local[t] = 0;
  xcc::sync_block();
  for (int i = xcc::block_idx().x * xcc::block_dim().x + t; i < n;
       i += xcc::grid_dim().x * xcc::block_dim().x)
    std::atomic_ref(local[text[i]]).fetch_add(1, std::memory_order_relaxed);
  xcc::sync_block();
  std::atomic_ref(bins[t]).fetch_add(local[t], std::memory_order_relaxed);
}

void suite::histogram(int blocks, int n, const std::uint8_t *text,
                      std::uint32_t *bins) {
  xcc::launch({{blocks}, {256}}, histogramKernel, n, text, bins);
}
