// Threads that have no element leave before their warp works together: those that
// stay read each other's values and are counted, whichever lanes of a warp they
// are, whether warps are whole or not.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
#include <xcc/xcc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

using xcc::block_dim, xcc::block_idx, xcc::thread_idx;
static unsigned lanes() { return xcc::warp_size(); }

// Sums of all lanes up to one's own, and of all that are there.
static void sums(int n, const int *in, int *out) {
  const int i = block_idx().x * block_dim().x + thread_idx().x;
  const unsigned lane = thread_idx().x % lanes();
  if (i >= n)
    return;
  int v = in[i];
  for (unsigned d = 1; d < lanes(); d *= 2) {
    const int other = xcc::shuffle_up(v, d);
    if (lane >= d)
      v += other;
  }
  out[i] = v;
}
// Those that are odd, close to each other.
static void odd(unsigned n, const int *in, int *out) {
  const unsigned i = xcc::global_id();
  if (i < n) {
    const unsigned lane = thread_idx().x % lanes();
    const int v = in[i];
    const std::uint64_t which = xcc::ballot(v & 1);
    const unsigned before = std::popcount(which & ((1ull << lane) - 1));
    if (v & 1)
      out[i - lane + before] = v;
  }
}
// Neither the first elements nor the last.
static void middle(int first, int last, const int *in, int *out) {
  const int i = block_idx().x * block_dim().x + thread_idx().x;
  if (i < first)
    return;
  if (i > last)
    return;
  const std::uint64_t there = xcc::ballot(true);
  const unsigned least = std::countr_zero(there);
  out[i] = xcc::shuffle(in[i], least) * 100 + std::popcount(there);
}
// Loops of lanes, and what one of them writes.
static void groups(int n, int turns, const int *in, int *out) {
  const int i = block_idx().x * block_dim().x + thread_idx().x;
  const unsigned lane = thread_idx().x % lanes();
  if (i >= n || turns < 1)
    return;
  int sum = 0;
  for (int k = 0; k < turns; ++k) {
    const std::uint64_t same = xcc::match_any(in[i] % (k + 2)).bits;
    sum += std::popcount(same & ((2ull << lane) - 1));
  }
  if (lane == 0)
    out[i] = sum + 1000;
  else
    out[i] = sum;
}
// Rows of threads: x leaves, y does.
static void rows(int width, int height, const int *in, int *out) {
  const int x = block_idx().x * block_dim().x + thread_idx().x;
  const int y = block_idx().y * block_dim().y + thread_idx().y;
  if (x >= width || y >= height)
    return;
  const int i = y * width + x;
  const std::uint64_t there = xcc::ballot(in[i] >= 0);
  out[i] = std::popcount(there) + 100 * xcc::shuffle_xor(in[i], 0);
}
// What all have that are there, and the others do not: from memory, and as an argument.
static void counted(int n, const int *in, int *out) {
  const int i = block_idx().x * block_dim().x + thread_idx().x;
  if (i >= n)
    return;
  const int base = in[block_idx().x % 3] * 5;
  out[i] = base + std::popcount(xcc::ballot(i & 1));
}
struct Given {
  int scale;
  short offset;
  unsigned char step;
};
static void given(unsigned n, Given all, const int *in, int *out) {
  const unsigned i = block_idx().x * block_dim().x + thread_idx().x;
  if (i >= n)
    return;
  const Given own = all;
  const std::uint64_t there = xcc::ballot(true);
  out[i] = in[i] * own.step + own.offset + (there ? own.scale : 0);
}
// A value that the first threads have before a barrier of the block, and after it.
static void found(int n, const int *in, int *out) {
  const int i = block_idx().x * block_dim().x + thread_idx().x;
  int base;
  if (i < n)
    base = in[block_idx().x % 3];
  xcc::sync_block();
  if (i < n)
    out[i] = base * 3 + int(thread_idx().x);
}

static int failures = 0;
static void expect(const char *what, int n, unsigned block, bool good) {
  if (!good)
    std::printf("wrong: %s, %d in blocks of %u\n", what, n, block);
  failures += !good;
}

