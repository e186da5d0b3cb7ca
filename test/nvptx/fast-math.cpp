// -ffast-math, its parts and contraction hold for the device: multiply-adds by
// default, as GPU compilers do; approximate functions only when asked for.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefixes=CHECK,FMA %s
// RUN: %ptx -offload-arch=sm_90 -ffp-contract=off %s | FileCheck --check-prefixes=CHECK,OFF %s
// RUN: %ptx -offload-arch=sm_90 -ffast-math %s | FileCheck --check-prefix=FAST %s
// RUN: %ptx -offload-arch=sm_90 -fgpu-flush-denormals-to-zero %s | FileCheck --check-prefix=FLUSH %s
#include <cmath>
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}3add{{.*}}({{$}}
// FMA: fma.rn.f32
// OFF: mul.rn.f32
// OFF: add.rn.f32
// FLUSH-LABEL: .entry {{.*}}3add{{.*}}({{$}}
// FLUSH: fma.rn.ftz.f32
void add(float *p) { p[0] = p[1] * p[2] + p[3]; }

// CHECK-LABEL: .entry {{.*}}6divide{{.*}}({{$}}
// CHECK: div.rn.f32
// CHECK: sqrt.rn.f32
// FAST-LABEL: .entry {{.*}}6divide{{.*}}({{$}}
// FAST: div.approx.f32
// FAST: sqrt.approx.f32
// FLUSH-LABEL: .entry {{.*}}6divide{{.*}}({{$}}
// FLUSH: div.rn.ftz.f32
// FLUSH: sqrt.rn.ftz.f32
void divide(float *p) {
  p[0] = p[1] / p[2];
  p[3] = std::sqrt(p[4]);
}
// Doubles have denormals either way.
// FLUSH-LABEL: .entry {{.*}}7doubles{{.*}}({{$}}
// FLUSH-NOT: ftz
// FLUSH: fma.rn.f64
void doubles(double *p) { p[0] = p[1] * p[2] + p[3]; }

// The order of a sum is the program's, unless it need not be.
// CHECK-LABEL: .entry {{.*}}5order{{.*}}({{$}}
// CHECK: add{{(.rn)?}}.f32
// FAST-LABEL: .entry {{.*}}5order{{.*}}({{$}}
// FAST-NOT: add
// FAST: ret;
void order(float *p) { p[0] = (p[1] + 3.0f) - 3.0f; }

void start(float *p, double *d) {
  xcc::launch({{1}, {1}}, add, p);
  xcc::launch({{1}, {1}}, divide, p);
  xcc::launch({{1}, {1}}, doubles, d);
  xcc::launch({{1}, {1}}, order, p);
}
