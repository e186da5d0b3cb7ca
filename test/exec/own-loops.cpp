// Threads that each leave a loop at their own iteration: side by side in vectors they compute what each would alone, and none reads what only another one may.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -Rpass=xcc-simd %s -o %t 2> %t.err && %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %xcc -std=c++20 -O2 -foffload-device-only -S -Rpass=loop-vectorize %s -o %t.s 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: %xcc -std=c++20 -O3 --offload-arch=x86-64-v2 -mllvm -xcc-simd=always %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native -mllvm -xcc-simd=always %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <utility>
#include <vector>
#include <xcc/xcc.h>

constexpr int n = 3 * 256 + 77;
static int failed = 0;

// What thread i of n does, of a table of 512 numbers that ends where memory ends.
struct Mandelbrot {
  static int of(int i, const int *) {
    const float cx = -2 + 3.0f * (i % 29) / 29, cy = -1.5f + 3.0f * (i / 29) / 29;
    float x = 0, y = 0;
    int k = 0;
    for (; k < 60; ++k) {
      const float xx = x * x, yy = y * y;
      if (xx + yy > 4)
        break;
      y = 2 * x * y + cy;
      x = xx - yy + cx;
    }
    return k;
  }
};
struct Search {
  static int of(int i, const int *table) {
    int low = 0, high = 512;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (table[middle] < i * 2)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};
// Only threads for which there is a next element load it.
struct NextElements {
  static int of(int i, const int *table) {
    int sum = 0;
    for (int k = 0; k < i % 7; ++k)
      if (i + k < 512)
        sum = sum * 3 + table[i + k];
    return sum;
  }
};
// Backwards, and a divisor that is 0 for other threads.
struct Backwards {
  static int of(int i, const int *table) {
    int sum = i;
    for (int k = 0; k < 5 + i % 3; ++k) {
      const int at = 511 - i - k, by = (i + k) % 4;
      if (at >= 0)
        sum += table[at];
      if (by != 0)
        sum = sum / by + k;
    }
    return sum;
  }
};
// Out of two loops at once, and on with the outer one.
struct TwoLoops {
  static int of(int i, const int *table) {
    int found = 0;
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b <= (i + a) % 5; ++b) {
        const int v = table[(i * 3 + a * 7 + b) & 511];
        if (v % 31 == 5)
          return found * 100 + a * 10 + b;
        if (v % 7 == 3)
          goto next;
        found += v & 3;
      }
      found ^= a;
    next:;
    }
    return -found;
  }
};

// An index of 32 bits that goes on by rows, and one that wraps between threads.
struct Rows {
  static int of(int i, const int *table) {
    int sum = 0, at = i % 256 + i / 256;
    for (int k = 0; k < 5; ++k) {
      sum = sum * 3 + table[at];
      at += 37;
    }
    unsigned low = unsigned(i) - 500;
    for (int k = 0; k < 2; ++k) {
      if (low < 400)
        sum += table[low];
      low += 40;
    }
    return sum;
  }
};

// Each thread along a row of its own, the last of which ends where memory ends: whole vectors of it, and 5 elements.
struct Along {
  static int of(int i, const int *table) {
    const int *row = table + i % 8 * 32 + 3;
    unsigned hash = unsigned(i);
    for (int k = 0; k < 285; ++k)
      hash = hash * 31 + unsigned(row[k]);
    return int(hash % 1000003);
  }
};

template <class Work> static void kernel(std::span<const int> table, std::span<int> r) {
  const int i = int(xcc::global_id());
  if (i < n)
    r[i] = Work::of(i, table.data());
}
template <class Work> static void strided(std::span<const int> table, std::span<int> r) {
  for (int i = int(xcc::global_id()); i < n; i += int(xcc::global_size()))
    r[i] = Work::of(i, table.data());
}

