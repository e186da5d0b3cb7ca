// An exception passes through a function of a unit that is compiled without exceptions,
// as on the host. So it does if the function returns a structure, and another
// structure has the same members.
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

// The link takes both for one type.
struct First {
  double half;
  int number;
};
struct Second {
  double half;
  int number;
};
First pairHere(int n);
First pairHere(int n) { return {n * 2.0, n}; }
Second pairBetween(int (*f)(int), int n);

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
static void pairs(int *out) {
  const int i = int(xcc::global_id());
  const First here = pairHere(i);
  try {
    const Second there = pairBetween(third, i);
    out[i] = int(here.half + there.half * 2) + there.number - here.number;
  } catch (const std::out_of_range &) {
    out[i] = -1;
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
  xcc::launch({{2}, {64}}, pairs, out.data());
  out.copy_to(all.data(), 128);
  for (int i = 0; i != 128; ++i)
    differ += all[i] != (i % 3 == 1 ? -1 : 2 * i + i + char(2 * i) + 1 - i);
  std::printf("%d differ\n", differ);
}
