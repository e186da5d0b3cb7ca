// Threads of a parallel_for take several indices, with accesses of 16 bytes where
// what they access is contiguous and aligned; not where the body could tell. A
// kernel with a grid of its own has a second entry for that.
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
// RUN: strings %t.x | grep -c coarse= | FileCheck --check-prefix=GRIDS %s
// GRIDS: {{^}}3{{$}}
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

// CHECK: .entry {{.*}}5saxpyifPKfPf{{.*}}$coarse(
// CHECK: .param .u64 {{[^,]*}}_param_4
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
void saxpy(int n, float a, const float *x, float *y) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    y[i] += a * x[i];
}
// Without a guard, and with one of two ends.
// CHECK: .entry {{.*}}5twicePd{{.*}}$coarse(
// CHECK: ld.global.v2.b64
void twice(double *x) { x[xcc::global_id()] *= 2; }
// CHECK: .entry {{.*}}6insideiPKhPh{{.*}}$coarse(
// CHECK: st.global.v4.b32
void inside(int n, const std::uint8_t *x, std::uint8_t *y) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < 4 || i >= n - 4)
    return;
  y[i] = x[i];
}
// A thread could tell.
// CHECK-NOT: $coarse(
void shared(int n, float *x) {
  static xcc::block_shared<float[256]> s;
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  s[xcc::thread_idx().x] = x[i];
  xcc::sync_block();
  x[i] = s[xcc::thread_idx().x ^ 1];
}
void stride(int n, float *x) {
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x; i < n;
       i += xcc::grid_dim().x * xcc::block_dim().x)
    x[i] += 1;
}
void depends(const int *flags, float *x) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (flags[i])
    x[i] += 1;
}
struct alignas(32) bytes_of_32 {
  float x;
};
void wide(int n, bytes_of_32 a, float *x) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    x[i] = a.x;
}

int main() {
  float *x = nullptr;
  xcc::launch({{9}, {256}}, saxpy, 9, 2.f, x, x);
  xcc::launch({{9}, {256}}, twice, (double *)x);
  xcc::launch({{9}, {256}}, inside, 9, (std::uint8_t *)x, (std::uint8_t *)x);
  xcc::launch({{9}, {256}}, shared, 9, x);
  xcc::launch({{9}, {256}}, stride, 9, x);
  xcc::launch({{9}, {256}}, depends, (int *)x, x);
  xcc::launch({{9}, {256}}, wide, 9, bytes_of_32{}, x);
}
