// A library with a kernel of internal linkage.
#include <xcc/xcc.h>

static void add(int *p) { p[xcc::global_id()] += 1; }

extern "C" void run_add(int *p, int n) {
  xcc::launch({{1}, {unsigned(n)}}, add, p);
  xcc::synchronize();
}
