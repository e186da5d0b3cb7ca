// Contraction is on for kernels; -ffast-math and flushed denormals are when asked for.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefixes=CHECK,FMA %s
// RUN: %amdgcn -offload-arch=gfx90a -ffp-contract=off %s | FileCheck --check-prefixes=CHECK,OFF %s
// RUN: %amdgcn -offload-arch=gfx90a -ffast-math %s | FileCheck --check-prefix=FAST %s
// RUN: %amdgcn -offload-arch=gfx90a -fgpu-flush-denormals-to-zero %s | FileCheck --check-prefix=FLUSH %s
#include <cmath>
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}3add{{.*}}:
// FMA: v_fma{{c?}}_f32
// OFF: v_mul_f32
// OFF: v_add_f32
// CHECK: .amdhsa_float_denorm_mode_32 3
// FLUSH-LABEL: {{^}}{{.*}}3add{{.*}}:
// FLUSH: .amdhsa_float_denorm_mode_32 0
// FLUSH: .amdhsa_float_denorm_mode_16_64 3
void add(float *p) { p[0] = p[1] * p[2] + p[3]; }
// CHECK-LABEL: {{^}}{{.*}}6divide{{.*}}:
// CHECK: v_div_scale_f32
// CHECK: v_div_fixup_f32
// FAST-LABEL: {{^}}{{.*}}6divide{{.*}}:
// FAST-NOT: v_div
// FAST: v_rcp_f32
// FAST: s_endpgm
void divide(float *p) { p[0] = p[1] / p[2]; }
// FAST-LABEL: {{^}}{{.*}}9functions{{.*}}:
// FAST: v_sin_f32
// FAST: v_exp_f32
// FAST: v_log_f32
// FAST: s_endpgm
void functions(float *p) {
  p[0] = std::sin(p[1]);
  p[2] = std::exp2(p[3]);
  p[4] = std::log2(p[5]);
}

void start(float *p) {
  xcc::launch({{1}, {1}}, add, p);
  xcc::launch({{1}, {1}}, divide, p);
  xcc::launch({{1}, {1}}, functions, p);
}
