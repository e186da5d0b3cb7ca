// Threads that work together in warps, in blocks of every shape: a warp for
// each row, sums of a block by its warps, loops by the lane. Each does what the
// threads would do alone, whether a row of the block is a number of whole warps
// or not.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

using Numbers = std::vector<int>;
using xcc::block_dim, xcc::block_idx, xcc::grid_dim, xcc::thread_idx;

// What is an AMD GPU's is 64, and fewer threads than that are one warp too.
static unsigned lanes() { return xcc::warp_size(); }
static unsigned linear() {
  return thread_idx().x +
         block_dim().x * (thread_idx().y + block_dim().y * thread_idx().z);
}
static unsigned threads() { return block_dim().x * block_dim().y * block_dim().z; }

static int warp_sum(int v) {
  for (unsigned d = lanes() / 2; d > 0; d /= 2)
    v += xcc::shuffle_xor(v, d);
  return v;
}
static int warp_down(int v) {
  for (unsigned d = lanes() / 2; d > 0; d /= 2)
    v += xcc::shuffle_down(v, d);
  return v;
}

// A warp for each row, of whole warps.
static void rows(int count, int width, const Numbers &xs, Numbers &ys) {
  const int *x = xs.data();
  int *y = ys.data();
  const int row = (block_idx().x * block_dim().x + thread_idx().x) / int(lanes());
  const int lane = thread_idx().x % lanes();
  if (row >= count)
    return;
  int sum = 0;
  for (int i = lane; i < width; i += lanes())
    sum += x[row * width + i];
  sum = warp_down(sum);
  if (lane == 0)
    y[row] = sum;
}
// The rows by the size of the grid, of which each is divided by its greatest.
static void divided(int count, int width, const Numbers &xs, Numbers &ys) {
  const int *x = xs.data();
  int *y = ys.data();
  const int lane = linear() % lanes(), warps = threads() / lanes();
  for (int row = block_idx().x * warps + linear() / lanes(); row < count;
       row += warps * int(grid_dim().x)) {
    int most = 1;
    for (int i = lane; i < width; i += lanes())
      most = x[row * width + i] > most ? x[row * width + i] : most;
    for (unsigned d = lanes() / 2; d > 0; d /= 2) {
      int other = xcc::shuffle_xor(most, d);
      most = other > most ? other : most;
    }
    for (int i = lane; i < width; i += lanes())
      y[row * width + i] = x[row * width + i] * 100 / most;
  }
}
// Rows of lengths of their own.
static void sparse(int count, const Numbers &starts, const Numbers &ats, const Numbers &xs, Numbers &ys) {
  const int *start = starts.data();
  const int *at = ats.data();
  const int *x = xs.data();
  int *y = ys.data();
  const unsigned warp = block_idx().x * (threads() / lanes()) + (linear() / lanes());
  const unsigned lane = linear() % lanes();
  if (int(warp) < count) {
    int sum = 0;
    for (int j = start[warp] + lane; j < start[warp + 1]; j += lanes())
      sum += x[at[j]] * j;
    sum = warp_sum(sum);
    if (lane == 0)
      y[warp] = sum;
  }
}
// The sum of a block: of its warps, and of those by the first.
static int block_sum(int v) {
  static xcc::block_shared<int[64]> sums;
  const unsigned lane = linear() % lanes(), warp = linear() / lanes();
  v = warp_down(v);
  if (lane == 0)
    sums[warp] = v;
  xcc::sync_block();
  v = linear() < (threads() + lanes() - 1) / lanes() ? sums[lane] : 0;
  if (warp == 0)
    v = warp_down(v);
  return v;
}
static void by_blocks(int, int width, const Numbers &xs, Numbers &ys) {
  const int *x = xs.data();
  int *y = ys.data();
  int sum = 0;
  for (unsigned i = linear(); i < unsigned(width); i += threads())
    sum += x[block_idx().x * width + i];
  sum = block_sum(sum);
  if (linear() == 0)
    y[block_idx().x] = sum;
}
// The same in one row of threads, with a bound of which the compiler knows that it
// is no more than a warp.
template <int Form> static void by_rows(int, int width, const Numbers &xs, Numbers &ys) {
  static xcc::block_shared<int[64]> sums;
  const int *x = xs.data();
  const int thread = thread_idx().x, lane = thread % int(lanes()), warp = thread / int(lanes());
  int v = 0;
  for (int i = thread; i < width; i += block_dim().x)
    v += x[block_idx().x * width + i];
  v = warp_down(v);
  if (lane == 0)
    sums[warp] = v;
  xcc::sync_block();
  const unsigned warps = block_dim().x / lanes();
  if (Form == 0)
    v = thread < int(warps) ? sums[lane] : 0;
  else if (Form == 1)
    v = thread_idx().x <= warps - 1 ? sums[thread] : 0;
  else if (Form == 2)
    v = std::size_t(thread_idx().x) < (block_dim().x + lanes() - 1) / lanes() ? sums[lane] : 0;
  else
    v = unsigned(thread) >= warps ? 0 : sums[thread];
  if (Form == 3 ? thread < int(lanes()) : warp == 0)
    v = warp_down(v);
  if (thread == 0)
    ys.data()[block_idx().x] = v;
}
// Where one warp does something else than the others, with barriers of the block
// around it.
static void parted(int turns, const Numbers &xs, Numbers &ys) {
  const int *x = xs.data();
  int *y = ys.data();
  static xcc::block_shared<int> word;
  const unsigned warp = linear() / lanes();
  int v = x[linear()], kept[3] = {1, 2, 3};
  for (int t = 0; t < turns; ++t) {
    if (warp == unsigned(t) % 2) {
      v += warp_sum(v & 15);
      kept[t % 3] += v;
    } else if (v & 1) {
      v += 3;
    }
    xcc::sync_block();
    if (linear() == unsigned(t))
      word = v;
    xcc::sync_block();
    v += word + kept[(t + 1) % 3] % 7;
  }
  y[block_idx().x * threads() + linear()] = v;
}

