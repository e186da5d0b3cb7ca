// Calls that no inliner removes; where the callee is not known, neither is the
// stack's size, and the kernel says so.
// RUN: %object -offload-arch=gfx90a %s -o %t.co && llvm-readelf --notes %t.co | FileCheck %s
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefix=CODE %s
#include <xcc/xcc.h>

struct Shape {
  virtual int area(int) const = 0;
};
struct Square : Shape {
  int area(int n) const override { return n * n; }
};
struct Double : Shape {
  int area(int n) const override { return 2 * n; }
};
int ackermann(int m, int n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
// CHECK: .name: {{.*}}9recursion
// CODE-LABEL: {{^}}{{.*}}9recursion{{.*}}:
// CODE: s_swappc_b64
void recursion(int *p) { p[0] = ackermann(p[1], p[2]); }
// CHECK: .name: {{.*}}9virtually
// CHECK: .uses_dynamic_stack: true
// CODE-LABEL: {{^}}{{.*}}9virtually{{.*}}:
// CODE: s_swappc_b64
void virtually(int *p) {
  Square square;
  Double twice;
  Shape const *shape = p[1] ? (Shape *)&square : &twice;
  p[0] = shape->area(p[1]);
}
// CHECK: .name: {{.*}}8pointers
// CODE-LABEL: {{^}}{{.*}}8pointers{{.*}}:
// CODE: s_swappc_b64
int one(int n) { return n + 1; }
int two(int n) { return n * 3; }
int three(int n) { return n - 7; }
constexpr int (*table[])(int) = {one, two, three};
void pointers(int *p) { p[0] = table[p[1]](p[2]); }
// CHECK: .name: {{.*}}6simple
// CHECK: .private_segment_fixed_size: 0
// CHECK: .uses_dynamic_stack: false
void simple(int *p) { p[0] = 3; }

void start(int *p) {
  xcc::launch({{1}, {1}}, recursion, p);
  xcc::launch({{1}, {1}}, virtually, p);
  xcc::launch({{1}, {1}}, pointers, p);
  xcc::launch({{1}, {1}}, simple, p);
}
