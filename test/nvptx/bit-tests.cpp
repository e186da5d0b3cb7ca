// Of (x & 8) != 0 beside a comparison LLVM's instruction selection makes the lowest
// bit of x >> 3, with an instruction more. A mask of one bit, or any signed field,
// is two shifts: ptxas makes them for two units of the GPU, and bfe.s32 for one.
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
// CHECK-LABEL: .entry {{.*}}5masks{{.*}}({{$}}
// CHECK-NOT: bfe.s32
// CHECK: shl.b32 [[X:%r[0-9]+]], {{%r[0-9]+}}, 28;
// CHECK-NEXT: shr.s32 [[X]], [[X]], 31;
// CHECK: shl.b32 [[Y:%r[0-9]+]], {{%r[0-9]+}}, 20;
// CHECK-NEXT: shr.s32 [[Y]], [[Y]], 27;
// CHECK-NOT: bfe.s32
// CHECK: ret;
void masks(int *p) {
  p[0] &= (p[1] << 28) >> 31;
  p[2] = (p[3] << 20) >> 27;
}
void start(int *p) {
  xcc::launch({{1}, {256}}, sorted, nullptr);
  xcc::launch({{1}, {1}}, masks, p);
}
