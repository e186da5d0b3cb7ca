// A lambda in a pack's expansion is a kernel for each element.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -c %s -o %t.o && %xcc %t.o -o %t && %t | FileCheck %s
// CHECK: 1 2 4 8
// CHECK: 10 20 30
#include <cstdio>
#include <xcc/xcc.h>

template <class... T> void sizes(int *out) {
  int i = 0;
  (xcc::launch({{1}, {1}}, [out, at = i++] { out[at] = int(sizeof(T)); }), ...);
}
template <int... N> void numbers(int *out) {
  int i = 0;
  auto each = [&](auto f) { xcc::launch({{1}, {1}}, [f, to = out + i++] { *to = f(); }); };
  (each([] { return N; }), ...);
}
int main() {
  xcc::buffer<int> b(8);
  sizes<char, short, int, double>(b.data());
  numbers<10, 20, 30>(b.data() + 4);
  int out[8];
  b.copy_to(out, 8);
  std::printf("%d %d %d %d\n%d %d %d\n", out[0], out[1], out[2], out[3], out[4],
              out[5], out[6]);
}
