// 128-bit integers: arithmetic in place, division and conversions in the device
// runtime.
// RUN: %object -offload-arch=gfx90a %s -o %t.co && llvm-readelf --dyn-syms %t.co | FileCheck %s
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefix=CODE %s
#include <xcc/xcc.h>
// CHECK-NOT: UND {{[^ ]}}

// CODE-LABEL: {{^}}{{.*}}7product{{.*}}:
// CODE: v_mad_u64_u32
// CODE: s_endpgm
void product(unsigned __int128 *p) { p[0] = p[xcc::lane_id()] * p[2] + p[3]; }
void quotient(__int128 *p) { p[0] = p[1] / p[2] + p[3] % p[4]; }
void convert(__int128 *p, unsigned __int128 *u, double *d, float *f) {
  d[0] = p[0], f[0] = u[0];
  p[1] = d[1], u[1] = f[1];
}
void start(__int128 *p, unsigned __int128 *u, double *d, float *f) {
  xcc::launch({{1}, {1}}, product, u);
  xcc::launch({{1}, {1}}, quotient, p);
  xcc::launch({{1}, {1}}, convert, p, u, d, f);
}
