// Code under guards that some threads of a block pass: ranges, single threads, multiples, indices that wrap, borders of tiles. And warps that part after a barrier.
// RUN: %xcc -std=c++20 -O3 -march=native -Rpass-missed=xcc-block %s -o %t 2> %t.log && %t | FileCheck %s
// RUN: FileCheck --check-prefix=FIBERS --allow-empty --input-file=%t.log %s
// FIBERS-NOT: runs as a fiber:
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>
#include <xcc/xcc.h>

using xcc::block_dim, xcc::block_idx, xcc::block_shared, xcc::sync_block, xcc::thread_idx;

constexpr int Threads = 96, Blocks = 5, Guards = 13, Rounds = 9;

/// Arithmetic of 32 bits that wraps.
template <class T> T add(T x, T y) { return T(unsigned(x) + unsigned(y)); }
template <class T> T times(T x, T y) { return T(unsigned(x) * unsigned(y)); }

template <int Guard, class Index> bool passes(Index i, Index a, Index b) {
  switch (Guard) {
  case 0: return i < a;
  case 1: return i <= a;
  case 2: return i > a;
  case 3: return i >= a && i < b;
  case 4: return i == a;
  case 5: return i == a || i == b;
  case 6: return times(i, a) < b;
  case 7: return add(times(i, a), Index(5)) <= b;
  case 8: return i % 16 == 0;
  case 9: return add(a, Index(-i)) > b;
  case 10: return i != a && add(i, Index(3)) == b;
  case 11: return !(i > a || a > b);
  default: return times(i, i) < b;
  }
}

/// The numbers that a guard compares with, by the round: small, large, and below zero as an int.
template <class Index> Index boundOf(int round) {
  const unsigned bounds[] = {3, 0, 31, 95, 96, 200, ~0u, 1u << 31, (1u << 31) - 1};
  return Index(bounds[round]);
}

/// In rounds between barriers threads that pass do something, alone (\p Alone) or besides what all do.
template <int Guard, class Index, bool Alone> void rounds(int *out) {
  static block_shared<int[Threads]> part;
  const Index i = Index(thread_idx().x);
  part[i] = int(i);
  for (int a = 0; a < Rounds; ++a)
    for (int b = 0; b < Rounds; b += 2) {
      sync_block();
      if (!Alone)
        out[block_idx().x * Threads + i] += part[i];
      if (passes<Guard>(i, boundOf<Index>(a), boundOf<Index>(b)))
        part[i] = part[i] * 3 + a + b;
    }
  sync_block();
  out[block_idx().x * Threads + i] += part[i];
}

template <int Guard, class Index, bool Alone> bool isWrong() {
  std::vector<int> out(Threads * Blocks);
  xcc::launch({{Blocks}, {Threads}}, rounds<Guard, Index, Alone>, out.data());
  xcc::synchronize();
  for (int i = 0; i < Threads; ++i) {
    unsigned part = unsigned(i), sum = 0;
    for (int a = 0; a < Rounds; ++a)
      for (int b = 0; b < Rounds; b += 2) {
        if (!Alone)
          sum += part;
        if (passes<Guard>(Index(i), boundOf<Index>(a), boundOf<Index>(b)))
          part = part * 3 + unsigned(a + b);
      }
    sum += part;
    for (int block = 0; block < Blocks; ++block)
      if (unsigned(out[block * Threads + i]) != sum)
        return true;
  }
  return false;
}

template <int Guard> int wrongOf() {
  int wrong = isWrong<Guard, int, true>() + isWrong<Guard, unsigned, Guard % 2 == 0>();
  if constexpr (Guard + 1 < Guards)
    wrong += wrongOf<Guard + 1>();
  return wrong;
}

