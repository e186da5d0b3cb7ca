// A table that all threads read at the same place is in constant memory. Others
// are not: those that threads read apart, those whose address goes elsewhere, and
// what constant memory has no place for.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefix=TABLES %s
#include <xcc/xcc.h>

static constexpr float Weights[8] = {1, 2, 4, 8, 16, 32, 64, 127};
static constexpr int Apart[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static constexpr int Passed[8] = {2, 7, 1, 8, 2, 8, 1, 9};
static constexpr int Large[20000] = {1, 2, 3};

// TABLES-DAG: .const {{.*}}Weights
// TABLES-DAG: .global {{.*}}Apart
// TABLES-DAG: .global {{.*}}Passed
// TABLES-DAG: .global {{.*}}Large

// CHECK-LABEL: .entry {{.*}}8weighted{{.*}}({{$}}
// CHECK: ld.const.b32
// CHECK: ret;
void weighted(float *out, const float *in, int taps) {
  float sum = 0;
#pragma clang loop unroll(disable)
  for (int tap = 0; tap < taps; ++tap)
    sum += Weights[tap & 7] * in[xcc::thread_idx().x + tap];
  out[xcc::thread_idx().x] = sum;
}
// CHECK-LABEL: .entry {{.*}}8lookedUp{{.*}}({{$}}
// CHECK: ld.global.nc.b32
// CHECK: ret;
void lookedUp(int *out) {
  out[xcc::thread_idx().x] = Apart[xcc::thread_idx().x & 7];
}
// CHECK-LABEL: .entry {{.*}}6passed{{.*}}({{$}}
// CHECK-NOT: .const
// CHECK: ret;
void passed(const int **out, int at) { *out = Passed + at; }
// CHECK-LABEL: .entry {{.*}}5large{{.*}}({{$}}
// CHECK-NOT: .const
// CHECK: ret;
void large(int *out, int at) { *out = Large[at]; }

void start(float *p, int *q, const int **r) {
  xcc::launch({{1}, {8}}, weighted, p, p, 3);
  xcc::launch({{1}, {8}}, lookedUp, q);
  xcc::launch({{1}, {1}}, passed, r, 1);
  xcc::launch({{1}, {1}}, large, q, 1);
}
