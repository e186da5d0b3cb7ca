// Loops over rows and columns by the size of the grid, and loops in loops that all threads take together: all threads
// do what each would alone, whatever sizes blocks and data have.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -DONLY=Nest -Rpass=loop-vectorize %s -o %t 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O3 -DONLY=RowOfBlock -Rpass=loop-vectorize %s -o %t 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: %xcc -std=c++20 -O3 -DONLY=CountedThrough -Rpass=loop-vectorize %s -o %t 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: remark: vectorized loop {{.*}}(x86-64-v3)
#include <algorithm>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

struct Place {
  xcc::dim3 thread, block, threads, blocks;
};
inline Place here() {
  return {xcc::thread_idx(), xcc::block_idx(), xcc::block_dim(), xcc::grid_dim()};
}

// Rows and columns of a grid, w times h; r has a place for each, and behind it one for each thread.
struct Nest {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    for (int j = p.block.y * p.threads.y + p.thread.y; j < h; j += p.threads.y * p.blocks.y)
      for (int i = p.block.x * p.threads.x + p.thread.x; i < w; i += p.threads.x * p.blocks.x)
        r[j * w + i] = 2 * x[j * w + i] + j - i;
  }
};
struct RowOfBlock {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    for (int j = p.block.x + p.block.y * p.blocks.x; j < h; j += p.blocks.x * p.blocks.y)
      for (int i = p.thread.x; i < w; i += p.threads.x)
        if (p.thread.y == 0 && p.thread.z == 0)
          r[j * w + i] = x[j * w + i] * 3 + j;
  }
};
struct CountedThrough {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    const int inBlock = p.thread.y * p.threads.x + p.thread.x;
    const int first = (p.block.y * p.blocks.x + p.block.x) * p.threads.x * p.threads.y + inBlock;
    for (int i = first; i < w * h; i += p.threads.x * p.threads.y * p.blocks.x * p.blocks.y)
      r[i] = x[i] * 5 - i;
  }
};
struct Through3 {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    const unsigned inBlock = (p.thread.z * p.threads.y + p.thread.y) * p.threads.x + p.thread.x;
    for (unsigned i = inBlock; i < unsigned(w * h); i += p.threads.x * p.threads.y * p.threads.z)
      if ((p.block.x | p.block.y) == 0)
        r[i] = x[i] ^ int(i);
  }
};
struct Triangle {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    for (int j = p.block.x; j < h; j += p.blocks.x)
      for (int i = j + 1 + p.thread.x; i < w; i += p.threads.x)
        if (p.thread.y == 0 && p.thread.z == 0)
          r[j * w + i] = x[j * w + i] - 1;
  }
};
// Sums that go through both loops, and threads that take part in neither.
struct Sums {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    int sum = 3, most = -1;
    for (int j = p.block.y * p.threads.y + p.thread.y; j < h; j += p.threads.y * p.blocks.y)
      for (int i = p.block.x * p.threads.x + p.thread.x; i < w; i += p.threads.x * p.blocks.x) {
        sum += x[j * w + i] * (i + 1);
        most = std::max(most, x[j * w + i] + j);
      }
    put(p, r + w * h, sum * 7 + most);
  }
  static void put(Place p, int *r, int value) {
    const unsigned inBlock = (p.thread.z * p.threads.y + p.thread.y) * p.threads.x + p.thread.x;
    r[(p.block.y * p.blocks.x + p.block.x) * p.threads.x * p.threads.y * p.threads.z + inBlock] = value;
  }
};
// What the outer loop counts beside.
struct Beside {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    int rows = 0, sum = 0;
    for (int j = p.block.y * p.threads.y + p.thread.y; j < h; j += p.threads.y * p.blocks.y) {
      for (int i = p.block.x * p.threads.x + p.thread.x; i < w; i += p.threads.x * p.blocks.x)
        sum += x[j * w + i];
      rows = rows * 3 + j;
    }
    Sums::put(p, r + w * h, sum * 11 + rows);
  }
};
// The outer loop stores for itself, and reads.
struct Stores {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    int sum = 0;
    for (int j = p.block.y * p.threads.y + p.thread.y; j < h; j += p.threads.y * p.blocks.y) {
      const int scale = x[j];
      for (int i = p.block.x * p.threads.x + p.thread.x; i < w; i += p.threads.x * p.blocks.x)
        sum += x[j * w + i] * scale;
      if (p.block.x == 0 && p.thread.x == 0 && p.thread.z == 0 && w > 0)
        r[j * w] = scale;
    }
    Sums::put(p, r + w * h, sum);
  }
};
// A loop that only some come to, and one that is left early.
struct Parts {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    int sum = 0;
    for (int j = 0; j < h; ++j) {
      if (p.thread.x % 3 == 1)
        for (int i = p.thread.x; i < w; i += p.threads.x)
          sum += x[j * w + i];
      for (int i = p.thread.x; i < w; i += p.threads.x) {
        if (x[j * w + i] == 90)
          break;
        sum ^= x[j * w + i];
      }
      if (sum % 17 == 4)
        break;
    }
    Sums::put(p, r + w * h, sum);
  }
};
// Rows with a length of their own, and a row's numbers behind its loop.
struct Ragged {
  void operator()(Place p, const int *x, int *r, int w, int h) const {
    for (int j = p.block.x; j < h; j += p.blocks.x) {
      int sum = j;
      const int end = std::min(w, x[j] * 2);
      for (int i = p.thread.x; i < end; i += p.threads.x)
        sum += x[j * w + i];
      if (p.thread.y == 0 && p.thread.z == 0 && int(p.thread.x) < w)
        r[j * w + p.thread.x] = sum;
    }
  }
};

