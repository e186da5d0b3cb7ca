// Loops over data by the size of the grid, with indices of every type: all
// threads take them together, and do what each would alone, also where the
// index wraps.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=int %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=unsigned %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=long %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=std::size_t %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=int -DBOUND=long %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=WIDE
// RUN: %xcc -std=c++20 -O2 -Rpass=loop-vectorize -DONLY=unsigned -DBOUND=std::size_t %s -o %t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=WIDE
#include <xcc/xcc.h>

#include <cstdint>
#include <cstdio>
#include <vector>

using xcc::block_dim, xcc::block_idx, xcc::grid_dim, xcc::thread_idx;

// What the kernels do, of one thread.
struct Thread {
  unsigned block, thread, blocks, threads;
};
inline Thread here() {
  return {block_idx().x, thread_idx().x, grid_dim().x, block_dim().x};
}

template <class Index> struct ByGrid {
  static constexpr const char *name = "by the grid";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    int sum = 0;
    for (Index i = t.block * t.threads + t.thread; i < n; i += t.threads * t.blocks)
      sum += x[i];
    r[t.block * t.threads + t.thread] = sum;
  }
};
template <class Index> struct ByBlock {
  static constexpr const char *name = "by the block";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    int sum = 0, most = -1;
    for (Index i = t.thread; i < n; i += t.threads) {
      sum += x[i] * 3;
      most = x[i] > most ? x[i] : most;
    }
    r[t.block * t.threads + t.thread] = sum + most;
  }
};
template <class Index> struct Offset {
  static constexpr const char *name = "with an offset";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    Index stride = t.threads * t.blocks;
    int sum = 1;
    for (Index i = t.block * t.threads + t.thread + 5; i < n; i += stride)
      if (x[i] & 1)
        sum += x[i];
    r[t.block * t.threads + t.thread] = sum;
  }
};
template <class Index> struct Stores {
  static constexpr const char *name = "that stores";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    for (Index i = t.block * t.threads + t.thread; i < n && i < 900; i += t.threads * t.blocks)
      r[i] = x[i] * 2 + int(i);
  }
};
// Up to the bound and with it, from places that all threads of a block compute.
template <class Index> struct Inclusive {
  static constexpr const char *name = "up to its bound";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    int sum = 0;
    for (Index i = Index(t.block * t.threads + t.thread) + 1; i <= n; i += t.threads * t.blocks)
      sum += x[i - 1] * 5;
    r[t.block * t.threads + t.thread] = sum;
  }
};
template <class Index> struct Downward {
  static constexpr const char *name = "that counts down";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    int sum = 0;
    for (Index i = n - 1 - Index(t.block * t.threads + t.thread); i >= 0; i -= t.threads * t.blocks)
      sum += x[i] * 3 - int(i);
    for (Index i = n - Index(t.thread); i > 4; i -= Index(t.threads))
      sum ^= x[i - 1];
    for (Index i = Index(1) - Index(t.thread); i > -Index(n); i -= 64)
      sum += int(i);
    r[t.block * t.threads + t.thread] = sum;
  }
};
template <class Index> struct Pieces {
  static constexpr const char *name = "a piece for each block";
  void operator()(Thread t, const int *x, int *r, Index n) const {
    Index each = (n + Index(t.blocks) - 1) / Index(t.blocks);
    Index first = t.block * each, last = first + each < n ? first + each : n;
    int sum = 0;
    for (Index i = first + t.thread; i < last; i += t.threads)
      sum += x[i] + int(i);
    for (Index i = t.thread % 32; i < last; i += 32)
      sum ^= x[i];
    r[t.block * t.threads + t.thread] = sum;
  }
};
// An index of 32 bits beside a bound of 64. The first threads begin below zero,
// which is a large number beside an unsigned bound.
template <class Index, class Bound> struct Beside {
  static constexpr const char *name = "beside a wide bound";
  void operator()(Thread t, const int *x, int *r, Bound n) const {
    int sum = 0;
    for (Index i = t.block * t.threads + t.thread; i < n; i += t.threads * t.blocks)
      sum += x[i];
    for (Index i = t.thread - 40; i < n; i += t.threads)
      sum += int(i) * 3;
    for (Index i = t.block * t.threads + t.thread; i < n; i += t.threads * t.blocks)
      sum ^= x[i] + int(i);
    r[t.block * t.threads + t.thread] = sum;
  }
};
template <class Index, class Bound> struct Wide {
  static constexpr const char *name = "to a wide bound";
  void operator()(Thread t, const int *x, int *r, Bound n) const {
    for (Index i = t.block * t.threads + t.thread; i < n; i += t.threads * t.blocks)
      r[i] = x[i] * 2;
  }
};
#ifndef ONLY
// The sums wrap: 0, 9, 2 (of 11), b, 4, d, 6, f.
struct Wraps {
  static constexpr const char *name = "that wraps";
  void operator()(Thread t, const int *, int *r, unsigned step) const {
    int turns = 0;
    for (unsigned i = t.thread; i < 0xf0000000u; i += step)
      turns += 1 + int(i >> 28);
    r[t.block * t.threads + t.thread] = turns;
  }
};
struct WrapsAtBound {
  static constexpr const char *name = "that wraps, up to its bound";
  void operator()(Thread t, const int *, int *r, unsigned step) const {
    int turns = 0;
    for (unsigned i = t.thread; i <= 0xefffffffu; i += step)
      turns += 1 + int(i >> 28);
    r[t.block * t.threads + t.thread] = turns;
  }
};
struct ToTheEnd {
  static constexpr const char *name = "up to the last number";
  void operator()(Thread t, const int *, int *r, int last) const {
    int turns = 0;
    for (long long i = last - 300 + (long long)t.thread; i <= last; i += 64)
      turns += int(i);
    r[t.block * t.threads + t.thread] = turns;
  }
};
struct DownToTheEnd {
  static constexpr const char *name = "down to the least number";
  void operator()(Thread t, const int *, int *r, int least) const {
    int turns = 0;
    for (int i = least + 900 - int(t.thread); i > least + 10; i -= 7)
      turns += i & 15;
    for (int i = least + 100 - int(t.thread & 31); i >= least + 64; i -= 64)
      turns += i & 31;
    for (unsigned i = 1000 - t.thread; i > 70; i -= 64)
      turns += int(i);
    r[t.block * t.threads + t.thread] = turns;
  }
};
// Back, and forward over the end.
struct Backward {
  static constexpr const char *name = "that goes backward";
  void operator()(Thread t, const int *, int *r, int step) const {
    int turns = 0;
    for (int i = t.thread; i < 1000; i += step)
      turns += (i >> 28) + 100;
    r[t.block * t.threads + t.thread] = turns;
  }
};
// The block's first thread is beyond the end when others are not yet.
struct Ahead {
  static constexpr const char *name = "that begins before";
  void operator()(Thread t, const int *, int *r, unsigned first) const {
    int turns = 0;
    for (unsigned i = first + t.thread; i < 200; i += 64)
      turns += int(i);
    r[t.block * t.threads + t.thread] = turns;
  }
};
#endif

