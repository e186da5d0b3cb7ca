// Blocks that the CPU device runs as one wide block, and those that it must not: what kernels make of thread_idx.x and
// block_idx.x is what each block makes of it alone, whatever sizes blocks and grids have.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
// RUN: env XCC_CPU_THREADS=1 %t | FileCheck %s
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

struct Place {
  xcc::dim3 thread, block, threads, blocks;
};
inline Place here() {
  return {xcc::thread_idx(), xcc::block_idx(), xcc::block_dim(), xcc::grid_dim()};
}
// The length of all data.
constexpr int N = 5003;

// By the index in the grid alone.
struct Global {
  void operator()(Place p, const int *x, int *r) const {
    int i = p.block.x * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = 3 * x[i] + i;
  }
};
struct Wide {
  void operator()(Place p, const int *x, int *r) const {
    std::size_t i = std::size_t(p.block.x) * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = x[i] - int(i);
  }
};
struct Offset {
  void operator()(Place p, const int *x, int *r) const {
    int i = int(p.thread.x + p.block.x * p.threads.x) - 17;
    if (i >= 0 && i < N)
      r[i] = x[i] ^ i;
  }
};
struct Reversed {
  void operator()(Place p, const int *x, int *r) const {
    int i = N - 1 - int(p.block.x * p.threads.x + p.thread.x);
    if (i >= 0)
      r[i] = x[i] + 5 * i;
  }
};
struct ByPointer {
  void operator()(Place p, const int *x, int *r) const {
    const int *mine = x + p.block.x * p.threads.x;
    int *to = r + p.block.x * p.threads.x;
    if (p.block.x * p.threads.x + p.thread.x < N)
      to[p.thread.x] = mine[p.thread.x] + 7;
  }
};
struct Columns {
  void operator()(Place p, const int *x, int *r) const {
    unsigned column = p.block.x * p.threads.x + p.thread.x, row = p.block.y * p.threads.y + p.thread.y;
    if (column < 70 && row < 71)
      r[row * 70 + column] = x[column * 71 + row] + p.block.y * 10 + p.thread.y;
  }
};
// Loops by the size of the grid.
struct Strided {
  void operator()(Place p, const int *x, int *r) const {
    for (int i = p.block.x * p.threads.x + p.thread.x; i < N; i += p.threads.x * p.blocks.x)
      r[i] = x[i] * 2 + 1;
  }
};
struct StridedSums {
  void operator()(Place p, const int *x, int *r) const {
    int sum = 0, most = 0;
    std::size_t i = std::size_t(p.block.x) * p.threads.x + p.thread.x, first = i;
    for (; i < N; i += std::size_t(p.threads.x) * p.blocks.x) {
      sum += x[i];
      most = std::max(most, x[i]);
    }
    if (first < N)
      r[first] = sum * 1000 + most;
  }
};
struct StridedArrays {
  void operator()(Place p, const int *x, int *r) const {
    int of[4] = {};
    unsigned first = p.block.x * p.threads.x + p.thread.x;
    for (unsigned i = first; i < N; i += p.threads.x * p.blocks.x)
      of[x[i] & 3] += x[i];
    if (first < N)
      r[first] = of[0] - of[1] + 2 * of[2] - 3 * of[3];
  }
};
struct Polynomial {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    if (i >= N)
      return;
    int sum = 0;
    for (int k = 0; k < 9; ++k)
      sum = sum * 3 + x[(i + k) % N];
    r[i] = sum;
  }
};

