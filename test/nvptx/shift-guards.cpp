// A shift by a number of 64 bits is asked for only where that number is small
// enough, though PTX's shifts give zero by more bits than there are.
// RUN: %ptx -O2 -offload-arch=sm_70 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}guarded
// CHECK: setp.{{.*}}64
// CHECK: shl.b32
// CHECK: selp
void guarded(unsigned *to, unsigned x, unsigned long count) {
  *to = count < 32 ? x << count : 0;
}
// CHECK-LABEL: .entry {{.*}}guarded_long
// CHECK: setp.{{.*}}64
// CHECK: shr.{{[bu]}}64
// CHECK: selp
void guarded_long(unsigned long *to, unsigned long x, unsigned long count) {
  *to = count < 64 ? x >> count : 0;
}
// A count of 32 bits is what the instruction takes.
// CHECK-LABEL: .entry {{.*}}plain
// CHECK-NOT: setp
// CHECK: shl.b32
// CHECK-NOT: selp
void plain(unsigned *to, unsigned x, unsigned count) {
  *to = count < 32 ? x << count : 0;
}

void start(unsigned *x, unsigned long *y) {
  xcc::launch({{1}, {1}}, guarded, x, 1, 2);
  xcc::launch({{1}, {1}}, guarded_long, y, 1, 2);
  xcc::launch({{1}, {1}}, plain, x, 1, 2);
}