template <class Work> static void test(const char *name, std::span<const int> table) {
  std::vector<int> a(n), b(n), c(n);
  xcc::launch({{4}, {256}}, kernel<Work>, table, std::span(a));
  xcc::launch({{2}, {96}}, strided<Work>, table, std::span(b));
  xcc::parallel_for(n, [=, r = std::span(c)](int i) { r[i] = Work::of(i, table.data()); });
  xcc::synchronize();
  for (int i = 0; i < n; ++i)
    if (const int right = Work::of(i, table.data()); a[i] != right || b[i] != right || c[i] != right) {
      std::printf("wrong: %s, thread %d: %d %d %d, not %d\n", name, i, a[i], b[i], c[i], right);
      failed = 1;
      return;
    }
}

// Rows whose index of 32 bits wraps in the middle for some threads: the memory around it has 16 GiB, of which two pages are there.
template <class Index> static int sum_row(const int *base, unsigned start, unsigned width) {
  unsigned hash = start;
  for (unsigned k = 0; k < width; ++k)
    hash = hash * 31 + unsigned(base[Index(start + k)]);
  return int(hash);
}
template <class Index> static void sum_rows(const int *base, unsigned first, unsigned width, int *sums) {
  const unsigned i = unsigned(xcc::global_id());
  sums[i] = sum_row<Index>(base, first + i * 7, width);
}
template <class Index> static void test_rows(const char *name, const int *base, unsigned middle) {
  for (unsigned width : {3u, 16u, 77u}) {
    std::vector<int> sums(64);
    xcc::launch({{1}, {64}}, sum_rows<Index>, base, middle - 300, width, sums.data());
    xcc::synchronize();
    for (unsigned i = 0; i < 64; ++i)
      if (sums[i] != sum_row<Index>(base, middle - 300 + i * 7, width))
        failed = std::printf("wrong: rows with %s, %u wide\n", name, width);
  }
}
static void sum_wrapping_rows() {
  if (xcc::device::current().kind() != std::string_view("host") || std::getenv("XCC_CPU_SEPARATE"))
    return; // such memory cannot be copied
  const std::size_t size = std::size_t(1) << 34, page = 4096;
  void *all = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return;
  char *first = static_cast<char *>(all), *last = first + size - page;
  for (char *at : {first, last}) {
    mprotect(at, page, PROT_READ | PROT_WRITE);
    for (std::size_t i = 0; i < page; ++i)
      at[i] = char(i * 7 + (at == last));
  }
  test_rows<unsigned>("unsigned", reinterpret_cast<int *>(first), 0);
  test_rows<int>("int", reinterpret_cast<int *>(first + size / 2), 0x80000000u);
  munmap(all, size);
}

// An int that parallel_for gives counts up from thread to thread, with no wrap between: columns are vectors.
static void sum_columns(int rows, std::span<const int> table) {
  std::vector<int> sums(64);
  xcc::parallel_for(64, [=, r = std::span(sums)](int i) {
    int sum = 0;
    for (int k = 0; k < rows; ++k)
      // COLUMNS: own-loops.cpp:[[#@LINE+1]]:{{.*}} remark: vectorized loop {{.*}}(x86-64-v3)
      sum += table[k * 64 + i];
    r[i] = sum;
  });
  xcc::synchronize();
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < rows; ++k)
      sums[i] -= table[k * 64 + i];
    if (sums[i] != 0) {
      std::printf("wrong: column %d\n", i);
      failed = 1;
    }
  }
}

// Sums by a tree, and by threads that a divisor selects: the loop over the threads comes to few of them.
static void tree(std::span<const int> in, int divisor, std::span<int> out) {
  static xcc::block_shared<int[256]> part;
  const int x = int(xcc::thread_idx().x), size = int(xcc::block_dim().x);
  part[x] = in[x];
  xcc::sync_block();
  for (int o = 1; o < size; o *= 2) {
    if (x % (2 * o) == 0 && x + o < size)
      part[x] += part[x + o];
    xcc::sync_block();
  }
  if (x % divisor == 0)
    part[x] += x;
  xcc::sync_block();
  out[x] = part[x];
}

