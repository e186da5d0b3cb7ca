// Loops of which a thread runs several iterations before the next thread does: whatever number of
// iterations there is, and whatever a thread carries from one to the next.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

constexpr int Width = 130, Height = 23;

struct Column {
  static int of(const int *x, int i, int n) {
    int sum = 3;
    for (int k = 0; k < n; ++k)
      sum = sum * 3 + x[k * Width + i];
    return sum;
  }
};
struct Downwards {
  static int of(const int *x, int i, int n) {
    int sum = 5, last = 0;
    for (int k = n - 1; k >= 0; --k) {
      last = sum;
      sum = sum * 5 - x[k * Width + i];
    }
    return sum ^ last;
  }
};
struct Extremes {
  static int of(const int *x, int i, int n) {
    int least = 1 << 20, most = 0, at = -1;
    for (unsigned k = 0; k != unsigned(n); ++k) {
      int v = x[k * Width + i];
      if (v > most)
        most = v, at = int(k);
      least = std::min(least, v);
    }
    return least * 1000 + most * 30 + at;
  }
};
struct Nested {
  static int of(const int *x, int i, int n) {
    int sum = 0;
    for (int j = 0; j < 3; ++j)
      for (int k = j; k < n; k += 2)
        sum += x[k * Width + i] * (sum + j);
    return sum;
  }
};
struct Twice {
  static int of(const int *x, int i, int n) {
    int sum = 1;
    for (int k = 0; k < n; ++k)
      sum += x[k * Width + i] ^ sum;
    int before = sum;
    for (int k = 0; k < n; ++k)
      sum -= x[k * Width + i] * before;
    return sum;
  }
};
struct OneAtATime {
  static int of(const int *x, int i, int n) {
    int sum = 1;
#pragma clang loop unroll(disable)
    for (int k = 0; k < n; ++k)
      sum = sum * 7 + x[k * Width + i];
    return sum;
  }
};

template <class Work> static void run(const int *x, int *r, int n) {
  int i = int(xcc::global_id());
  if (i < Width)
    r[i] = Work::of(x, i, n);
}
// With a barrier behind, and block-shared memory.
template <class Work> static void turned(const int *x, int *r, int n) {
  static xcc::block_shared<int[64]> all;
  int t = int(xcc::thread_idx().x), i = int(xcc::block_idx().x) * 64 + t;
  all[t] = i < Width ? Work::of(x, i, n) : 0;
  xcc::sync_block();
  if (i < Width)
    r[i] = all[t] + (n ? all[t ^ 1] : 0);
}

template <class Work> static void test(const char *name) {
  std::vector<int> x(Width * Height), r(Width);
  for (int i = 0; i != Width * Height; ++i)
    x[i] = i * 31 % 97;
  xcc::buffer<int> from(x), to(Width);
  bool good = true;
  for (int n = 0; n <= Height; ++n) {
    std::vector<int> expected(192), neighbours(Width);
    for (int i = 0; i != Width; ++i)
      expected[i] = Work::of(x.data(), i, n);
    for (int i = 0; i != Width; ++i)
      neighbours[i] = expected[i] + (n ? expected[i ^ 1] : 0);
    expected.resize(Width);
    xcc::launch({{5}, {32}}, run<Work>, from.data(), to.data(), n);
    to.copy_to(r);
    good = good && r == expected;
    xcc::launch({{3}, {64}}, turned<Work>, from.data(), to.data(), n);
    to.copy_to(r);
    good = good && r == neighbours;
  }
  std::printf("%s %s\n", name, good ? "good" : "wrong");
}

int main() {
#define TEST(name) test<name>(#name)
  // CHECK: Column good
  TEST(Column);
  // CHECK: Downwards good
  TEST(Downwards);
  // CHECK: Extremes good
  TEST(Extremes);
  // CHECK: Nested good
  TEST(Nested);
  // CHECK: Twice good
  TEST(Twice);
  // CHECK: OneAtATime good
  TEST(OneAtATime);
}
