// Block-shared variables, static and of the launch, are shared memory, and are
// read and written as such.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK: .extern .shared .align 64 .b8 __xcc_dynamic_shared_bytes[]
static xcc::block_shared<double[2]> atScope;

// CHECK-LABEL: .entry {{.*}}5fixed{{.*}}({{$}}
// CHECK: .shared .align 4 .b8 {{.*}}4tile[1024]
// CHECK: st.shared.b32
// CHECK: bar{{(rier)?}}.sync 0;
// CHECK: ld.shared.b32
// CHECK: ret;
void fixed(float *p) {
  static xcc::block_shared<float[256]> tile;
  unsigned i = xcc::thread_idx().x;
  tile[i] = p[i];
  xcc::sync_block();
  p[i] = tile[255 - i];
}
// CHECK-LABEL: .entry {{.*}}7dynamic{{.*}}({{$}}
// CHECK: .shared .align 8 .b8 {{.*}}atScope[16]
// CHECK-DAG: st.shared.b32
// CHECK-DAG: st.shared.b64
// CHECK: bar{{(rier)?}}.sync 0;
// CHECK-DAG: mov.u32 {{.*}} %dynamic_smem_size;
// CHECK-DAG: ld.shared.b32
// CHECK-DAG: ld.shared.b64
// CHECK: ret;
void dynamic(float *p) {
  float *all = xcc::dynamic_shared<float>();
  unsigned i = xcc::thread_idx().x;
  all[i] = p[i];
  atScope[i & 1] = p[i];
  xcc::sync_block();
  p[i] = all[xcc::dynamic_shared_bytes() / 4 - 1 - i] + atScope[0];
}

void start(float *p) {
  xcc::launch({{1}, {256}}, fixed, p);
  xcc::launch({{1}, {256}, 1024}, dynamic, p);
}
