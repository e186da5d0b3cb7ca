// Steps of a shift register shift once for several, as far as the states between
// are asked for nothing but single bits that the others know.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -S -emit-llvm -foffload-device-only -offload-arch=gfx1100 -o - %s | FileCheck %s --check-prefix=AMD
#include <xcc/xcc.h>

// The lowest bit of the polynomial that is set is the fifth: six steps at once.
// CHECK-LABEL: .entry {{.*}}5right{{.*}}({{$}}
// CHECK-NOT: shr.u32
// CHECK: shr.u32 {{.*}}, 6;
// CHECK-NOT: shr.u32
// CHECK: shr.u32 {{.*}}, 6;
// CHECK-NOT: shr.u32
// CHECK: ret;
// AMD: lshr i32 %{{.*}}, 6
// AMD: lshr i32 %{{.*}}, 6
void right(unsigned *p) {
  unsigned sum = *p;
#pragma unroll
  for (int bit = 0; bit < 12; ++bit)
    sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0u);
  *p = sum;
}
// To the left: of 0x04c11db7, five bits are clear above the highest one.
// CHECK-LABEL: .entry {{.*}}4left{{.*}}({{$}}
// CHECK: shl.b32 {{.*}}, 6;
// CHECK: ret;
void left(unsigned *p) {
  unsigned sum = *p;
#pragma unroll
  for (int bit = 0; bit < 6; ++bit)
    sum = (sum << 1) ^ (sum & 0x80000000u ? 0x04c11db7u : 0u);
  *p = sum;
}
// A state that is wanted itself stays.
// CHECK-LABEL: .entry {{.*}}6stored{{.*}}({{$}}
// CHECK: shr.u32 {{.*}}, 1;
// CHECK: shr.u32 {{.*}}, 1;
// CHECK: ret;
void stored(unsigned *p) {
  unsigned one = (*p >> 1) ^ (*p & 1 ? 0xedb88320u : 0u);
  p[1] = one;
  p[2] = (one >> 1) ^ (one & 1 ? 0xedb88320u : 0u);
}
void start(unsigned *p) {
  xcc::launch({{1}, {1}}, right, p);
  xcc::launch({{1}, {1}}, left, p);
  xcc::launch({{1}, {1}}, stored, p);
}
