// Launch bounds become the largest block, and how many waves ought to fit.
// RUN: %object -offload-arch=gfx90a %s -o %t.co && llvm-readelf --notes %t.co | FileCheck %s
// RUN: %xcc -O2 -S -emit-llvm -foffload-device-only -offload-arch=gfx90a %s -o - | FileCheck --check-prefix=IR %s
#include <xcc/xcc.h>

// CHECK: .max_flat_workgroup_size: 1024
// CHECK-NEXT: .name: {{.*}}5plain
void plain(int *p) { *p = 1; }
// CHECK: .max_flat_workgroup_size: 128
// CHECK-NEXT: .name: {{.*}}7threads
[[xcc::launch_bounds(128)]] void threads(int *p) { *p = 1; }
// CHECK: .max_flat_workgroup_size: 256
// CHECK-NEXT: .name: {{.*}}4both
template <int N> [[xcc::launch_bounds(N * 2, 4)]] void both(int *p) { *p = N; }
// IR: "amdgpu-flat-work-group-size"="1,256" {{.*}}"amdgpu-waves-per-eu"="4

void start(int *p) {
  xcc::launch({{1}, {1}}, plain, p);
  xcc::launch({{1}, {1}}, threads, p);
  xcc::launch({{1}, {1}}, both<128>, p);
}
