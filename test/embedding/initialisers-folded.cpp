// What Clang or LLVM computes of initialisers is no code: the image has no
// kernel for it, and a program pays nothing when it loads one.
// RUN: %xcc -O0 %s -o %t && %xcc-info %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %xcc-info %t | FileCheck %s
// RUN: %xcc -O2 -DRUNS %s -o %t && %xcc-info %t | FileCheck %s --check-prefix=RUNS
// CHECK: kernel
// CHECK-NOT: __xcc_init
// CHECK-NOT: initialisers of global variables
// RUNS: initialisers of global variables
#include <array>
#include <atomic>
#include <xcc/xcc.h>

struct tag {
  tag() {}
  tag(int) {}
  ~tag() {}
};
struct point {
  int x, y;
  point(int x, int y) : x(x), y(y) {}
};
struct base {
  virtual int get() const { return 1; }
  int n;
  base(int n) : n(n) {}
};
struct derived : base {
  derived() : base(5) {}
  int get() const override { return n; }
};
tag first, second(2), many[3];
std::array<int, 4> zeros;
std::atomic<int> counted{5};
point made(3, 4);
int sum = made.x + made.y;
derived object;
const base &reference = object;
inline point in_header(7, 8);
template <class T> struct holder {
  static point of_template;
};
template <class T> point holder<T>::of_template(sizeof(T), 1);
#ifdef RUNS
int looped = [] {
  volatile int s = 0;
  for (int i = 0; i < 10; ++i)
    s = s + i;
  return s;
}();
#else
int looped = 3;
#endif

void kernel(int *out) {
  tag copy = first;
  (void)copy, (void)second, (void)many;
  *out = zeros[1] + counted + made.x + sum + reference.get() + in_header.y +
         holder<char>::of_template.x + looped;
}
int main() {
  int *p = nullptr;
  xcc::launch({1, 1}, kernel, p);
}