static void sum_by_trees(std::span<const int> table) {
  for (const int size : {256, 96, 7})
    for (const int divisor : {1, 8, 24, 300, -16}) {
      std::vector<int> out(size), right(table.begin(), table.begin() + size);
      xcc::launch({{1}, {unsigned(size)}}, tree, table, divisor, std::span(out));
      xcc::synchronize();
      for (int o = 1; o < size; o *= 2)
        for (int x = 0; x + o < size; x += 2 * o)
          right[x] += right[x + o];
      for (int x = 0; x < size; ++x)
        right[x] += x % divisor == 0 ? x : 0;
      if (out != right) {
        std::printf("wrong: tree of %d, %d\n", size, divisor);
        failed = 1;
      }
    }
}

// A border that single threads load beside what all do.
static void border(int side, std::span<const int> in, std::span<int> out) {
  static xcc::block_shared<int[18]> tile;
  const int x = int(xcc::thread_idx().x) + 1, i = int(xcc::block_idx().x) * 16 + x - 1;
  tile[x] = in[i];
  if (x == 1 && i > 0)
    tile[0] = in[i - 1];
  if (x == 16 && i < side - 1)
    tile[17] = in[i + 1];
  xcc::sync_block();
  if (i > 0 && i < side - 1)
    out[i] = tile[x - 1] + 2 * tile[x] + 3 * tile[x + 1];
}

static void sum_with_border(std::span<const int> table) {
  std::vector<int> out(512);
  xcc::launch({{32}, {16}}, border, 512, table, std::span(out));
  xcc::synchronize();
  for (int i = 1; i < 511; ++i)
    if (out[i] != table[i - 1] + 2 * table[i] + 3 * table[i + 1]) {
      std::printf("wrong: border, %d\n", i);
      failed = 1;
    }
}

// The same in two dimensions. The check of the border is made again after the barrier.
static void tile(int side, std::span<const int> in, std::span<int> out) {
  static xcc::block_shared<int[10][18]> part;
  const int tx = int(xcc::thread_idx().x) + 1, ty = int(xcc::thread_idx().y) + 1;
  const int x = int(xcc::block_idx().x * 16) + tx - 1, y = int(xcc::block_idx().y * 8) + ty - 1;
  const int i = y * side + x;
  part[ty][tx] = in[i];
  if (tx == 1 && x > 0)
    part[ty][0] = in[i - 1];
  if (tx == 16 && x < side - 1)
    part[ty][17] = in[i + 1];
  if (ty == 1 && y > 0)
    part[0][tx] = in[i - side];
  if (ty == 8 && y < side - 1)
    part[9][tx] = in[i + side];
  xcc::sync_block();
  if (x > 0 && y > 0 && x < side - 1 && y < side - 1)
    out[i] = part[ty][tx - 1] + 2 * part[ty][tx + 1] + 3 * part[ty - 1][tx] + 4 * part[ty + 1][tx];
}

static void sum_tiles() {
  for (int side : {16, 48}) {
    std::vector<int> in(side * side), out(side * side), right(side * side);
    for (int i = 0; i < side * side; ++i)
      in[i] = i * 7 % 101;
    for (int y = 1; y < side - 1; ++y)
      for (int x = 1; x < side - 1; ++x) {
        const int i = y * side + x;
        right[i] = in[i - 1] + 2 * in[i + 1] + 3 * in[i - side] + 4 * in[i + side];
      }
    xcc::launch({{unsigned(side) / 16, unsigned(side) / 8}, {16, 8}}, tile, side, std::span(std::as_const(in)),
                std::span(out));
    xcc::synchronize();
    if (out != right) {
      std::printf("wrong: tiles, %d\n", side);
      failed = 1;
    }
  }
}

