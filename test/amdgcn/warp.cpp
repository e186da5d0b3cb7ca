// Warps have as many lanes as the wavefront: shuffles permute within it, a ballot
// is the mask of lanes itself, and the size is a constant of the target.
// Where ds_bpermute reaches 32 lanes of 64, the halves are swapped (gfx11), or what
// comes from the other half goes through scalar registers (gfx10); no such loop
// takes lanes apart.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefixes=CHECK,ONE,W64 %s
// RUN: %amdgcn -offload-arch=gfx1200 -mwavefrontsize64 %s | FileCheck --check-prefixes=CHECK,ONE,W64 %s
// RUN: %amdgcn -offload-arch=gfx1100 %s | FileCheck --check-prefixes=CHECK,ONE,W32 %s
// RUN: %amdgcn -offload-arch=gfx1030 %s | FileCheck --check-prefixes=CHECK,ONE,W32 %s
// RUN: %amdgcn -offload-arch=gfx1100 -mwavefrontsize64 %s | FileCheck --check-prefixes=CHECK,SWAP,W64 %s
// RUN: %amdgcn -offload-arch=gfx1030 -mwavefrontsize64 %s | FileCheck --check-prefixes=CHECK,LOOP,W64 %s
// RUN: %amdgcn -offload-arch=gfx10-1-generic -mwavefrontsize64 %s | FileCheck --check-prefixes=CHECK,LOOP,W64 %s
//
// Marks tell a simulator what orders lanes.
// RUN: %amdgcn -offload-arch=gfx90a -foffload-red-zones %s | FileCheck --check-prefix=MARKS %s
// MARKS-LABEL: {{^}}{{.*}}4move{{.*}}:
// MARKS: s_setprio 0x5a00
// MARKS: ds_bpermute_b32
// MARKS: s_setprio 0x5b00
// MARKS: s_endpgm
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}4move{{.*}}:
// ONE: ds_bpermute_b32
// ONE-NOT: ds_bpermute_b32
// SWAP-DAG: v_permlane64_b32
// SWAP-DAG: ds_bpermute_b32
// SWAP-DAG: ds_bpermute_b32
// LOOP: ds_bpermute_b32
// LOOP: s_ff1_i32_b64
// LOOP-NOT: exec
// LOOP-DAG: v_readlane_b32
// LOOP-DAG: v_readlane_b32
// LOOP: s_cbranch_scc
// CHECK: s_endpgm
void move(int *p) {
  p[xcc::thread_idx().x] = xcc::shuffle(p[xcc::thread_idx().x], p[xcc::lane_id() + 70]);
}
// CHECK-LABEL: {{^}}{{.*}}4wide{{.*}}:
// ONE-COUNT-2: ds_bpermute_b32
// ONE-NOT: ds_bpermute_b32
// SWAP-COUNT-2: v_permlane64_b32
// One loop for both words.
// LOOP-COUNT-3: v_readlane_b32
// LOOP-NOT: v_readlane_b32
// CHECK: s_endpgm
void wide(double *p, int lane) {
  p[xcc::thread_idx().x] = xcc::shuffle(p[xcc::thread_idx().x], xcc::lane_id() * lane);
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
