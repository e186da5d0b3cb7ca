// Pointers to one of two local variables, where all threads of a block choose
// the same: in kernels with arrays of variable length, and in functions.
// RUN: %xcc -std=c++20 -O0 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr int threads = 70, blocks = 5;

[[gnu::noinline]] int sum(const int *a, int n) {
  int result = n;
  for (int i = 0; i < n; ++i)
    result = result * 31 + a[i];
  return result;
}

inline int chosen(int t, bool first, int at) {
  int left[4] = {t, 1, 2}, right[4] = {5, t};
  int *p = first ? left : right;
  p[at] += 8;
  return sum(left, 4) * 3 + sum(right, 4);
}
void in_kernel(int *out, int which) {
  const int t = int(xcc::thread_idx().x), length = t % 4 + which + 1;
  int own[length];
  for (int k = 0; k < length; ++k)
    own[k] = k + t;
  out[xcc::block_idx().x * threads + t] =
      chosen(t, which > 2, 1) + sum(own, length);
}

template <class Block> [[gnu::noinline]] int function(int t, Block block) {
  return chosen(t, block() > 2, 1) + chosen(t + 1, block() == 1, 2);
}
template <class Block> [[gnu::noinline]] int middle(int t, Block block) {
  int a[4] = {t, 7, 8, 9}, b[6] = {1, t, 3, 4, 5, 6};
  const int *p = block() > 3 ? a + 1 : b + 2;
  return sum(p, 3) + p[t % 3] + sum(a, 4) + sum(b, 6);
}
void in_functions(int *out, int) {
  const int t = int(xcc::thread_idx().x);
  auto block = [] { return int(xcc::block_idx().x); };
  out[block() * threads + t] = function(t, block) * 5 + middle(t, block);
}

int main() {
  xcc::buffer<int> out(threads * blocks);
  std::vector<int> values(threads * blocks);
  for (int which = 0; which < 5; ++which) {
    xcc::launch({blocks, threads}, in_kernel, out.data(), which);
    out.copy_to(values.data(), values.size());
    for (int t = 0; t < threads; ++t) {
      std::vector<int> own;
      for (int k = 0; k < t % 4 + which + 1; ++k)
        own.push_back(k + t);
      check(values[t] ==
                chosen(t, which > 2, 1) + sum(own.data(), int(own.size())),
            "in a kernel");
    }
  }
  xcc::launch({blocks, threads}, in_functions, out.data(), 0);
  out.copy_to(values.data(), values.size());
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t) {
      auto block = [=] { return b; };
      check(values[b * threads + t] ==
                function(t, block) * 5 + middle(t, block),
            "in functions");
    }
  std::puts("all same"); // CHECK: all same
}
