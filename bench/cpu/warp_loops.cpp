// Warp operations in loops that lanes leave in different iterations, on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: XCC_CPU_THREADS=1 warp_loops. The least processor time of five launches, in
// microseconds, of 262,144 numbers, and a sum of the results.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>
#include <xcc/xcc.h>

static unsigned scan(unsigned x) {
  const unsigned lane = xcc::lane_id();
  for (unsigned o = 1; o < 32; o *= 2) {
    const unsigned before = xcc::shuffle_up(x, o);
    x += lane >= o ? before : 0;
  }
  return x;
}

// The last number of a row's scan.
static unsigned scanOfRow(const unsigned *row, int n) {
  unsigned carried = 0;
  for (int i = int(xcc::lane_id()); i < n; i += 32) {
    const unsigned here = carried + scan(row[i]);
    carried = xcc::shuffle(here, 31);
  }
  return carried;
}

// A row of n numbers for each of 128 warps.
static void scansOfRows(const unsigned *x, unsigned *y, int n) {
  const unsigned *row = x + xcc::global_id() / 32 * n;
  y[xcc::global_id()] = scanOfRow(row, n);
}
// The same, with a bound that is computed: LLVM counts the iterations in advance.
static void scansOfParts(const unsigned *x, unsigned *y, int all) {
  const int n = all / 128;
  const unsigned *row = x + xcc::global_id() / 32 * n;
  y[xcc::global_id()] = scanOfRow(row, n);
}
static void ballotsOfRows(const unsigned *x, unsigned *y, int n) {
  const unsigned *row = x + xcc::global_id() / 32 * n;
  unsigned count = 0;
  for (int i = int(xcc::lane_id()); i < n; i += 32)
    count += unsigned(__builtin_popcountll(xcc::ballot(row[i] % 3 == 0)));
  y[xcc::global_id()] = count;
}
static void sumsByStride(const unsigned *x, unsigned *y, int n) {
  unsigned sum = 0;
  for (int i = int(xcc::global_id()); i < n; i += int(xcc::global_size())) {
    unsigned all = x[i];
    for (unsigned o = 16; o > 0; o /= 2)
      all += xcc::shuffle_down(all, o);
    sum += all;
  }
  y[xcc::global_id()] = sum;
}
static void ballotsByStride(const unsigned *x, unsigned *y, int n) {
  unsigned count = 0;
  for (int i = int(xcc::global_id()); i < n; i += int(xcc::global_size()))
    count += unsigned(__builtin_popcountll(xcc::ballot(x[i] % 3 == 0)));
  y[xcc::global_id()] = count;
}

static double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) * 1e-3;
}

template <auto Kernel>
void measure(const char *name, const std::vector<unsigned> &x, int n) {
  std::vector<unsigned> y(4096);
  double least = 1e300;
  for (int turn = 0; turn < 5; ++turn) {
    const double begin = processorTime();
    xcc::launch({{16}, {256}}, Kernel, x.data(), y.data(), n);
    xcc::synchronize();
    least = std::min(least, processorTime() - begin);
  }
  unsigned sum = 0;
  for (unsigned each : y)
    sum = sum * 31 + each;
  std::printf("%-18s %9.0f us, %08x\n", name, least, sum);
}

int main() {
  std::vector<unsigned> x(1 << 18);
  for (unsigned i = 0; i < x.size(); ++i)
    x[i] = i * 2654435761u >> 20;
  measure<scansOfRows>("scans of rows", x, 2048);
  measure<scansOfParts>("scans of parts", x, 1 << 18);
  measure<ballotsOfRows>("ballots of rows", x, 2048);
  measure<sumsByStride>("sums by stride", x, 1 << 18);
  measure<ballotsByStride>("ballots by stride", x, 1 << 18);
}
