// Under -ffast-math, functions of <cmath> are the GPU's approximate instructions,
// for which no library is needed; those of double are as exact as ever.
// RUN: %ptx -offload-arch=sm_90 -ffast-math %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_90 -ffast-math -fgpu-flush-denormals-to-zero %s | FileCheck --check-prefix=FLUSH %s
#include <cmath>
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}9functions{{.*}}({{$}}
// CHECK-NOT: fma
// CHECK: sin.approx.f32
// CHECK: mul{{(.rn)?}}.f32
// CHECK: ex2.approx.f32
// CHECK: lg2.approx.f32
// CHECK-NOT: call
// CHECK: ret;
// FLUSH: sin.approx.ftz.f32
// FLUSH: ex2.approx.ftz.f32
void functions(float *p) {
  p[0] = std::sin(p[1]);
  p[2] = std::exp(p[3]);
  p[4] = std::log(p[5]);
}

void start(float *p) { xcc::launch({{1}, {1}}, functions, p); }
