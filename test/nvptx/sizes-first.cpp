// The size of a launch is read before the place of a block, which lets ptxas keep
// the size, and what is computed of it, out of the threads' registers.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK: .entry
// CHECK: mov.u32 {{.*}}, %ntid.x;
// CHECK: mov.u32 {{.*}}, %ctaid.x;
void kernel(float *p, int n) {
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x; i < n;
       i += xcc::grid_dim().x * xcc::block_dim().x)
    p[i] *= 2;
}
void start(float *p, int n) { xcc::launch({{1}, {1}}, kernel, p, n); }
