// What LLVM's code generator gets wrong for AMD GPUs, and is kept from: where
// variables of variable length lie and how much they take, quotients of short
// integers and reversed bytes without optimisation, arrays of threads that it
// moves into the memory of blocks, the sign of zero in products of half, and
// values in accumulation registers.
// RUN: %amdgcn -offload-arch=gfx90a -Wno-vla-cxx-extension %s | FileCheck %s --check-prefixes=CHECK,WAVE
// RUN: %amdgcn -offload-arch=gfx1100 %s | FileCheck %s --check-prefixes=CHECK,LANE
// RUN: %amdgcn -offload-arch=gfx942 %s | FileCheck %s --check-prefix=SAVED
// RUN: %xcc -std=c++20 -O0 -S -foffload-device-only -o - \
// RUN:   -offload-arch=gfx1100 %s | FileCheck %s --check-prefix=SLOW
#include <xcc/xcc.h>

// The stack pointer counts bytes of 64 lanes; an address is one lane's.
// WAVE-LABEL: {{^}}{{.*}}6length{{.*}}:{{$}}
// WAVE: s_mov_b32 [[TOP:s[0-9]+]], s32
// WAVE: s_lshr_b32 s{{[0-9]+}}, [[TOP]], 6
// It counts a lane's bytes, and moves by what the greediest lane wants.
// LANE-LABEL: {{^}}{{.*}}6length{{.*}}:{{$}}
// LANE: v_lshlrev_b32_e32 [[BYTES:v[0-9]+]], 2, v{{[0-9]+}}
// LANE: v_readlane_b32 s{{[0-9]+}}, [[BYTES]]
// LANE: s_max_u32 [[MOST:s[0-9]+]]
// LANE: v_add3_u32 [[END:v[0-9]+]], v{{[0-9]+}}, [[MOST]], 15
// LANE: v_and_b32_e32 [[END]], -16, [[END]]
// LANE: s_mov_b32 s32, s
void length(int *p, int n) {
  const int t = xcc::thread_idx().x;
  int own[n + t];
  for (int i = 0; i < n + t; ++i)
    own[i] = p[i] * t;
  p[t] = own[p[t]];
}
// The stack pointer is saved and restored as it is: it need be no multiple of
// the lanes.
// SAVED-LABEL: {{^}}{{.*}}5again{{.*}}:{{$}}
// SAVED: v_readfirstlane_b32 [[TOP:s[0-9]+]], v
// SAVED-NOT: s_lshl_b32 [[TOP]]
// SAVED: s_mov_b32 s32, [[TOP]]
// SAVED: v_mov_b32_e32 v{{[0-9]+}}, s32
// SAVED: s_endpgm
void again(int *p, int n) {
  for (int i = 1; i < n; ++i) {
    int own[i];
    for (int j = 0; j < i; ++j)
      own[j] = p[j];
    p[i] = own[p[i]];
  }
}
// The lanes of an inner branch come back before those of the outer one.
// WAVE-LABEL: {{^}}{{.*}}5inner{{.*}}:{{$}}
// WAVE: s_and_saveexec_b64 [[OUTER:s.[0-9:]+.]], vcc
// WAVE: s_and_saveexec_b64 [[INNER:s.[0-9:]+.]], vcc
// WAVE: s_or_b64 exec, exec, [[INNER]]
// WAVE: s_or_b64 exec, exec, [[OUTER]]
void inner(int *p) {
  const int t = xcc::thread_idx().x;
  if (p[t] > 1) {
    p[t + 100] = 5;
    if (p[t + 200] > 2)
      p[t + 300] = 6;
  }
  xcc::sync_block();
  p[t + 400] = p[400 - t];
}
// CHECK-LABEL: {{^}}{{.*}}5array{{.*}}:{{$}}
// CHECK: .amdhsa_group_segment_fixed_size 0
XCC_LAUNCH_BOUNDS(64) void array(int *p) {
  const int t = xcc::thread_idx().x;
  int own[16];
  for (int i = 0; i < 16; ++i)
    own[i] = p[i + t];
  p[t] = own[p[t] & 15];
}
// v_fma_mixlo_f16 would add +0 to the product.
// CHECK-LABEL: {{^}}{{.*}}7product{{.*}}:{{$}}
// CHECK-NOT: v_fma_mix
// CHECK: v_mul_f32
// CHECK: .amdhsa_kernel
void product(_Float16 *p, float f, float g) {
  p[0] = (_Float16)((float)p[0] * f);
  p[1] = (_Float16)(f * g);
}
// SLOW-LABEL: {{^}}{{.*}}6narrow{{.*}}:{{$}}
// SLOW-NOT: v_trunc_f32
// SLOW-NOT: v_perm_b32 {{.*}}.l
// SLOW: .amdhsa_kernel
void narrow(short *p, unsigned long *q) {
  p[0] = p[1] / p[2] + p[3] % p[4];
  q[0] = __builtin_bswap64(q[1]);
}
// More values over a call than there are vector registers.
// WAVE-LABEL: {{^}}{{.*}}4many{{.*}}:{{$}}
// WAVE-NOT: accvgpr
// WAVE: .amdhsa_kernel
[[gnu::noinline]] float changed(float *p, int n) {
  return n ? changed(p, n - 1) * p[n] + changed(p, n / 2) : p[0];
}
void many(float *p) {
  const int t = xcc::thread_idx().x;
  float own[200];
#pragma unroll
  for (int i = 0; i < 200; ++i)
    own[i] = p[i * 64 + t];
  const float sum = changed(p, t);
#pragma unroll
  for (int i = 0; i < 200; ++i)
    p[i * 64 + t] = own[199 - i] * sum;
}
void start(int *p) {
  xcc::launch({{1}, {32}}, length, p, 3);
  xcc::launch({{1}, {32}}, again, p, 3);
  xcc::launch({{1}, {32}}, inner, p);
  xcc::launch({{1}, {32}}, array, p);
  xcc::launch({{1}, {1}}, product, (_Float16 *)p, 1.f, 2.f);
  xcc::launch({{1}, {32}}, many, (float *)p);
  xcc::launch({{1}, {32}}, narrow, (short *)p, (unsigned long *)p);
}
