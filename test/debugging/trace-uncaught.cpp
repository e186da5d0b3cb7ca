// XCC_TRACE is written also when an error that nobody catches ends the program,
// whose own terminate handler runs after that.
// RUN: %xcc -O2 %s -o %t
// RUN: rm -f %t.json && env XCC_TRACE=%t.json %not --crash %t 2>&1 | %FileCheck %s
// RUN: %python -m json.tool %t.json | %FileCheck %s --check-prefix=TRACE
// RUN: %not --crash %t 2>&1 | %FileCheck %s
// CHECK: the program's own handler
// TRACE: faults
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <xcc/xcc.h>

void faults(int *p) { p[xcc::global_id()] = 1; }

int main() {
  std::set_terminate([] {
    fprintf(stderr, "the program's own handler\n");
    abort();
  });
  xcc::launch({{1}, {1}}, faults, (int *)nullptr);
  xcc::synchronize();
}