/// A tile with its border, in blocks of any size; at the edges of the grid there is none.
template <int Width, int Height> void smooth(int w, int h, const int *in, int *out) {
  static block_shared<int[Height + 2][Width + 2]> tile;
  const int tx = int(thread_idx().x), ty = int(thread_idx().y);
  const int x = int(block_idx().x) * Width + tx, y = int(block_idx().y) * Height + ty;
  const int i = std::min(y, h - 1) * w + std::min(x, w - 1);
  tile[ty + 1][tx + 1] = in[i];
  if (tx == 0)
    tile[ty + 1][0] = x > 0 ? in[i - 1] : 0;
  if (tx == Width - 1)
    tile[ty + 1][Width + 1] = x < w - 1 ? in[i + 1] : 0;
  if (ty == 0 && y > 0)
    tile[0][tx + 1] = in[i - w];
  if (ty == int(block_dim().y) - 1 && y < h - 1)
    tile[Height + 1][tx + 1] = in[i + w];
  sync_block();
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = tile[ty + 1][tx] + 2 * tile[ty + 1][tx + 2] + 4 * tile[ty][tx + 1] + 8 * tile[ty + 2][tx + 1];
}

template <int Width, int Height> bool smoothIsWrong(int w, int h) {
  std::vector<int> in(w * h), out(w * h);
  for (int i = 0; i < w * h; ++i)
    in[i] = i * i % 1001;
  xcc::launch({{unsigned(w + Width - 1) / Width, unsigned(h + Height - 1) / Height}, {Width, Height}},
              smooth<Width, Height>, w, h, in.data(), out.data());
  xcc::synchronize();
  bool wrong = false;
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      const int i = y * w + x;
      wrong |= out[i] != in[i - 1] + 2 * in[i + 1] + 4 * in[i - w] + 8 * in[i + w];
    }
  return wrong;
}

/// Sums of neighbours under guards of which one holds where another does: `index | 64` is a sum for who
/// passes the first of them alone. And indices with a factor that changes.
template <class T> void trees(const int *in, int *out) {
  constexpr T n = 192;
  static block_shared<int[n * 2]> part;
  const T i = T(thread_idx().y * block_dim().x + thread_idx().x);
  part[i] = in[i];
  part[i + n] = 1000;
  sync_block();
  for (T o = 1; o < n; o *= 2) {
    if (i % (2 * o) == 0 && i + o < n)
      part[i] += part[i + o];
    sync_block();
  }
  out[i] = part[i];
  sync_block();
  part[i] = in[i];
  sync_block();
  const T size = T(block_dim().x * block_dim().y);
  for (T o = 1; o < size; o *= 2) {
    if (T first = 2 * o * i; first + o < size)
      part[first] += part[first + o];
    sync_block();
  }
  out[n + i] = part[i];
}

