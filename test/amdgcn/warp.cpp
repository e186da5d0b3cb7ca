// Warps have as many lanes as the wavefront: shuffles permute within it, a ballot
// is the mask of lanes itself, and the size is a constant of the target.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefixes=CHECK,W64 %s
// RUN: %amdgcn -offload-arch=gfx1100 %s | FileCheck --check-prefixes=CHECK,W32 %s
// RUN: %amdgcn -offload-arch=gfx1100 -mwavefrontsize64 %s | FileCheck --check-prefixes=CHECK,W64 %s
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}4move{{.*}}:
// CHECK: ds_bpermute_b32
// CHECK-NOT: ds_bpermute_b32
// CHECK: s_endpgm
void move(int *p) {
  p[xcc::thread_idx().x] = xcc::shuffle(p[xcc::thread_idx().x], p[70]);
}
// CHECK-LABEL: {{^}}{{.*}}4wide{{.*}}:
// CHECK-COUNT-2: ds_bpermute_b32
// CHECK-NOT: ds_bpermute_b32
// CHECK: s_endpgm
void wide(double *p, int lane) {
  p[xcc::thread_idx().x] = xcc::shuffle(p[xcc::thread_idx().x], lane);
}
// CHECK-LABEL: {{^}}{{.*}}4vote{{.*}}:
// W64: v_cmp_{{.*}}_i32_e{{(32|64)}} {{vcc|s\[}}
// W32: v_cmp_{{.*}}_i32_e{{(32|64)}} {{vcc_lo|s[0-9]}}
// CHECK: global_store_{{(dwordx2|b64)}}
void vote(int *p, unsigned long *out) { *out = xcc::ballot(p[xcc::lane_id()] > 3); }
// CHECK-LABEL: {{^}}{{.*}}4size{{.*}}:
// W64: mov_b32{{.*}} 64{{$}}
// W32: mov_b32{{.*}} 32{{$}}
// CHECK: global_store
void size(unsigned *p) { *p = xcc::warp_size(); }
// CHECK-LABEL: {{^}}{{.*}}4lane{{.*}}:
// CHECK: v_mbcnt_lo_u32_b32
// W64: v_mbcnt_hi_u32_b32
// W32-NOT: v_mbcnt_hi_u32_b32
// CHECK: s_endpgm
void lane(unsigned *p) { p[xcc::lane_id()] = 7; }

void start(int *p, double *d, unsigned long *l, unsigned *u) {
  xcc::launch({{1}, {32}}, move, p);
  xcc::launch({{1}, {32}}, wide, d, 3);
  xcc::launch({{1}, {32}}, vote, p, l);
  xcc::launch({{1}, {32}}, size, u);
  xcc::launch({{1}, {32}}, lane, u);
}
