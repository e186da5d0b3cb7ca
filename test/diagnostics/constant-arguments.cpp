// xcc::constant stands for what a kernel's code can know.
// RUN: %not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

void takes(int *, int, float) {}
void refers(const int &) {}
struct both {
  int a, b;
  both(int n) : a(n), b(n) {}
};
void object(both) {}

void launches(int *p) {
  xcc::launch({{1}, {1}}, takes, p, xcc::constant(1), xcc::constant(2));
  // CHECK-DAG: constant-arguments.cpp:[[@LINE+1]]:{{.*}}: error: no viable conversion from 'constant_value<int>' to 'int *'
  xcc::launch({{1}, {1}}, takes, xcc::constant(1), 1, 1);
  // CHECK-DAG: error: static assertion failed{{.*}}: xcc::constant takes a number, an enumerator or a launch_config
  // CHECK-DAG: constant-arguments.cpp:[[@LINE+1]]:{{.*}}: error: no viable conversion from 'constant_value<const char *>' to 'int'
  xcc::launch({{1}, {1}}, takes, p, xcc::constant("one"), 1);
  // CHECK-DAG: error: static assertion failed{{.*}}: xcc::constant stands for a parameter that is a number or an enumerator of at most 8 bytes, and no reference
  xcc::launch({{1}, {1}}, refers, xcc::constant(1));
  // CHECK-DAG: constant-arguments.cpp:[[@LINE+1]]:{{.*}}: error: no viable conversion from 'constant_value<int>' to 'both'
  xcc::launch({{1}, {1}}, object, xcc::constant(1));
}
