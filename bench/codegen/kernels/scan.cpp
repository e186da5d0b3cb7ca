// Prefix sums of tiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four elements in each thread; shuffles within warps, shared memory among
// them.

#include "../suite.h"
#include <xcc/xcc.h>

static int warpScan(int v) {
  int lane = xcc::lane_id();
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int below = xcc::shuffle_up(v, d);
    if (lane >= d)
      v += below;
  }
  return v;
}

static void scanKernel(const int *__restrict in, int *__restrict out,
                       int *__restrict totals) {
  static xcc::block_shared<int[suite::ScanThreads / 32]> warps;
  int t = xcc::thread_idx().x;
  int first = xcc::block_idx().x * suite::ScanTile + t * suite::ScanEach;

  int v[suite::ScanEach];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < suite::ScanEach; ++k)
    v[k] = sum += in[first + k];

  int upTo = warpScan(sum);
  if (t % 32 == 31)
    warps[t / 32] = upTo;
  xcc::sync_block();
  if (t < 32) {
    int w = warpScan(t < suite::ScanThreads / 32 ? warps[t] : 0);
    if (t < suite::ScanThreads / 32)
      warps[t] = w;
  }
  xcc::sync_block();

  int before = upTo - sum + (t < 32 ? 0 : warps[t / 32 - 1]);
#pragma unroll
  for (int k = 0; k < suite::ScanEach; ++k)
    out[first + k] = before + v[k];
  if (t == suite::ScanThreads - 1)
    totals[xcc::block_idx().x] = before + sum;
}

void suite::scan(int n, const int *in, int *out, int *totals) {
  xcc::launch({{n / ScanTile}, {ScanThreads}}, scanKernel, in, out, totals);
}
