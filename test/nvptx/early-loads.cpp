// A load from device memory stands where its address is known, in front of what is
// computed for the store after it.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK: .entry
// CHECK: ld.global
// CHECK: {{_ZZ.*tile}}
// CHECK: st.shared
void kernel(float *p, const float *q, int width) {
  static xcc::block_shared<float[32][33]> tile;
  int x = xcc::thread_idx().x, y = xcc::thread_idx().y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    tile[y + j][x] = q[(y + j) * width + x];
  xcc::sync_block();
  p[y * 32 + x] = tile[x][y];
}
void start(float *p, const float *q) { xcc::launch({{1}, {32, 8}}, kernel, p, q, 3); }
