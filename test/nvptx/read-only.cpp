// What only __restrict parameters read goes through the read-only cache; what
// another parameter may write does not.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}7promise{{.*}}({{$}}
// CHECK: ld.global.nc.b32
// CHECK: ret;
void promise(const float *__restrict in, float *__restrict out) {
  out[xcc::thread_idx().x] = in[xcc::thread_idx().x];
}
// CHECK-LABEL: .entry {{.*}}6nobody{{.*}}({{$}}
// CHECK: ld.global.b32
// CHECK: ret;
void nobody(const float *in, float *out) {
  out[xcc::thread_idx().x] = in[xcc::thread_idx().x];
}
// CHECK-LABEL: .entry {{.*}}7written{{.*}}({{$}}
// CHECK-NOT: .nc
// CHECK: ret;
void written(float *__restrict both) { both[xcc::thread_idx().x] += 1; }

void start(float *p, float *q) {
  xcc::launch({{1}, {1}}, promise, p, q);
  xcc::launch({{1}, {1}}, nobody, p, q);
  xcc::launch({{1}, {1}}, written, p);
}
