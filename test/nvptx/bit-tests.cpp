// Of (x & 8) != 0 beside a comparison LLVM's instruction selection makes the lowest
// bit of x >> 3, with an instruction more.
// RUN: %ptx -offload-arch=sm_70 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK: .entry
// CHECK-NOT: shr
// CHECK-COUNT-6: bar.sync
// CHECK-NOT: shr
// CHECK: ret;
void sorted(unsigned *out) {
  static xcc::block_shared<unsigned[512]> keys;
  const unsigned t = xcc::thread_idx().x;
  for (unsigned size = 2; size <= 8; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      xcc::sync_block();
      const unsigned i = 2 * t - (t & (stride - 1));
      const bool up = (i & size) == 0;
      const unsigned a = keys[i], b = keys[i + stride];
      if ((a > b) == up) {
        keys[i] = b;
        keys[i + stride] = a;
      }
    }
  out[t] = keys[t];
}
void start() { xcc::launch({{1}, {256}}, sorted, nullptr); }
