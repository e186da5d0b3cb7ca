// Tables in constant memory hold what they say: read at one place by all
// threads, at places of their own, through a copy, and exchanged structures.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// CHECK: 30 60 90 41
// CHECK-NEXT: 5 6 7 9 1 2 3 4
#include <cstdio>
#include <xcc/xcc.h>

static constexpr int Weights[4] = {10, 20, 30, 40};
static const int Places[4] = {0, 1, 2, 3};
struct alignas(16) Quad {
  int x, y, z, w;
};
static constexpr Quad Quads[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};

void sums(int *out, int taps) {
  int lane = xcc::thread_idx().x;
  int sum = 0;
  for (int tap = 0; tap < taps; ++tap)
    sum += Weights[tap & 3];
  out[lane] = lane < 3 ? sum * (Places[lane] + 1) : Weights[lane] + 1;
}
void swap(Quad *a, Quad *b, int first) {
  *a = Quads[first];
  *b = Quads[1 - first];
  Quad old = *a;
  *a = *b;
  *b = old;
  a->w += 1;
}

int main() {
  xcc::buffer<int> out(4);
  xcc::launch({{1}, {4}}, sums, out.data(), 2);
  int o[4];
  out.copy_to(o, 4);
  std::printf("%d %d %d %d\n", o[0], o[1], o[2], o[3]);
  xcc::buffer<Quad> quads(2);
  xcc::launch({{1}, {1}}, swap, quads.data(), quads.data() + 1, 0);
  Quad q[2];
  quads.copy_to(q, 2);
  std::printf("%d %d %d %d %d %d %d %d\n", q[0].x, q[0].y, q[0].z, q[0].w,
              q[1].x, q[1].y, q[1].z, q[1].w);
}
