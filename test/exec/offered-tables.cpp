// Tables of other units, of which only the beginning is said to be anything.
// RUN: %xcc -O0 -DTABLES -c %s -o %t.tables.o
// RUN: %xcc -O0 -c %s -o %t.o && %xcc %t.o %t.tables.o -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -DTABLES -c %s -o %t.tables.o
// RUN: %xcc -O2 -c %s -o %t.o && %xcc %t.o %t.tables.o -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -DTABLES -foffload-no-cubin -offload-arch=sm_90,gfx1100 -c %s -o %t.tables.o
// RUN: %xcc -O2 -foffload-no-cubin -offload-arch=sm_90,gfx1100 -c %s -o %t.o
// RUN: %xcc -foffload-no-cubin %t.o %t.tables.o -o %t
// CHECK: 1 2 0 3 0 6 0 3
#include <cstdio>
#include <xcc/xcc.h>

struct pair {
  int a, b;
};
template <class T> struct table {
  static T values[40];
};
extern unsigned char bytes[40];
extern const unsigned char fixed[64];
extern pair pairs[9];
extern template struct table<int>;

#ifdef TABLES
unsigned char bytes[40] = {1, 2};
const unsigned char fixed[64] = {3};
pair pairs[9] = {{5, 6}};
template <class T> T table<T>::values[40] = {1, 2, 3};
template struct table<int>;
#else
void kernel(int *p) {
  int all[] = {bytes[0],  bytes[1],   bytes[39],  fixed[0],
               fixed[63], pairs[0].b, pairs[8].a, table<int>::values[2]};
  for (int i = 0; i < 8; ++i)
    p[i] = all[i];
}
int main() {
  xcc::buffer<int> b(8);
  xcc::launch({{1}, {1}}, kernel, b.data());
  int is[8];
  b.copy_to(is, 8);
  for (int i : is)
    std::printf("%d ", i);
  std::printf("\n");
}
#endif