// Threads exchange elements with those whose index differs in one bit.
template <class T, class I, int Size> static void sort_block(std::span<const T> in, std::span<T> out) {
  static xcc::block_shared<T[Size]> part;
  const I x = I(xcc::thread_idx().x), size = I(xcc::block_dim().x);
  part[x] = in[xcc::global_id()];
  xcc::sync_block();
  for (I run = 2; run <= size; run *= 2)
    for (I step = run / 2; step > 0; step /= 2) {
      const I other = x ^ step;
      if (other > x) {
        const bool up = (x & run) == 0;
        const T a = part[x], b = part[other];
        if (up ? a > b : a < b) {
          part[x] = b;
          part[other] = a;
        }
      }
      xcc::sync_block();
    }
  out[xcc::global_id()] = part[x];
}

template <class T, class I, int Size> static void sort_blocks() {
  std::vector<T> in(Size * 3), out(in.size());
  unsigned state = 1;
  for (T &v : in)
    v = T((state = state * 1664525u + 1013904223u) >> 20);
  xcc::launch({{3}, {Size}}, sort_block<T, I, Size>, std::span(std::as_const(in)), std::span(out));
  xcc::synchronize();
  for (int i = 0; i < 3; ++i)
    std::sort(in.begin() + i * Size, in.begin() + (i + 1) * Size);
  if (out != in) {
    std::printf("wrong: sorted %d\n", Size);
    failed = 1;
  }
}

// The table ends where memory ends: a lane whose partner is not there loads nothing.
static void exchange(int flip, int size, std::span<const int> in, std::span<int> out) {
  static xcc::block_shared<int[512]> part;
  const int x = int(xcc::thread_idx().x), other = x ^ flip;
  part[x] = -1;
  xcc::sync_block();
  if (other < size)
    part[x] = in[512 - size + other] + x / 32 + x % 32;
  xcc::sync_block();
  out[x] = part[x];
}

static void exchange_all(std::span<const int> table) {
  for (int size : {5, 32, 45, 200})
    for (int flip : {0, 1, 6, 8, 16, 21, 64}) {
      std::vector<int> out(size), right(size, -1);
      xcc::launch({{1}, {unsigned(size)}}, exchange, flip, size, table, std::span(out));
      xcc::synchronize();
      for (int x = 0; x < size; ++x)
        if ((x ^ flip) < size)
          right[x] = table[512 - size + (x ^ flip)] + x / 32 + x % 32;
      if (out != right) {
        std::printf("wrong: exchanged %d, %d\n", size, flip);
        failed = 1;
      }
    }
}

int main() {
  char *pages = static_cast<char *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + 4096, 4096, PROT_NONE);
  const std::span table(reinterpret_cast<int *>(pages + 4096) - 512, 512);
  for (int i = 0; i < 512; ++i)
    table[i] = i * 3 + i % 3;
  test<Mandelbrot>("Mandelbrot", table);
  test<Search>("Search", table);
  test<NextElements>("NextElements", table);
  test<Backwards>("Backwards", table);
  test<TwoLoops>("TwoLoops", table);
  test<Rows>("Rows", table);
  test<Along>("Along", table);
  sum_wrapping_rows();
  sum_columns(8, table);
  sum_by_trees(table);
  sum_with_border(table);
  sum_tiles();
  sort_blocks<int, int, 256>();
  sort_blocks<float, unsigned, 128>();
  sort_blocks<double, std::size_t, 64>();
  sort_blocks<short, int, 32>();
  exchange_all(table);
  // REMARK: remark: threads are vectorised (8 lanes{{.*}}) [-Rpass=xcc-simd] (x86-64-v3)
  // REMARK: remark: threads are vectorised (8 lanes, {{[0-9]}} transposed{{.*}}) [-Rpass=xcc-simd] (x86-64-v3)
  // CHECK-NOT: wrong
  // CHECK: done
  std::puts("done");
  return failed;
}