bool failed = false;
template <class Body> void run(const char *name, xcc::dim3 blocks, xcc::dim3 threads, int w, int h) {
  const std::size_t every = std::size_t(blocks.x) * blocks.y * threads.x * threads.y * threads.z;
  std::vector<int> x(w * h + h + 1), got(w * h + every, -7), want = got;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = int(i * 37 % 101);
  xcc::launch({blocks, threads},
              [](const std::vector<int> &x, std::vector<int> &r, int w, int h) {
                Body()(here(), x.data(), r.data(), w, h);
              },
              x, got, w, h);
  xcc::synchronize();
  for (unsigned by = 0; by < blocks.y; ++by)
    for (unsigned bx = 0; bx < blocks.x; ++bx)
      for (unsigned tz = 0; tz < threads.z; ++tz)
        for (unsigned ty = 0; ty < threads.y; ++ty)
          for (unsigned tx = 0; tx < threads.x; ++tx)
            Body()({{tx, ty, tz}, {bx, by, 0}, threads, blocks}, x.data(), want.data(), w, h);
  if (got != want) {
    failed = true;
    std::printf("wrong: %s, %u x %u blocks of %u x %u x %u, %d x %d\n", name, blocks.x, blocks.y, threads.x, threads.y,
                threads.z, w, h);
  }
}
template <class Body> void all(const char *name) {
  run<Body>(name, {2, 2}, {32, 4}, 100, 30);
  run<Body>(name, {3, 1}, {8, 8, 2}, 33, 70);
  run<Body>(name, {1, 3}, {5, 7}, 1, 40);
  run<Body>(name, {4, 4}, {16, 16}, 20, 9);
  run<Body>(name, {2, 1}, {64}, 200, 3);
  run<Body>(name, {1, 1}, {1}, 7, 6);
  run<Body>(name, {2, 2}, {32, 2}, 0, 5);
  run<Body>(name, {2, 2}, {32, 2}, 5, 0);
}

int main() {
#ifdef ONLY
  run<ONLY>("", {2, 2}, {32, 4}, 100, 30);
#else
  all<Nest>("Nest");
  all<RowOfBlock>("RowOfBlock");
  all<CountedThrough>("CountedThrough");
  all<Through3>("Through3");
  all<Triangle>("Triangle");
  all<Sums>("Sums");
  all<Beside>("Beside");
  all<Stores>("Stores");
  all<Parts>("Parts");
  all<Ragged>("Ragged");
#endif
  // CHECK-NOT: wrong
  // CHECK: done
  std::puts("done");
  return failed;
}
