// 128-bit integers: arithmetic in place, division and conversions in the device
// runtime; nothing is left for a library that a GPU does not have.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-NOT: .extern .func
// CHECK-LABEL: .entry {{.*}}7product{{.*}}({{$}}
// CHECK: mul.hi.u64
// CHECK: ret;
void product(unsigned __int128 *p) { p[0] = p[1] * p[2] + p[3]; }
// CHECK-LABEL: .entry {{.*}}8quotient{{.*}}({{$}}
// CHECK: ret;
void quotient(__int128 *p) { p[0] = p[1] / p[2] + p[3] % p[4]; }
// CHECK-LABEL: .entry {{.*}}7convert{{.*}}({{$}}
// CHECK: ret;
void convert(__int128 *p, unsigned __int128 *u, double *d, float *f) {
  d[0] = p[0], f[0] = u[0];
  p[1] = d[1], u[1] = f[1];
}
// CHECK-NOT: .extern .func

void start(__int128 *p, unsigned __int128 *u, double *d, float *f) {
  xcc::launch({{1}, {1}}, product, u);
  xcc::launch({{1}, {1}}, quotient, p);
  xcc::launch({{1}, {1}}, convert, p, u, d, f);
}
