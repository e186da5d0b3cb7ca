// Variables of device code are its own: initialised, constant ones read-only,
// none of them visible from outside, those that nothing reaches left out.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-NOT: unused
// CHECK-DAG: {{^}}.global .align 4 .u32 counter = 5;
// CHECK-DAG: {{^}}.global .align 4 {{.*}}weights{{.*}}[16] = {0, 0, 128, 63,
// CHECK-NOT: unused
int counter = 5;
const float weights[] = {1, 2, 3, 4};
int unused[] = {1, 2, 3};

// CHECK-LABEL: .entry {{.*}}6kernel{{.*}}({{$}}
// CHECK-DAG: st.global.b32 [counter]
// CHECK-DAG: ld.global.nc.b32 {{.*}}
void kernel(float *p) { p[0] = weights[(counter++ + xcc::thread_idx().x) & 3]; }
void start(float *p) { xcc::launch({{1}, {1}}, kernel, p); }

// What is named before it is defined is declared, by the same line.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefix=CIRCLE %s
// CIRCLE-DAG: {{^}}.extern .global .align 8 .u64 left[2];
// CIRCLE-DAG: {{^}}.extern .global .align 8 .u64 alone;
// CIRCLE: {{^}}.global .align 8 .u64 right[2] = {generic(left), 2};
// CIRCLE: {{^}}.visible .global .align 8 .u64 left[2] = {generic(right), 1};
// CIRCLE: {{^}}.visible .global .align 8 .u64 alone = generic(alone);
// CIRCLE-NOT: $ahead
struct Node {
  Node *volatile other;
  long value;
};
extern Node right;
Node left{&right, 1}, right{&left, 2};
void *volatile alone = const_cast<void **>(&alone);
void circles(long *p, int n) {
  Node *at = &left;
  while (n--)
    at = at->other;
  *p = at->value + (alone == nullptr);
}
void startCircles(long *p) { xcc::launch({{1}, {1}}, circles, p, 3); }

// The driver aligns no variable further than this.
// RUN: %xcc -c -offload-arch=sm_90 %s -o %t.o && %xcc -foffload-no-cubin %t.o -o %t 2>&1 | FileCheck --check-prefix=ALIGNED %s --implicit-check-not=warning:
// RUN: not %xcc -Werror -foffload-no-cubin %t.o -o %t
// ALIGNED: xcc: warning: 'apart' needs an alignment of 1024 bytes, and NVIDIA's driver aligns variables to at most 512 [-Woffload-globals]
// ALIGNED-NEXT: note: make the variable larger, and align an address in it: std::align
alignas(1024) int apart[4];
alignas(512) int close[4];
alignas(1024) int unused_apart[4];
void counts() { ++apart[close[0]++]; }
int main() { xcc::launch({{1}, {1}}, counts); }
