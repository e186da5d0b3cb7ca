// The sine and cosine of one angle are computed together, wherever a function asks for both.
// RUN: %xcc -O2 -S -foffload-device-only -offload-arch=gfx90a %s -o - | FileCheck %s
#include <cmath>
#include <complex>
#include <xcc/xcc.h>

// One reduction: one product with 2 / pi.
// CHECK-LABEL: {{^}}{{.*}}6rotate{{.*}}:
// CHECK: 0x3f22f983
// CHECK-NOT: 0x3f22f983
// CHECK: s_endpgm
void rotate(float *x, float *y) {
  const auto i = xcc::global_id();
  const float angle = x[i] * 3;
  x[i] = std::cos(angle);
  y[i] = std::sin(angle);
}

// CHECK-LABEL: {{^}}{{.*}}5polar{{.*}}:
// CHECK: 0x3f22f983
// CHECK-NOT: 0x3f22f983
// CHECK: s_endpgm
void polar(std::complex<float> *z, const float *angle) {
  z[xcc::global_id()] = std::polar(2.0f, angle[xcc::global_id()]);
}

// Where the second is asked for on one way only.
// CHECK-LABEL: {{^}}{{.*}}9sometimes{{.*}}:
// CHECK: 0x3f22f983
// CHECK-NOT: 0x3f22f983
// CHECK: s_endpgm
void sometimes(float *x) {
  const auto i = xcc::global_id();
  const float angle = x[i], s = sinf(angle);
  x[i] = s < 0 ? s * cosf(angle) : s;
}

// Other angles are others.
// CHECK-LABEL: {{^}}{{.*}}5other{{.*}}:
// CHECK-COUNT-2: 0x3f22f983
void other(float *x, float *y) {
  const auto i = xcc::global_id();
  x[i] = sinf(x[i]) * cosf(y[i]);
}

void start() {
  xcc::launch({{1}, {64}}, rotate, nullptr, nullptr);
  xcc::launch({{1}, {64}}, polar, nullptr, nullptr);
  xcc::launch({{1}, {64}}, sometimes, nullptr);
  xcc::launch({{1}, {64}}, other, nullptr, nullptr);
}
