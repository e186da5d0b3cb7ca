// Kernels whose threads have loops of their own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread leaves its loop at its own iteration. Prints, for each kernel, the
// best of nine in milliseconds of processor time, and a checksum that has to be
// the same however the kernels were compiled:
//
//   xcc -std=c++20 -O3 own_loops.cpp -o vectors
//   xcc -std=c++20 -O3 own_loops.cpp -o alone -mllvm -xcc-simd=off
//   for i in 1 2 3; do
//     XCC_CPU_THREADS=1 ./alone; XCC_CPU_THREADS=1 ./vectors
//   done

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <time.h>
#include <vector>
#include <xcc/xcc.h>

using u32 = std::uint32_t;

constexpr int Count = 1 << 18, Side = 512;

static void mandelbrot(int most, int *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  const float cx = -2 + 3.0f * (i % Side) / Side;
  const float cy = -1.5f + 3.0f * (i / Side) / Side;
  float x = 0, y = 0;
  int k = 0;
  for (; k < most; ++k) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  out[i] = k;
}

static void collatz(int *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  u32 v = i + 1, steps = 0;
  for (; v != 1; ++steps)
    v = v & 1 ? 3 * v + 1 : v / 2;
  out[i] = int(steps);
}

static void newton(const float *a, float *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  float x = a[i] * 0.5f + 0.5f;
  for (int k = 0; k < 50; ++k) {
    const float next = 0.5f * (x + a[i] / x);
    const bool close = std::fabs(next - x) < 1e-6f * x;
    x = next;
    if (close)
      break;
  }
  out[i] = x;
}

static void search(int size, const int *keys, const int *wanted, int *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  int low = 0, high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (keys[middle] < wanted[i])
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

static void march(float *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  float dx = (i % Side - Side / 2) / float(Side);
  float dy = (i / Side - Side / 2) / float(Side);
  const float inverse = 1 / std::sqrt(dx * dx + dy * dy + 1);
  dx *= inverse;
  dy *= inverse;
  float t = 0;
  for (int k = 0; k < 64; ++k) {
    const float x = dx * t, y = dy * t, z = inverse * t - 4;
    const float ring = std::sqrt(x * x + z * z) - 1.5f;
    const float d = std::min(std::sqrt(ring * ring + y * y) - 0.5f, y + 1.5f);
    if (d < 0.001f || t > 20)
      break;
    t += d;
  }
  out[i] = t;
}

static void bisect(const float *a, float *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  float low = 0, high = 4;
  for (int k = 0; k < 40 && high - low > 1e-5f; ++k) {
    const float middle = 0.5f * (low + high);
    if (middle * middle * middle < a[i] + 1)
      low = middle;
    else
      high = middle;
  }
  out[i] = low;
}

// Threads of which few have much to do: vectors lose, and must notice.
static void uneven(float *out) {
  const int i = int(xcc::global_id());
  if (i >= Count)
    return;
  float s = 1;
  for (int k = 0, most = i % 64 == 0 ? 2000 : 3; k < most; ++k)
    s = s * 0.999f + 0.5f;
  out[i] = s;
}

static void columns(int rows, const float *a, int *out) {
  const int i = int(xcc::global_id());
  if (i >= 4096)
    return;
  float sum = 0;
  int k = 0;
  for (; k < rows; ++k) {
    sum += a[k * 4096 + i];
    if (sum > 20)
      break;
  }
  out[i] = k;
}

// An index of 32 bits goes on from plane to plane, with three planes at hand.
static void volume(int w, int h, int d, const float *a, float *out) {
  const int x = int(xcc::block_idx().x * xcc::block_dim().x +
                    xcc::thread_idx().x),
            y = int(xcc::block_idx().y * xcc::block_dim().y +
                    xcc::thread_idx().y);
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1)
    return;
  int at = y * w + x;
  float below = a[at], here = a[at + w * h];
  for (int z = 1; z < d - 1; ++z) {
    at += w * h;
    const float above = a[at + w * h];
    out[at] = below + above + a[at - 1] + a[at + 1] + a[at - w] + a[at + w] -
              6 * here;
    below = here;
    here = above;
  }
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

template <class Launch, class T>
static void measure(const char *name, const std::vector<T> &out, Launch run) {
  double best = 1e9;
  for (int k = 0; k < 10; ++k) {
    const double start = now();
    run();
    xcc::synchronize();
    if (k != 0)
      best = std::min(best, now() - start);
  }
  u32 sum = 1;
  for (const T &v : out) {
    u32 bits;
    std::memcpy(&bits, &v, sizeof bits);
    sum = sum * 31 + bits;
  }
  std::printf("%-12s %9.3f  %08x\n", name, best, sum);
}

int main() {
  u32 seed = 12345;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  std::vector<float> a(1 << 20), reals(Count);
  std::vector<int> keys(1 << 16), wanted(Count), ints(Count);
  for (float &v : a)
    v = random() % 1000 * 0.001f;
  for (std::size_t i = 0; i != keys.size(); ++i)
    keys[i] = 3 * int(i);
  for (int &v : wanted)
    v = int(random() % (3u << 16));
  const xcc::launch_config all = {{Count / 256}, {256}};
  float *r = reals.data();
  int *n = ints.data();
  const float *in = a.data();
  measure("mandelbrot", ints, [&] { xcc::launch(all, mandelbrot, 256, n); });
  measure("collatz", ints, [&] { xcc::launch(all, collatz, n); });
  measure("newton", reals, [&] { xcc::launch(all, newton, in, r); });
  const int size = int(keys.size());
  measure("search", ints, [&] {
    xcc::launch(all, search, size, keys.data(), wanted.data(), n);
  });
  measure("march", reals, [&] { xcc::launch(all, march, r); });
  measure("bisect", reals, [&] { xcc::launch(all, bisect, in, r); });
  measure("uneven", reals, [&] { xcc::launch(all, uneven, r); });
  measure("volume", reals, [&] {
    xcc::launch({{4, 16}, {32, 8}}, volume, 128, 128, 16, in, r);
  });
  measure("columns", ints,
          [&] { xcc::launch({{16}, {256}}, columns, 256, in, n); });
}
