// Weak symbols that nothing defines are null, and those that something defines
// are not.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

extern "C" {
[[gnu::weak]] int nowhere(int);
extern int no_number __attribute__((weak));
[[gnu::weak]] int here(int number) { return number + 1; }
int a_number __attribute__((weak)) = 7;
}
using function = int (*)(int);

void ask(int *out) {
  out[0] = nowhere ? nowhere(3) : 42;
  out[1] = &no_number ? no_number : 43;
  out[2] = here ? here(4) : 0;
  out[3] = a_number;
  const function functions[] = {nowhere, here};
  out[4] = 0;
  for (function each : functions)
    if (each)
      out[4] += each(10);
}

int main() {
  xcc::buffer<int> out(5);
  xcc::launch({{1}, {1}}, ask, out);
  int values[5];
  out.copy_to(values, 5);
  for (int value : values)
    std::printf("%d ", value); // CHECK: 42 43 5 7 11
}
