// What kernels are made of in practice: scans, sorting in shared memory, a
// transposition, a stencil with borders, sums by warps, what the last block does.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <algorithm>
#include <atomic>
#include <numeric>

constexpr unsigned n = 256;

int input(std::size_t i) { return int(i * 2654435761u >> 20) % 1000; }

// Hillis and Steele: each step adds what is `step` to the left.
void scan(const int *in, int *out) {
  static xcc::block_shared<int[2][n]> buffer;
  const unsigned t = xcc::thread_idx().x, i = xcc::global_id();
  int from = 0;
  buffer[from][t] = in[i];
  for (unsigned step = 1; step < n; step *= 2) {
    xcc::sync_block();
    buffer[1 - from][t] =
        buffer[from][t] + (t >= step ? buffer[from][t - step] : 0);
    from = 1 - from;
  }
  out[i] = buffer[from][t];
}

// Blelloch: up the tree and down again; busy threads change from step to step.
void tree_scan(const int *in, int *out) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x, i = xcc::global_id();
  a[t] = in[i];
  unsigned offset = 1;
  for (unsigned d = n / 2; d > 0; d /= 2, offset *= 2) {
    xcc::sync_block();
    if (t < d)
      a[offset * (2 * t + 2) - 1] += a[offset * (2 * t + 1) - 1];
  }
  if (t == 0)
    a[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    offset /= 2;
    xcc::sync_block();
    if (t < d) {
      const unsigned left = offset * (2 * t + 1) - 1, right = left + offset;
      const int old = a[left];
      a[left] = a[right];
      a[right] += old;
    }
  }
  xcc::sync_block();
  out[i] = a[t] + in[i];
}

void bitonic_sort(const int *in, int *out) {
  int *a = xcc::dynamic_shared<int>();
  const unsigned t = xcc::thread_idx().x, i = xcc::global_id();
  a[t] = in[i];
  xcc::sync_block();
  for (unsigned size = 2; size <= n; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = t ^ stride;
      if (other > t && (a[t] > a[other]) == ((t & size) == 0))
        std::swap(a[t], a[other]);
      xcc::sync_block();
    }
  out[i] = a[t];
}

void transpose(const int *in, int *out, unsigned width, unsigned height) {
  static xcc::block_shared<int[16][17]> tile;
  const auto [tx, ty, tz] = xcc::thread_idx();
  const unsigned x = xcc::block_idx().x * 16, y = xcc::block_idx().y * 16;
  for (unsigned row = ty; row < 16; row += 4)
    if (x + tx < width && y + row < height)
      tile[row][tx] = in[(y + row) * width + x + tx];
  xcc::sync_block();
  for (unsigned row = ty; row < 16; row += 4)
    if (y + tx < height && x + row < width)
      out[(x + row) * height + y + tx] = tile[tx][row];
}

void stencil(const int *in, int *out, unsigned count) {
  static xcc::block_shared<int[n + 2]> a;
  const unsigned t = xcc::thread_idx().x, i = xcc::global_id();
  if (i < count)
    a[t + 1] = in[i];
  if (t == 0)
    a[0] = i > 0 ? in[i - 1] : 0;
  if (t == n - 1 || i == count - 1)
    a[t + 2] = i + 1 < count ? in[i + 1] : 0;
  xcc::sync_block();
  if (i < count)
    out[i] = a[t] - 2 * a[t + 1] + a[t + 2];
}

// Sums by warps, then of the warps; the last block to end adds up the blocks.
void sum(const int *in, int *partial, unsigned *done, int *out) {
  static xcc::block_shared<int[n / 32]> warps;
  static xcc::block_shared<bool> last;
  const unsigned t = xcc::thread_idx().x;
  int mine = in[xcc::global_id()];
  for (unsigned step = 16; step > 0; step /= 2)
    mine += xcc::shuffle_down(mine, step);
  if (xcc::lane_id() == 0)
    warps[t / 32] = mine;
  xcc::sync_block();
  if (t == 0) {
    int total = 0;
    for (int w : warps.get())
      total += w;
    partial[xcc::block_idx().x] = total;
    last = std::atomic_ref(*done).fetch_add(1) == xcc::grid_dim().x - 1;
  }
  xcc::sync_block();
  if (last && t == 0)
    *out = std::accumulate(partial, partial + xcc::grid_dim().x, 0);
}

int main() {
  constexpr unsigned blocks = 20, count = blocks * n;
  std::vector<int> in(count), out(count), expected(count);
  for (unsigned i = 0; i < count; ++i)
    in[i] = input(i);
  xcc::buffer<int> device_in(count), device_out(count), partial(blocks);
  device_in.copy_from(in.data(), count);
  auto compare = [&](const char *what) {
    device_out.copy_to(out.data(), count);
    std::printf("%s: %s\n", what, out == expected ? "right" : "WRONG");
    device_out.fill(0);
  };

  for (unsigned b = 0; b < blocks; ++b)
    std::partial_sum(&in[b * n], &in[b * n] + n, &expected[b * n]);
  xcc::launch({{blocks}, {n}}, scan, device_in.data(), device_out.data());
  compare("scan"); // CHECK: scan: right
  xcc::launch({{blocks}, {n}}, tree_scan, device_in.data(), device_out.data());
  compare("scan by a tree"); // CHECK: scan by a tree: right

  expected = in;
  for (unsigned b = 0; b < blocks; ++b)
    std::sort(&expected[b * n], &expected[b * n] + n);
  xcc::launch({{blocks}, {n}, n * sizeof(int)}, bitonic_sort, device_in.data(),
              device_out.data());
  compare("sort"); // CHECK: sort: right

  const unsigned width = 100, height = 51;
  std::fill(expected.begin(), expected.end(), 0);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      expected[x * height + y] = in[y * width + x];
  xcc::launch({{(width + 15) / 16, (height + 15) / 16}, {16, 4}}, transpose,
              device_in.data(), device_out.data(), width, height);
  compare("transpose"); // CHECK: transpose: right

  const unsigned some = count - 100;
  std::fill(expected.begin(), expected.end(), 0);
  for (unsigned i = 0; i < some; ++i)
    expected[i] = (i ? in[i - 1] : 0) - 2 * in[i] +
                  (i + 1 < some ? in[i + 1] : 0);
  xcc::launch({{blocks}, {n}}, stencil, device_in.data(), device_out.data(),
              some);
  compare("stencil"); // CHECK: stencil: right

  std::fill(expected.begin(), expected.end(), 0);
  expected[0] = std::accumulate(in.begin(), in.end(), 0);
  xcc::buffer<unsigned> done(1);
  done.fill(0);
  xcc::launch({{blocks}, {n}}, sum, device_in.data(), partial.data(),
              done.data(), device_out.data());
  compare("sum"); // CHECK: sum: right
}