template <class Body, class Size>
void run(const char *index, unsigned blocks, unsigned threads, Size n) {
  std::vector<int> x(1000), got(1000, -7), want(1000, -7);
  for (int i = 0; i < 1000; ++i)
    x[i] = i * 37 % 101;
  xcc::launch({{blocks}, {threads}},
              [](const std::vector<int> &x, std::vector<int> &r, Size n) {
                Body()(here(), x.data(), r.data(), n);
              },
              x, got, n);
  xcc::synchronize();
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < threads; ++t)
      Body()(Thread{b, t, blocks, threads}, x.data(), want.data(), n);
  if (got != want)
    std::printf("wrong: %s, %s, %u x %u, %lld\n", Body::name, index, blocks,
                threads, (long long)n);
}

template <template <class> class Body> void all() {
  for (unsigned blocks : {1, 3})
    for (unsigned threads : {31, 64})
      for (int n : {5, 700}) {
        run<Body<int>>("int", blocks, threads, n);
        run<Body<unsigned>>("unsigned", blocks, threads, unsigned(n));
        run<Body<std::size_t>>("size_t", blocks, threads, std::size_t(n));
      }
  run<Body<int>>("int", 2, 200, -5);
  run<Body<long>>("long", 2, 200, 1000L);
  run<Body<unsigned>>("unsigned", 2, 1, 0u);
}

