// What cannot be specialised is said where [[xcc::specialize]] is written; other
// compilers ignore it.
// RUN: not %xcc -std=c++20 -ferror-limit=0 -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %clangxx -std=c++20 -fsyntax-only -Wno-unknown-attributes -DPLAIN %s
#ifndef PLAIN
#include <xcc/xcc.h>
#endif

union either {
  int a;
  float b;
};
struct large {
  int a[40];
};
struct points {
  int n;
  const int *p;
};
struct callable {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'name' of type 'const char *' cannot be specialised: addresses are no constants
  [[xcc::specialize]] const char *name;
  void operator()() const {}
};

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'p' of type 'int *' cannot be specialised: addresses are no constants; what is marked
static void pointer(int *p [[xcc::specialize]]) { *p = 1; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'r' of type 'const int &' cannot be specialised: what a reference refers to may change
static void reference([[xcc::specialize]] const int &r) { (void)r; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'u' of type 'either' cannot be specialised: which member of a union has its value is not known
static void member(either u [[xcc::specialize]]) { (void)u; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'l' of type 'large' cannot be specialised: it is larger than 128 bytes
static void size(large l [[xcc::specialize]]) { (void)l; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: this of type 'points' cannot be specialised: addresses are no constants
static void address([[xcc::specialize]] points) {}
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: 'value' of type 'int *' cannot be specialised
template <class T> static void templated([[xcc::specialize]] T value) { (void)value; }

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: warning: 'xcc::specialize' attribute only applies to parameters and data members
[[xcc::specialize]] static void function(int) {}

#ifndef PLAIN
int main() {
  int n = 0;
  either u{1};
  xcc::launch({{1}, {1}}, pointer, &n);
  xcc::launch({{1}, {1}}, reference, n);
  xcc::launch({{1}, {1}}, member, u);
  xcc::launch({{1}, {1}}, size, large{});
  xcc::launch({{1}, {1}}, address, points{});
  xcc::launch({{1}, {1}}, templated<int>, 1);
  xcc::launch({{1}, {1}}, templated<int *>, &n);
  xcc::launch({{1}, {1}}, callable{"name"});
  xcc::launch({{1}, {1}}, function, 1);
}
#endif
