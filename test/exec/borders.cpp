// Indices that leave out a border of the data, computed with signs and without: stencils whose threads walk along a column.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

using xcc::block_dim, xcc::block_idx, xcc::thread_idx;

/// All but the outermost of n x n x n, the border added to an unsigned index.
void inner(int n, const int *a, int *b) {
  int x = block_idx().x * block_dim().x + thread_idx().x + 1;
  int y = block_idx().y * block_dim().y + thread_idx().y + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  for (int z = 1; z < n - 1; ++z) {
    int i = (z * n + y) * n + x;
    b[i] = a[i] * 3 + a[i - 1] - a[i + 1] + a[i - n] - a[i + n] + a[i - n * n] - a[i + n * n];
  }
}
/// The same by threads that begin before the data: those below 1 leave.
void from_below(int n, const int *a, int *b) {
  int x = block_idx().x * block_dim().x + thread_idx().x - 2;
  int y = thread_idx().y + block_idx().y * block_dim().y - 3;
  if (x < 1 || y < 1 || x > n - 2 || y > n - 2)
    return;
  for (int z = 1; z < n - 1; ++z) {
    int i = (z * n + y) * n + x;
    b[i] = a[i] * 3 + a[i - 1] - a[i + 1] + a[i - n] - a[i + n] + a[i - n * n] - a[i + n * n];
  }
}
/// Unsigned numbers below 0 are large.
void wrapped(int n, const int *a, int *b) {
  unsigned x = block_idx().x * block_dim().x + thread_idx().x - 1;
  if (x < unsigned(n))
    b[x] = a[x] + int(x);
}
/// So are those above the largest int, to which an argument leads.
void beyond(int n, int from, int *b) {
  int x = block_idx().x * block_dim().x + thread_idx().x + from;
  if (x < n)
    b[block_idx().x * block_dim().x + thread_idx().x] = x;
}

static int expected(int n, const std::vector<int> &a, int x, int y, int z) {
  if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2 || z > n - 2)
    return -1;
  auto at = [&](int p, int q, int r) { return a[(r * n + q) * n + p]; };
  return at(x, y, z) * 3 + at(x - 1, y, z) - at(x + 1, y, z) + at(x, y - 1, z) - at(x, y + 1, z) + at(x, y, z - 1) -
         at(x, y, z + 1);
}

int main() {
  int wrong = 0;
  for (int n : {1, 2, 3, 5, 18, 35}) {
    std::vector<int> a(n * n * n), b, c;
    for (int i = 0; i < n * n * n; ++i)
      a[i] = i * 7919 % 1000;
    for (xcc::dim3 block : {xcc::dim3(16, 4), xcc::dim3(32, 8), xcc::dim3(5, 3), xcc::dim3(64)}) {
      xcc::dim3 grid((n + block.x + 3) / block.x, (n + block.y + 3) / block.y);
      b.assign(a.size(), -1), c = b;
      const xcc::buffer<int> from(a), to(b), other(c);
      xcc::launch({grid, block}, inner, n, from, to);
      xcc::launch({grid, block}, from_below, n, from, other);
      to.copy_to(b);
      other.copy_to(c);
      for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
          for (int x = 0; x < n; ++x) {
            const int i = (z * n + y) * n + x, is = expected(n, a, x, y, z);
            wrong += (b[i] != is) + (c[i] != is);
          }
    }
    b.assign(n + 70, -1);
    const xcc::buffer<int> from(a), to(b);
    xcc::launch({{2}, {64}}, wrapped, n, from, to);
    to.copy_to(b);
    for (int i = 0; i < int(b.size()); ++i)
      wrong += b[i] != (i < n ? a[i] + i : -1);
  }
  std::vector<int> b(128, 1);
  const int from = 0x7fffffff - 40;
  const xcc::buffer<int> to(b);
  xcc::launch({{2}, {64}}, beyond, from + 7, from, to);
  to.copy_to(b);
  for (int i = 0; i < 128; ++i)
    wrong += b[i] != (i < 7 || i > 40 ? int(unsigned(from) + unsigned(i)) : 1);
  std::printf("%d wrong\n", wrong); // CHECK: {{^}}0 wrong
}