// A warp's number by an index of which only the launch says that it is one: of a
// size that is the program's own, which may be no number of warps, and wrap. Where
// a lane is alone it gets its own value.
template <unsigned Size, class Index> static int place(unsigned size, unsigned block, unsigned thread) {
  const Index at = Index(block * (Size ? Size : size) + thread);
  const int row = int(at / 32);
  return row == 0 ? 5 : row % 2 != 0 ? row * 3 : row < 6 ? row & -4 : -row / 2;
}
template <unsigned Size, class Index> static void places(unsigned size, const Numbers &xs, Numbers &ys) {
  const unsigned me = block_idx().x * block_dim().x + thread_idx().x;
  const Index at = Index(block_idx().x * (Size ? Size : size) + thread_idx().x);
  const int row = int(at / 32);
  int v = xs.data()[me];
  if (row == 0)
    v = xcc::shuffle(v, xcc::lane_id()) + 5;
  else if (row % 2 != 0)
    v = xcc::shuffle(v, xcc::lane_id()) + row * 3;
  else if (row < 6)
    v += row & -4;
  else
    v = xcc::shuffle(v, xcc::lane_id()) - row / 2;
  ys.data()[me] = v;
}

static int failed;
static void expect(const char *what, const std::vector<int> &got, const std::vector<int> &want,
                   const xcc::dim3 &block, int width) {
  if (got == want)
    return;
  std::printf("wrong: %s, blocks of %u x %u, %d wide\n", what, block.x, block.y, width);
  ++failed;
}

template <unsigned Size, class Index> static void places_of(const Numbers &x, unsigned size) {
  for (unsigned threads : {32u, 64u, 40u, 192u}) {
    std::vector<int> got(threads * 5), want(threads * 5);
    xcc::launch({{5}, {threads}}, places<Size, Index>, size, x, got);
    xcc::synchronize();
    for (unsigned i = 0; i < threads * 5; ++i)
      want[i] = x[i] + place<Size, Index>(size, i / threads, i % threads);
    expect("places", got, want, {threads, 1}, size ? size : Size);
  }
}