int main() {
  const int warp = xcc::device::current().warp_size();
  const int all = 6 * warp;
  std::vector<int> x(all);
  for (int i = 0; i < all; ++i)
    x[i] = i * 37 % 101;
  xcc::buffer<int> in(x), out(all);
  for (const int block : {warp, 3 * warp, warp + 5})
    for (const int n : {0, 1, warp - 1, warp, warp + 1, 2 * warp, 3 * warp + 7, all - 1, all}) {
      const unsigned grid = (all + block - 1) / block;
      auto run = [&]<auto kernel>(auto... arguments) {
        out.fill(-1);
        xcc::launch({{grid}, {unsigned(block)}}, kernel, arguments..., in.data(), out.data());
        return out.to_vector();
      };
      // The threads of i's warp start at the block's begin and each warp after.
      auto first = [&](int i) { return i - i % block % warp; };
      auto end = [&](int i, int last) {
        return std::min({first(i) + warp, i - i % block + block, last});
      };

      auto y = run.operator()<sums>(n);
      bool good = true;
      for (int i = 0, sum = 0; i < all; ++i) {
        sum = (i == first(i) ? 0 : sum) + x[i];
        good &= y[i] == (i < n ? sum : -1);
      }
      expect("sums", n, block, good);

      y = run.operator()<odd>(unsigned(n));
      std::vector<int> z(all, -1);
      for (int i = 0, at = 0; i < n; ++i) {
        at = i == first(i) ? i : at;
        if (x[i] & 1)
          z[at++] = x[i];
      }
      expect("odd", n, block, y == z);

      y = run.operator()<middle>(5, n - 2);
      good = true;
      for (int i = 0; i < all; ++i) {
        const int from = std::max(first(i), 5);
        const int want = x[from] * 100 + end(i, n - 1) - from;
        good &= y[i] == (i >= 5 && i <= n - 2 ? want : -1);
      }
      expect("middle", n, block, good);

      y = run.operator()<groups>(n, 3);
      good = true;
      for (int i = 0; i < all; ++i) {
        int sum = 0;
        for (int k = 0; k < 3; ++k)
          for (int j = first(i); j <= i; ++j)
            sum += x[j] % (k + 2) == x[i] % (k + 2);
        good &= y[i] == (i < n ? sum + (i == first(i) ? 1000 : 0) : -1);
      }
      expect("groups", n, block, good);

      y = run.operator()<counted>(n);
      good = true;
      for (int i = 0; i < all; ++i) {
        int sum = x[i / block % 3] * 5;
        for (int j = first(i); j < end(i, n); ++j)
          sum += j & 1;
        good &= y[i] == (i < n ? sum : -1);
      }
      expect("counted", n, block, good);

      y = run.operator()<given>(unsigned(n), Given{7, -300, 200});
      good = true;
      for (int i = 0; i < all; ++i)
        good &= y[i] == (i < n ? x[i] * 200 - 293 : -1);
      expect("given", n, block, good);

      y = run.operator()<found>(n);
      good = true;
      for (int i = 0; i < all; ++i)
        good &= y[i] == (i < n ? x[i / block % 3] * 3 + i % block : -1);
      expect("found", n, block, good);
    }
  // Two rows of threads are in one warp where the rows are short.
  for (const int width : {1, warp - 3, warp, 2 * warp + 1})
    for (const int height : {1, 2, 5}) {
      xcc::buffer<int> to(width * height), from(width * height);
      from.fill(3);
      to.fill(-1);
      xcc::launch({{3, 3}, {unsigned(warp), 2}}, rows, width, height, from.data(), to.data());
      const std::vector<int> y = to.to_vector();
      bool good = true;
      for (int i = 0; i < width * height; ++i) {
        const int at = i % width / warp * warp;
        good &= y[i] == 300 + std::min(warp, width - at);
      }
      expect("rows", width, height, good);
    }
  std::puts(failures ? "failed" : "good"); // CHECK: good
}
