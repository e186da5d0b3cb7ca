#include "kernels.h"
#include <cstdio>
#include <xcc/xcc.h>

void twice(int *p) { p[xcc::global_id()] *= 2; }

int main() {
  xcc::buffer<int> numbers(64);
  fill(numbers.data(), 64);
  xcc::launch({{1}, {64}}, twice, numbers.data());
  int last;
  xcc_memory_copy(&last, numbers.data() + 63, sizeof last);
  std::printf("the last number is %d\n", last);
}