int main() {
  unsigned size = 0;
  xcc::launch({{1}, {1}}, [](unsigned &size) { size = lanes(); }, size);
  xcc::synchronize();
  const xcc::dim3 shapes[] = {{size, 1},     {size * 4, 1}, {size * 2 + 8, 1}, {size, 4},
                              {size * 2, 2}, {8, 8},        {16, 16}};
  std::vector<int> x(8192);
  for (unsigned i = 0; i < x.size(); ++i)
    x[i] = i * 37 % 101;
  for (unsigned own : {0u, 32u, 64u, 7u, 48u, 1u << 29, 1u << 30, ~0u, ~31u}) {
    places_of<0, int>(x, own);
    places_of<0, unsigned>(x, own);
    places_of<0, long>(x, own);
  }
  places_of<64, int>(x, 0);
  places_of<64, unsigned>(x, 0);
  places_of<1u << 30, int>(x, 0);
  places_of<48, int>(x, 0);
  for (const xcc::dim3 &block : shapes) {
    const unsigned all = block.x * block.y;
    const bool whole = all % size == 0;
    const unsigned warps = all / size;
    for (int width : {0, 1, 31, 32, 100, 257}) {
      const int count = 19;
      std::vector<int> sums(count), ratios(count * width), zero(count), filled(count * width);
      for (int r = 0; r < count; ++r) {
        int most = 1;
        for (int i = 0; i < width; ++i) {
          sums[r] += x[r * width + i];
          most = x[r * width + i] > most ? x[r * width + i] : most;
        }
        for (int i = 0; i < width; ++i)
          ratios[r * width + i] = x[r * width + i] * 100 / most;
      }
      const xcc::dim3 blocks((count + warps - 1) / warps);
      std::vector<int> y = zero;
      if (whole && block.y == 1) {
        xcc::launch({blocks, block}, rows, count, width, x, y);
        xcc::synchronize();
        expect("rows", y, sums, block, width);
        auto sum_rows = [&](auto kernel) {
          y = zero;
          kernel();
          xcc::synchronize();
          expect("by rows", y, sums, block, width);
        };
        sum_rows([&] { xcc::launch({{unsigned(count)}, block}, by_rows<0>, count, width, x, y); });
        sum_rows([&] { xcc::launch({{unsigned(count)}, block}, by_rows<1>, count, width, x, y); });
        sum_rows([&] { xcc::launch({{unsigned(count)}, block}, by_rows<2>, count, width, x, y); });
        sum_rows([&] { xcc::launch({{unsigned(count)}, block}, by_rows<3>, count, width, x, y); });
      }
      if (whole) {
        y = filled;
        xcc::launch({{2}, block}, divided, count, width, x, y);
        xcc::synchronize();
        expect("divided", y, ratios, block, width);
        std::vector<int> start(count + 1), at(count * 60), want(count);
        for (int r = 0; r < count; ++r)
          start[r + 1] = start[r] + (r * 7 + width) % 60;
        for (unsigned j = 0; j < at.size(); ++j)
          at[j] = j * 53 % 1000;
        for (int r = 0; r < count; ++r)
          for (int j = start[r]; j < start[r + 1]; ++j)
            want[r] += x[at[j]] * j;
        y = zero;
        xcc::launch({blocks, block}, sparse, count, start, at, x, y);
        xcc::synchronize();
        expect("sparse", y, want, block, width);
        y = zero;
        xcc::launch({{unsigned(count)}, block}, by_blocks, count, width, x, y);
        xcc::synchronize();
        expect("by blocks", y, sums, block, width);
      }
    }
    // Every form of a kernel against the host's threads, one after the other.
    if (whole)
      for (int turns : {0, 1, 4}) {
        std::vector<int> got(all), want(all), kept(all * 3);
        xcc::launch({{1}, block}, parted, turns, x, got);
        xcc::synchronize();
        for (unsigned i = 0; i < all; ++i) {
          want[i] = x[i];
          for (int k = 0; k < 3; ++k)
            kept[i * 3 + k] = k + 1;
        }
        for (int t = 0; t < turns; ++t) {
          std::vector<int> sum(warps + 1);
          for (unsigned i = 0; i < all; ++i)
            sum[i / size] += want[i] & 15;
          for (unsigned i = 0; i < all; ++i)
            if (i / size == unsigned(t) % 2) {
              want[i] += sum[i / size];
              kept[i * 3 + t % 3] += want[i];
            } else if (want[i] & 1) {
              want[i] += 3;
            }
          const int word = want[t];
          for (unsigned i = 0; i < all; ++i)
            want[i] += word + kept[i * 3 + (t + 1) % 3] % 7;
        }
        expect("parted", got, want, block, turns);
      }
  }
  std::puts(failed ? "failed" : "all as alone"); // CHECK: all as alone
}
