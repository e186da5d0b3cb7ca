// Initialisers of several units and of a library: each runs once, those of
// inline variables and of templates too; what registers itself in another unit
// is there.
// RUN: %xcc -O0 -c %s -o %t.o && %xcc -O0 -c %S/Inputs/initialisers-other.cpp -o %t.other.o
// RUN: %xcc %t.o %t.other.o -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s %S/Inputs/initialisers-other.cpp -o %t && %t | FileCheck %s
#include "Inputs/initialisers.h"
#include <cstdio>

int after_other = from_other + 1;

void kernel(int *out) {
  out[0] = from_other;
  out[1] = int(text_of_other.size());
  out[2] = once[0] + counted<int>::number * 0;
  out[3] = times_made;
  out[4] = 0;
  for (plugin *p = plugins; p; p = p->next)
    out[4] = out[4] * 10 + (p->name[0] == 'f' ? 1 : 2);
}

int main() {
  xcc::buffer<int> out(5);
  xcc::launch({1, 1}, kernel, out.data());
  int here[5];
  out.copy_to(here, 5);
  std::printf("%d %d %d %d %d\n", here[0], here[1], here[2], here[3], here[4]);
  // CHECK: 10 30 6 2 21
}
