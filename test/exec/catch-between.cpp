// An exception passes through a function of a unit that is compiled without exceptions,
// as on the host.
// RUN: %xcc -O0 -w -fno-exceptions -c %S/Inputs/without-exceptions.cpp -o %t.o
// RUN: %xcc -O0 -w %s %t.o -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -w -fno-exceptions -c %S/Inputs/without-exceptions.cpp -o %t.o
// RUN: %xcc -O2 -w %s %t.o -o %t-2 && %t-2 | FileCheck %s
// CHECK: 0 differ
#include <cstdio>
#include <stdexcept>
#include <vector>
#include <xcc/xcc.h>

int between(int (*f)(int), int n);

static int third(int n) {
  if (n % 3 == 1)
    throw std::out_of_range("third");
  return n;
}
static void kernel(int *out) {
  const int i = int(xcc::global_id());
  try {
    out[i] = between(third, i);
    xcc::sync_block();
  } catch (const std::out_of_range &e) {
    out[i] = -e.what()[0];
    xcc::sync_block();
  }
}

int main() {
  xcc::buffer<int> out(128);
  std::vector<int> all(128);
  xcc::launch({{2}, {64}}, kernel, out.data());
  out.copy_to(all.data(), 128);
  int differ = 0;
  for (int i = 0; i != 128; ++i)
    differ += all[i] != (i % 3 == 1 ? -'t' : i + 1);
  std::printf("%d differ\n", differ);
}
