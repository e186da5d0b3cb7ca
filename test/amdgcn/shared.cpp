// Block-shared memory is the LDS: read and written by its own instructions, with
// one barrier instruction between.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefixes=CHECK,GFX9 %s
// RUN: %amdgcn -offload-arch=gfx1100 %s | FileCheck --check-prefixes=CHECK,GFX11 %s
// RUN: %amdgcn -offload-arch=gfx1200 %s | FileCheck --check-prefixes=CHECK,GFX12 %s
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}5fixed{{.*}}:
// GFX9: ds_write_b32
// GFX9: s_barrier
// GFX9: ds_read_b32
// GFX11: ds_store_b32
// GFX11: s_barrier
// GFX11: ds_load_b32
// GFX12: ds_store_b32
// GFX12: s_barrier_signal -1
// GFX12: s_barrier_wait -1
// GFX12: ds_load_b32
// CHECK: s_endpgm
// CHECK: .amdhsa_group_segment_fixed_size 1024
void fixed(float *p) {
  static xcc::block_shared<float[256]> tile;
  unsigned i = xcc::thread_idx().x;
  tile[i] = p[i];
  xcc::sync_block();
  p[i] = tile[255 - i];
}
// The launch's bytes are behind the static ones.
// CHECK-LABEL: {{^}}{{.*}}7dynamic{{.*}}:
// CHECK-NOT: flat_
// CHECK: {{(:|, )64(,|$)}}
// CHECK: s_endpgm
// CHECK: .amdhsa_group_segment_fixed_size 64
void dynamic(float *p) {
  static xcc::block_shared<int> one;
  one = p[77];
  float *all = xcc::dynamic_shared<float>();
  unsigned i = xcc::thread_idx().x;
  all[i] = p[i];
  xcc::sync_block();
  p[i] = all[xcc::dynamic_shared_bytes() / 4 - 1 - i] + one;
}

void start(float *p) {
  xcc::launch({{1}, {256}}, fixed, p);
  xcc::launch({{1}, {256}, 1024}, dynamic, p);
}
