// A variable that only functions of the host use is no kernel's, also when a kernel
// calls these on the host. What kernels and the host call both has a state for each.
// RUN: %xcc -std=c++20 -Werror -fsyntax-only %s
// RUN: not %xcc -std=c++20 -Werror -fsyntax-only -DPLAIN %s 2>&1 | FileCheck %s
// CHECK: error: a kernel writes the device's copy of 'calls'
// RUN: not %xcc -std=c++20 -Werror -fsyntax-only -DASKS %s 2>&1 | FileCheck %s --check-prefix=ASKS
// ASKS: error: a kernel writes the device's copy of 'total'
// ASKS: [[@LINE+45]]:15: note: the host uses its own here
// ASKS-NOT: error:
#include <map>
#include <xcc/xcc.h>

static std::map<int, int> votes;
static int calls;
XCC_HOST int vote(int v) { return ++votes[v]; }
static void count(int n) { calls += n; }

// The host's run of the same computation, with a state of its own.
static unsigned seed;
static unsigned next() { return seed = seed * 1664525 + 1013904223; }
static int squares[8];
static int square(int i) {
  if (!squares[i])
    squares[i] = i * i;
  return squares[i];
}
// What the host asks for in a function that kernels call too.
static int total;
struct Sum {
  static void add(int n) { total += n; }
  static int get() { return total; }
};

static void direct(int *p) { *p = next() + square(3); }
void kernel() {
  vote(1);
  xcc::host_call(count, 2);
  xcc::host_call([] { ++calls; });
#ifdef PLAIN
  count(3);
#endif
  int n;
  direct(&n);
  Sum::add(Sum::get());
}
int main() {
  xcc::launch({{1}, {1}}, kernel);
  xcc::launch({{1}, {1}}, [] { ++total; });
  xcc::synchronize();
  int expected;
  direct(&expected);
#ifdef ASKS
  expected += Sum::get();
#endif
  return calls + int(votes.size()) + expected;
}