template <class T> bool treesAreWrong() {
  constexpr int n = 192;
  std::vector<int> in(n), out(2 * n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7919 % 11;
  xcc::launch({{1}, {24, 8}}, trees<T>, in.data(), out.data());
  xcc::synchronize();
  for (int o = 1; o < n; o *= 2)
    for (int i = 0; i + o < n; i += 2 * o)
      in[i] += in[i + o];
  return !std::equal(in.begin(), in.end(), out.begin()) || !std::equal(in.begin(), in.end(), out.begin() + n);
}

/// A tile with its border, its elements counted; and in blocks as large as the tile.
template <class T> void counted(T w, T h, const int *in, int *out) {
  static block_shared<int[18][18]> tile;
  const T x0 = T(block_idx().x) * 16, y0 = T(block_idx().y) * 16;
  const T size = T(block_dim().x * block_dim().y), tx = T(thread_idx().x), ty = T(thread_idx().y);
  for (T k = ty * T(block_dim().x) + tx; k < 18 * 18; k += size) {
    const T x = x0 + k % 18 - 1, y = y0 + k / 18 - 1;
    tile[k / 18][k % 18] = x < w && y < h && x + 1 > 0 && y + 1 > 0 ? in[y * w + x] : 0;
  }
  sync_block();
  const T x = x0 + tx - 1, y = y0 + ty - 1;
  if (tx > 0 && tx < 17 && ty >= 1 && ty < 17 && x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = tile[ty][tx - 1] + 2 * tile[ty][tx + 1] + 4 * tile[ty - 1][tx] + 8 * tile[ty + 1][tx];
}

template <class T> bool countedIsWrong(int w, int h) {
  std::vector<int> in(w * h), out(w * h), expected(w * h);
  for (int i = 0; i < w * h; ++i)
    in[i] = i * i % 1001;
  xcc::launch({{unsigned(w + 15) / 16, unsigned(h + 15) / 16}, {18, 18}}, counted<T>, T(w), T(h), in.data(),
              out.data());
  xcc::synchronize();
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      const int i = y * w + x;
      expected[i] = in[i - 1] + 2 * in[i + 1] + 4 * in[i - w] + 8 * in[i + w];
    }
  return out != expected;
}

/// By warps, and then by the first of them.
void sums(const int *in, int *out) {
  static block_shared<int[32]> part;
  const int x = int(thread_idx().x), lane = x % 32, warp = x / 32;
  int v = in[xcc::global_id()];
  for (int o = 16; o > 0; o /= 2)
    v += xcc::shuffle_down(v, unsigned(o));
  if (lane == 0)
    part[warp] = v;
  sync_block();
  if (warp == 0) {
    v = lane < int(block_dim().x) / 32 ? part[lane] : 0;
    for (int o = 16; o > 0; o /= 2)
      v += xcc::shuffle_down(v, unsigned(o));
    if (lane == 0)
      out[block_idx().x] = v;
  }
}

/// Deviations of a row from its mean: threads without an element come to the barriers too.
void deviations(unsigned columns, const float *in, float *out) {
  static block_shared<float[Threads]> s;
  const unsigned x = thread_idx().x, row = block_idx().x;
  float v = 0;
  for (unsigned k = x; k < columns; k += block_dim().x)
    v += in[row * columns + k];
  s[x] = v;
  for (unsigned o = 64; o > 0; o >>= 1) {
    sync_block();
    if (x < o && x + o < Threads)
      s[x] += s[x + o];
  }
  sync_block();
  const float mean = s[0] / float(columns);
  sync_block();
  for (unsigned k = x; k < columns; k += block_dim().x)
    out[row * columns + k] = in[row * columns + k] - mean;
}

// Behind a guard `i - c` fits for the threads that are left, but not for the first one.
void lowest(int start, int c, int bound, int first, int *out) {
  const int x = int(thread_idx().x), i = start + x;
  if (i <= first || i - c >= bound)
    return;
  out[x] = i;
}
int lowestIsWrong() {
  int wrong = 0;
  for (int c : {5, -5, 0}) {
    const int least = std::numeric_limits<int>::min(), first = least + 7, bound = least + 30;
    std::vector<int> out(Threads);
    xcc::launch({{1}, {Threads}}, lowest, least, c, bound, first, out.data());
    xcc::synchronize();
    for (int x = 0; x < Threads; ++x)
      wrong += out[x] != (x > 7 && x - c < 30 ? least + x : 0);
  }
  return wrong;
}

/// A variable that only threads behind a guard set, and that the same guard reads behind a barrier.
template <class Index, int Form> void scans(const int *in, int *out) {
  static block_shared<int[Threads]> part;
  const Index i = Index(thread_idx().x), n = Index(block_dim().x);
  int outside;
  part[i] = in[block_idx().x * Threads + i];
  sync_block();
  for (Index o = 1; o < n; o *= 2) {
    int v;
    if (Form == 0 ? i >= o : Form == 1 ? !(i < o) : o <= i && i < n)
      (Form == 1 ? outside : v) = part[i - o];
    sync_block();
    if (Form == 0 ? i >= o : Form == 1 ? !(i < o) : o <= i && i < n)
      part[i] += Form == 1 ? outside : v;
    sync_block();
  }
  out[block_idx().x * Threads + i] = part[i];
}

/// The same where a later round's threads do use what an earlier one set.
void lasting(const int *in, int *out) {
  static block_shared<int[Threads]> part;
  const int i = int(thread_idx().x);
  part[i] = in[block_idx().x * Threads + i];
  sync_block();
  int v = -1;
  for (int o = 1; o < Threads; o *= 2) {
    if (i >= Threads / o)
      v = part[i - Threads / o];
    sync_block();
    if (i >= o)
      part[i] += v;
    sync_block();
  }
  out[block_idx().x * Threads + i] = part[i];
}

template <class Index, int Form> bool scansRight(const std::vector<int> &in) {
  std::vector<int> out(in.size());
  xcc::launch({{Blocks}, {Threads}}, scans<Index, Form>, in.data(), out.data());
  xcc::synchronize();
  for (int i = 0, sum = 0; i < int(in.size()); ++i) {
    sum = i % Threads ? sum + in[i] : in[i];
    if (out[i] != sum)
      return false;
  }
  return true;
}

bool lastingRight(const std::vector<int> &in) {
  std::vector<int> out(in.size()), v(in.size(), -1), part = in;
  xcc::launch({{Blocks}, {Threads}}, lasting, in.data(), out.data());
  xcc::synchronize();
  for (int o = 1; o < Threads; o *= 2) {
    for (int i = 0; i < int(in.size()); ++i)
      if (i % Threads >= Threads / o)
        v[i] = part[i - Threads / o];
    for (int i = 0; i < int(in.size()); ++i)
      if (i % Threads >= o)
        part[i] += v[i];
  }
  return out == part;
}

/// Groups of lanes with a row each, as far as there are rows.
template <int Lanes, int Form> void groups(int rows, int columns, const int *in, int *out) {
  const int thread = int(thread_idx().x), lane = thread % Lanes;
  int row = 0;
  switch (Form) {
  case 0: row = block_idx().x * (block_dim().x / Lanes) + thread / Lanes; break;
  case 1: row = int(xcc::global_id()) / Lanes; break;
  case 2: row = xcc::global_id() / Lanes; break;
  case 3: row = (block_idx().x * unsigned(Threads) + thread_idx().x) / Lanes; break;
  case 4: row = int(block_idx().x * unsigned(Threads) + thread_idx().x) / Lanes; break;
  }
  if (row < rows) {
    int sum = 0;
    for (int k = lane; k < columns; k += Lanes)
      sum += in[row * columns + k];
    for (int o = Lanes / 2; o > 0; o /= 2)
      sum += xcc::shuffle_down(sum, o, Lanes);
    if (lane == 0)
      out[row] = sum;
  }
}

template <int Lanes, int Form> bool groupsRight(const std::vector<int> &in) {
  const int most = Threads * Blocks / Lanes, columns = int(in.size()) / most;
  for (int rows : {0, 1, 3, most / 2 - 1, most - 1, most}) {
    std::vector<int> out(most, -1), want(most, -1);
    for (int row = 0; row < rows; ++row) {
      want[row] = 0;
      for (int k = 0; k < columns; ++k)
        want[row] += in[row * columns + k];
    }
    xcc::launch({{Blocks}, {Threads}}, groups<Lanes, Form>, rows, columns, in.data(), out.data());
    xcc::synchronize();
    if (out != want)
      return false;
  }
  return true;
}

/// Stores at a distance known at run time, at places whose number may wrap or count down.
template <class Index> void apart(Index start, Index step, Index bound, int *out) {
  int *own = out + block_idx().x * 256;
  const Index i = add(start, times(Index(thread_idx().x), step));
  if (i >= 0 && i < bound)
    own[i] += int(thread_idx().x) + 1;
}

template <class Index> int apartIsWrong() {
  const unsigned cases[][3] = {{0, 2, 100},  {1, 2, 256},          {95, ~0u, 96},     {200, ~1u, 201},
                               {0, 2, ~0u},  {0, 0xAAAAAAABu, 30}, {~15u, 1, 70},     {1u << 31, 1u << 26, 200},
                               {254, 2, 256}, {(1u << 31) - 16, 16, 200}};
  int wrong = 0;
  for (auto [start, step, bound] : cases) {
    std::vector<int> out(256 * Blocks), expected(256 * Blocks);
    xcc::launch({{Blocks}, {Threads}}, apart<Index>, Index(start), Index(step), Index(bound), out.data());
    xcc::synchronize();
    for (int block = 0; block < Blocks; ++block)
      for (unsigned x = 0; x < unsigned(Threads); ++x) {
        const Index i = Index(start + x * step);
        if (i >= 0 && i < Index(bound))
          expected[block * 256 + int(i)] += int(x) + 1;
      }
    wrong += out != expected;
  }
  return wrong;
}

int main() {
  // CHECK: guards: 0 wrong
  std::printf("guards: %d wrong\n", wrongOf<0>());
  // CHECK: borders: 0 wrong
  std::printf("borders: %d wrong\n", smoothIsWrong<16, 16>(64, 48) + smoothIsWrong<32, 8>(75, 33) +
                                         smoothIsWrong<8, 4>(9, 5) + smoothIsWrong<1, 32>(3, 40));
  // CHECK: trees: 0 wrong
  std::printf("trees: %d wrong\n", treesAreWrong<int>() + treesAreWrong<unsigned>() + treesAreWrong<std::size_t>());
  // CHECK: counted: 0 wrong
  std::printf("counted: %d wrong\n", countedIsWrong<int>(64, 48) + countedIsWrong<int>(37, 21) +
                                         countedIsWrong<unsigned>(37, 21) + countedIsWrong<std::size_t>(50, 33));
  // CHECK: apart: 0 wrong
  std::printf("apart: %d wrong\n", apartIsWrong<int>() + apartIsWrong<unsigned>() + apartIsWrong<std::size_t>());
  // CHECK: lowest: 0 wrong
  std::printf("lowest: %d wrong\n", lowestIsWrong());
  std::vector<int> in(Threads * Blocks), out(Blocks);
  for (int i = 0; i < Threads * Blocks; ++i)
    in[i] = i * 7;
  xcc::launch({{Blocks}, {Threads}}, sums, in.data(), out.data());
  xcc::synchronize();
  bool wrong = false;
  for (int block = 0; block < Blocks; ++block) {
    int sum = 0;
    for (int i = 0; i < Threads; ++i)
      sum += in[block * Threads + i];
    wrong |= out[block] != sum;
  }
  // CHECK: warps: right
  std::printf("warps: %s\n", wrong ? "wrong" : "right");
  for (unsigned columns : {1u, 50u, 500u}) {
    std::vector<float> rows(columns * Blocks), results(columns * Blocks);
    for (unsigned i = 0; i < columns * Blocks; ++i)
      rows[i] = float(i % 17);
    xcc::launch({{Blocks}, {Threads}}, deviations, columns, rows.data(), results.data());
    xcc::synchronize();
    for (int row = 0; row < Blocks; ++row) {
      float sum = 0;
      for (unsigned k = 0; k < columns; ++k)
        sum += rows[row * columns + k];
      for (unsigned k = 0; k < columns; ++k)
        wrong |= std::fabs(results[row * columns + k] - (rows[row * columns + k] - sum / float(columns))) > 1e-4f;
    }
  }
  // CHECK: rows: right
  std::printf("rows: %s\n", wrong ? "wrong" : "right");
  wrong |= !scansRight<int, 0>(in) || !scansRight<int, 1>(in) || !scansRight<int, 2>(in) ||
           !scansRight<unsigned, 0>(in) || !scansRight<std::size_t, 1>(in) || !scansRight<short, 0>(in) ||
           !lastingRight(in);
  // CHECK: scans: right
  std::printf("scans: %s\n", wrong ? "wrong" : "right");
  wrong |= !groupsRight<16, 0>(in) || !groupsRight<16, 1>(in) || !groupsRight<8, 2>(in) || !groupsRight<16, 3>(in) ||
           !groupsRight<4, 4>(in);
  // CHECK: groups: right
  std::printf("groups: %s\n", wrong ? "wrong" : "right");
}
