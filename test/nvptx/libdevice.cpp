// <cmath> is libdevice's where a toolkit is installed. Its functions are part of the
// kernel, and know whether denormals are kept.
// REQUIRES: libdevice
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_90 -fgpu-flush-denormals-to-zero %s | FileCheck --check-prefix=FLUSH %s
#include <cmath>
#include <xcc/xcc.h>

// FLUSH-NOT: __nvvm_reflect
// CHECK-NOT: {{\.extern|__nvvm_reflect}}
// CHECK-LABEL: .entry {{.*}}5power{{.*}}({{$}}
// CHECK: fma.rn.f32
// CHECK: ret;
// FLUSH-LABEL: .entry {{.*}}5power{{.*}}({{$}}
// FLUSH: fma.rn.ftz.f32
// FLUSH: ret;
void power(float *p) { p[0] = std::exp(p[1]); }
// CHECK-LABEL: .entry {{.*}}7doubles{{.*}}({{$}}
// CHECK: fma.rn.f64
// CHECK-NOT: {{\.extern|call}}
void doubles(double *p) { p[0] = std::log(p[1]); }

void start(float *p, double *d) {
  xcc::launch({{1}, {1}}, power, p);
  xcc::launch({{1}, {1}}, doubles, d);
}