#ifndef ONLY
/// An int that counts by a std::size_t, with accesses that lie apart.
static void gaps(int n, const int *x, int *y) {
  for (int i = xcc::global_id(); i < n; i += xcc::global_size())
    y[2 * i] = 2 * x[2 * i];
}
static void all_gaps() {
  const int n = 1500;
  std::vector<int> x(2 * n);
  for (int i = 0; i != 2 * n; ++i)
    x[std::size_t(i)] = i;
  xcc::buffer<int> from(x), to(x);
  xcc::launch({{3}, {64}}, gaps, n, from.data(), to.data());
  std::vector<int> y = to.to_vector();
  for (int i = 0; i != 2 * n; ++i)
    if (y[std::size_t(i)] != (i % 2 ? i : 2 * i))
      std::printf("wrong with gaps: %d at %d\n", y[std::size_t(i)], i);
}
#endif

// WIDE: remark: vectorized loop {{.*}}(x86-64-v3)
// VECTOR-COUNT-2: remark: vectorized loop {{.*}}(x86-64-v3)
int main() {
#ifdef ONLY
#ifdef BOUND
  run<Wide<ONLY, BOUND>>("", 3, 64, BOUND(700));
#else
  run<ByGrid<ONLY>>("", 3, 64, ONLY(700));
  run<ByBlock<ONLY>>("", 3, 64, ONLY(700));
  run<Offset<ONLY>>("", 3, 64, ONLY(700));
  run<Inclusive<ONLY>>("", 3, 64, ONLY(700));
  run<Pieces<ONLY>>("", 3, 64, ONLY(700));
#endif
#else
  all<ByGrid>();
  all<ByBlock>();
  all<Offset>();
  all<Stores>();
  all<Inclusive>();
  all<Pieces>();
  for (unsigned threads : {1, 31, 64, 200})
    for (int n : {0, 1, 5, 700}) {
      run<Downward<int>>("int", 3, threads, n);
      run<Downward<long>>("long", 3, threads, long(n));
    }
  run<DownToTheEnd>("int", 2, 96, -2147483647 - 1);
  run<DownToTheEnd>("int", 2, 96, -1000);
  run<WrapsAtBound>("unsigned", 2, 96, 0x90000000u);
  run<ToTheEnd>("int", 2, 96, 2147483647);
  run<ToTheEnd>("int", 2, 96, 1000);
  for (unsigned threads : {1, 32, 64, 200})
    for (int n : {0, 5, 39, 700}) {
      run<Beside<int, long long>>("int, long long", 3, threads, (long long)n);
      run<Beside<int, std::size_t>>("int, size_t", 3, threads, std::size_t(n));
      run<Beside<unsigned, long long>>("unsigned, long long", 3, threads, (long long)n);
      run<Beside<unsigned, std::size_t>>("unsigned, size_t", 3, threads, std::size_t(n));
    }
  run<Beside<int, long long>>("int, long long", 2, 200, -20LL);
  run<Beside<unsigned, long long>>("unsigned, long long", 2, 200, -5LL);
  run<Wraps>("unsigned", 2, 96, 0x90000000u);
  run<Backward>("int", 2, 96, int(0x90000001u));
  run<Ahead>("unsigned", 1, 64, 0xfffffff0u);
  run<Ahead>("unsigned", 1, 64, 150u);
  all_gaps();
#endif
  // CHECK: done
  // CHECK-NOT: wrong
  std::puts("done");
}
