// Launch bounds are directives of the entry, and templates compute them.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}5plain{{.*}}({{$}}
// CHECK-NOT: .maxntid
// CHECK-NOT: .minnctapersm
// CHECK: {{^}}{
void plain(int *p) { *p = 1; }
// CHECK-LABEL: .entry {{.*}}7threads{{.*}}({{$}}
// CHECK: .maxntid 128
// CHECK-NOT: .minnctapersm
// CHECK: {{^}}{
[[xcc::launch_bounds(128)]] void threads(int *p) { *p = 1; }
// CHECK-LABEL: .entry {{.*}}4both{{.*}}({{$}}
// CHECK-DAG: .maxntid 256
// CHECK-DAG: .minnctapersm 4
// CHECK: {{^}}{
template <int N> [[xcc::launch_bounds(N * 2, 4)]] void both(int *p) { *p = N; }

void start(int *p) {
  xcc::launch({{1}, {1}}, plain, p);
  xcc::launch({{1}, {1}}, threads, p);
  xcc::launch({{1}, {1}}, both<128>, p);
}
