// Recursion, virtual functions and pointers to functions are calls in PTX, all of
// them through pointers. Tables of types bring no heap along: what a virtual call may
// reach, and so what it costs.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s --check-prefix=HEAP
// HEAP-NOT: free
#include <xcc/xcc.h>

// CHECK-DAG: .global .align 8 {{.*}}_ZTV6Square
struct Shape {
  virtual int area(int) const = 0;
};
struct Square : Shape {
  int area(int n) const override { return n * n; }
};
struct Double : Shape {
  int area(int n) const override { return 2 * n; }
};
// CHECK-LABEL: .entry {{.*}}9recursion{{.*}}({{$}}
// CHECK: ld.const.b64 [[F:%rd[0-9]+]], {{\[}}__xcc_calls
// CHECK: call {{.*}}[[F]]
int ackermann(int m, int n) {
  return m == 0 ? n + 1
                : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
void recursion(int *p) { p[0] = ackermann(p[1], p[2]); }

// CHECK-LABEL: .entry {{.*}}9virtually{{.*}}({{$}}
// CHECK: prototype_{{[0-9]+}} : .callprototype
// CHECK: call
[[gnu::noinline]] int of(const Shape &shape, int n) { return shape.area(n); }
void virtually(int *p) {
  Square square;
  Double twice;
  Shape const *shape = p[1] ? (Shape *)&square : &twice;
  p[0] = shape->area(p[1]);
}
// CHECK-LABEL: .entry {{.*}}8pointers{{.*}}({{$}}
// CHECK: call
int one(int n) { return n + 1; }
int two(int n) { return n * 3; }
int three(int n) { return n - 7; }
constexpr int (*table[])(int) = {one, two, three};
void pointers(int *p) { p[0] = table[p[1]](p[2]); }

void start(int *p) {
  xcc::launch({{1}, {1}}, recursion, p);
  xcc::launch({{1}, {1}}, virtually, p);
  xcc::launch({{1}, {1}}, pointers, p);
}
