// What xcc::fast is made of: on GPUs approximate instructions without
// -ffast-math, on the CPU device vector instructions and no calls.
// RUN: %code -offload-arch=sm_90 %s | FileCheck --check-prefix=PTX %s
// RUN: %code -offload-arch=sm_90 -fgpu-flush-denormals-to-zero %s | FileCheck --check-prefix=FLUSH %s
// RUN: %code -offload-arch=gfx90a %s | FileCheck --check-prefix=GCN %s
// RUN: %code %s | FileCheck --check-prefix=CPU %s
#include <xcc/xcc.h>

namespace fast = xcc::fast;

// PTX-LABEL: .entry {{.*}}6single{{.*}}({{$}}
// PTX: ex2.approx.f32
// PTX: lg2.approx.f32
// PTX: sin.approx.f32
// PTX: cos.approx.f32
// PTX: div.approx.f32
// PTX: rcp.approx.f32
// PTX: rsqrt.approx.f32
// PTX: sqrt.approx.f32
// PTX-NOT: call
// PTX: ret;
// FLUSH-LABEL: .entry {{.*}}6single{{.*}}({{$}}
// FLUSH: ex2.approx.ftz.f32
// FLUSH: lg2.approx.ftz.f32
// FLUSH: div.approx.ftz.f32
// FLUSH: rsqrt.approx.ftz.f32
// FLUSH: ret;
// GCN-LABEL: {{^}}{{.*}}6single{{.*}}:
// GCN-NOT: v_div_
// GCN-DAG: v_exp_f32
// GCN-DAG: v_log_f32
// GCN-DAG: v_sin_f32
// GCN-DAG: v_cos_f32
// GCN-DAG: v_rcp_f32
// GCN-DAG: v_rsq_f32
// GCN-DAG: v_sqrt_f32
// GCN-NOT: v_div_
// GCN: s_endpgm
void single(float *p) {
  float sine, cosine;
  p[0] = fast::exp(p[0]);
  p[1] = fast::log(p[1]);
  fast::sincos(p[2], &sine, &cosine);
  p[2] = sine;
  p[3] = cosine;
  p[4] = fast::divide(p[4], p[5]);
  p[6] = fast::rcp(p[6]);
  p[7] = fast::rsqrt(p[7]);
  p[8] = fast::sqrt(p[8]);
}

// A reciprocal of 20 bits, and Newton's method.
// PTX-LABEL: .entry {{.*}}7doubles{{.*}}({{$}}
// PTX: rcp.approx.ftz.f64
// PTX: fma.rn.f64
// PTX-NOT: div.rn.f64
// PTX: ret;
// GCN-LABEL: {{^}}{{.*}}7doubles{{.*}}:
// GCN-NOT: v_div_
// GCN: v_rcp_f64
// GCN-NOT: v_div_
// GCN: s_endpgm
void doubles(double *p) { p[0] = fast::divide(p[1], p[2]); }

// CPU-LABEL: {{^}}{{.*}}4many{{.*}}:
// CPU-NOT: call
// CPU: vmulps {{.*}}ymm
// CPU-NOT: {{call|jmp}}{{.*}}{{expf|logf|sinf|cosf|powf}}
// CPU: .size {{.*}}4many
void many(const float *x, float *y, int n) {
  const int i = int(xcc::global_id());
  if (i < n)
    y[i] = fast::exp(fast::sin(x[i])) + fast::pow(x[i], fast::cos(x[i])) +
           fast::log(x[i]);
}

void start(float *p, double *d) {
  xcc::launch({{1}, {1}}, single, p);
  xcc::launch({{1}, {1}}, doubles, d);
  xcc::launch({{1}, {256}}, many, static_cast<const float *>(p), p, 3);
}