// What tells blocks apart.
struct OwnThread {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = x[i] + p.thread.x;
  }
};
struct OwnBlock {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = x[i] + p.block.x * 100;
  }
};
struct Narrow {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = x[i] + std::uint8_t(p.thread.x + 3);
  }
};
struct Before {
  void operator()(Place p, const int *x, int *r) const {
    unsigned before = p.thread.x - 1;
    std::uint64_t i = std::uint64_t(before) + p.block.x * p.threads.x;
    if (i < N)
      r[i] = x[i] + 9;
  }
};
struct OtherScale {
  void operator()(Place p, const int *x, int *r) const {
    auto *halves = reinterpret_cast<const std::int16_t *>(x + p.block.x * p.threads.x);
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    if (i < N)
      r[i] = halves[p.thread.x];
  }
};
struct ByRowsOfBlocks {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * (p.threads.x + 1) + p.thread.x;
    if (i < N)
      r[i] = x[i] * 11;
  }
};
struct FirstOfBlock {
  void operator()(Place p, const int *x, int *r) const {
    unsigned first = p.block.x * p.threads.x;
    unsigned i = first + p.thread.x;
    if (i < N)
      r[i] = x[i] + x[first];
  }
};
struct TimesTwo {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + 2 * p.thread.x;
    if (i < N && p.thread.x < p.threads.x / 2)
      r[i] = x[i] + 1;
  }
};
struct OwnTurns {
  void operator()(Place p, const int *x, int *r) const {
    unsigned i = p.block.x * p.threads.x + p.thread.x;
    int sum = 0;
    for (unsigned k = p.thread.x; k < 40; k += 8)
      sum += x[k];
    if (i < N)
      r[i] = sum;
  }
};

template <class Work> static void run(const int *x, int *r) { Work()(here(), x, r); }

template <class Work> static bool agrees(const std::vector<int> &x, xcc::buffer<int> &on, xcc::dim3 g, xcc::dim3 b) {
  std::vector<int> expected(N + 1, -1);
  for (unsigned gy = 0; gy != g.y; ++gy)
    for (unsigned gx = 0; gx != g.x; ++gx)
      for (unsigned ty = 0; ty != b.y; ++ty)
        for (unsigned tx = 0; tx != b.x; ++tx)
          Work()({{tx, ty, 0}, {gx, gy, 0}, b, g}, x.data(), expected.data());
  xcc::buffer<int> r(N + 1);
  // Known kernels are given out in other parts than new ones.
  for (int turn = 0; turn != 3; ++turn) {
    r.fill(-1);
    xcc::launch({g, b}, run<Work>, on.data(), r.data());
    xcc::synchronize();
    if (r.to<std::vector>() != expected) {
      std::printf("grid %u %u, block %u %u, turn %d: wrong\n", g.x, g.y, b.x, b.y, turn);
      return false;
    }
  }
  return true;
}

template <class Work> static void test(const char *name) {
  std::vector<int> x(N + 1);
  for (int i = 0; i <= N; ++i)
    x[i] = i * 7919 % 1013;
  xcc::buffer<int> on(x);
  bool good = true;
  for (auto [g, b] : {std::pair<xcc::dim3, xcc::dim3>{{40}, {128}},
                      {{160}, {32}},
                      {{715}, {7}},
                      {{5}, {1024}},
                      {{17}, {33}},
                      {{5, 9}, {16, 8}},
                      {{36, 24}, {2, 3}},
                      {{1}, {1}}})
    good = agrees<Work>(x, on, g, b) && good;
  std::printf("%s %s\n", name, good ? "good" : "wrong");
}

int main() {
#define TEST(name) test<name>(#name)
  // CHECK: Global good
  TEST(Global);
  // CHECK: Wide good
  TEST(Wide);
  // CHECK: Offset good
  TEST(Offset);
  // CHECK: Reversed good
  TEST(Reversed);
  // CHECK: ByPointer good
  TEST(ByPointer);
  // CHECK: Columns good
  TEST(Columns);
  // CHECK: Strided good
  TEST(Strided);
  // CHECK: StridedSums good
  TEST(StridedSums);
  // CHECK: StridedArrays good
  TEST(StridedArrays);
  // CHECK: Polynomial good
  TEST(Polynomial);
  // CHECK: OwnThread good
  TEST(OwnThread);
  // CHECK: OwnBlock good
  TEST(OwnBlock);
  // CHECK: Narrow good
  TEST(Narrow);
  // CHECK: Before good
  TEST(Before);
  // CHECK: OtherScale good
  TEST(OtherScale);
  // CHECK: ByRowsOfBlocks good
  TEST(ByRowsOfBlocks);
  // CHECK: FirstOfBlock good
  TEST(FirstOfBlock);
  // CHECK: TimesTwo good
  TEST(TimesTwo);
  // CHECK: OwnTurns good
  TEST(OwnTurns);
}
