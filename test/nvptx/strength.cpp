// A loop over elements computes their addresses of its index, and counts nothing
// else up; rows, as far apart as a number of 64 bits says, are counted up.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

#include <cstddef>

struct Complex {
  double re, im;
};

// CHECK: .entry {{.*}}elements
// CHECK: $L__BB0_2:
// CHECK: shl.b64 [[OFFSET:%rd[0-9]+]], [[INDEX:%rd[0-9]+]], 4;
// CHECK-COUNT-3: add.s64 {{.*}}, [[OFFSET]];
// CHECK: st.global
// CHECK: add.s64 [[INDEX]],
// CHECK-NEXT: setp
// CHECK-NEXT: bra
void elements(std::size_t n, const Complex *__restrict a, const Complex *__restrict b,
              Complex *__restrict out) {
  for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
    out[i] = {a[i].re * b[i].re - a[i].im * b[i].im, a[i].re * b[i].im + a[i].im * b[i].re};
}
// CHECK: .entry {{.*}}rows
// CHECK: .pragma "nounroll";
// CHECK-NOT: mul.lo.s64
// CHECK: bra
void rows(std::size_t n, std::size_t width, const float *a, float *out) {
  const std::size_t column = xcc::global_id();
  float sum = 0;
  for (std::size_t k = 0; k < n; ++k)
    sum += a[k * width + column];
  out[column] = sum;
}
void start() {
  xcc::launch({{1}, {32}}, elements, 1, nullptr, nullptr, nullptr);
  xcc::launch({{1}, {32}}, rows, 1, 1, nullptr, nullptr);
}
