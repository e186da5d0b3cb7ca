// A program in one file.
#include <cstdio>
#include <xcc/xcc.h>

void twice(int *p) { p[xcc::global_id()] *= 2; }

int main() {
  xcc::buffer<int> b(4);
  int a[4] = {1, 2, 3, 4};
  b.copy_from(a, 4);
  xcc::launch({{1}, {4}}, twice, b.data());
  b.copy_to(a, 4);
  std::printf("result: %d %d %d %d\n", a[0], a[1], a[2], a[3]);
}
