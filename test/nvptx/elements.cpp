// Threads of a parallel_for take several indices, with accesses of 16 bytes where
// what they access is contiguous and aligned; not where the body could tell.
//
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -foffload-no-cubin %s -o %t.x
// RUN: strings %t.x | FileCheck --check-prefix=ROWS %s
// ROWS-DAG: {{.*}}1fPf{{.*}}elements=4
// ROWS-DAG: {{.*}}1dPd{{.*}}elements=2
// ROWS-DAG: {{.*}}1bPh{{.*}}elements=16
// ROWS-DAG: {{.*}}7stencil{{.*}}elements=4
// ROWS-DAG: {{.*}}7strided{{.*}}elements=4
// RUN: strings %t.x | grep -c elements= | FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}5{{$}}
#include <xcc/xcc.h>

#include <cstdint>

// CHECK: .entry {{.*}}1fPf
// CHECK: mov.u32 {{.*}}%nctaid.x
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
void f(float *x, float *y, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { y[i] = 3 * x[i]; });
}
// Of what int(i) is, the kernel looks whether it wraps.
// CHECK: .entry {{.*}}1dPd
// CHECK: ld.global.v2.b64
// CHECK: st.global.v2.b64
void d(double *x, std::size_t n) {
  xcc::parallel_for(n, [=](int i) { x[i] *= 2; });
}
// CHECK: .entry {{.*}}1bPh
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
void b(std::uint8_t *x, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { x[i] ^= 0x55; });
}
void stencil(float *x, float *y, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { y[i] = x[i] + x[i + 1]; });
}
struct three {
  float x, y, z;
};
// Not contiguous.
// CHECK: .entry {{.*}}7strided
// CHECK-NOT: v4
// CHECK: .entry
void strided(three *p, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { p[i].y += p[i].x; });
}
void place(unsigned *x, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { x[i] = xcc::thread_idx().x; });
}
void blocks(unsigned *x, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { x[i] = xcc::grid_dim().x; });
}
void sums(unsigned *x, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) {
    __atomic_fetch_add(&x[i % 3], 1, __ATOMIC_RELAXED);
  });
}
void loops(float *x, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) {
    for (int k = 0; k != int(x[i]); ++k)
      x[i] += x[k];
  });
}
void uniform(float *x, float *y, std::size_t n) {
  xcc::parallel_for(n, [=](std::size_t i) { *x = y[i]; });
}
void two(bool *x, std::size_t n) {
  xcc::parallel_for({8, n}, [=](std::size_t i, std::size_t k) { x[i + k] = 1; });
}

int main() {}
