// Loops are unrolled as their pragmas ask, and small ones four times; of these
// ptxas makes more.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}5eight{{.*}}({{$}}
// CHECK: .pragma "nounroll";
// CHECK-COUNT-8: ld.global.b32
// CHECK: ret;
void eight(float *p, const float *q, int n) {
  float x = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// CHECK-LABEL: .entry {{.*}}4once{{.*}}({{$}}
// CHECK: .pragma "nounroll";
// CHECK: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: ret;
void once(float *p, const float *q, int n) {
  float x = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// No branch is left.
// CHECK-LABEL: .entry {{.*}}5whole{{.*}}({{$}}
// CHECK-NOT: bra
// CHECK: ret;
void whole(float *p, const float *q, int n) {
  float x = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// Four copies, in a loop that ends as ptxas wants it to unroll it further, and one
// for what is left, which it leaves alone.
// CHECK-LABEL: .entry {{.*}}5small{{.*}}({{$}}
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-NOT: {{pragma|bra}}
// CHECK-COUNT-4: ld.global.b32
// CHECK-NOT: {{ld.global|bra}}
// CHECK: setp.ne.b32 [[MORE:%p[0-9]+]],
// CHECK-NEXT: @[[MORE]] bra [[LOOP]];
// CHECK-NOT: bra.uni
// CHECK: .pragma "nounroll";
// CHECK: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: ret;
void small(float *p, const float *q, int n) {
  float x = 0;
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// A body that loads more than eight words is left to LLVM, which makes no copies.
// CHECK-LABEL: .entry {{.*}}6loaded{{.*}}({{$}}
// CHECK-COUNT-5: ld.global.b64
// CHECK-NOT: ld.global.b64
// CHECK: ret;
void loaded(double *p, const double *q, int n) {
  double a = 0, b = 0, c = 0, d = 0;
  for (int i = 0; i < n; ++i) {
    double t = q[i * n], u = q[i * n + 1], v = q[i * n + 2], w = q[i * n + 3],
           x = q[i * n + 4];
    a += t * u - v * w, b += u * v * w + x * t, c += v * x - w * w;
    d += t * u * v * w * x, a += b * c, b += c * d, c += d * a, d += a * b;
    a -= t * x, b -= u * x, c -= v * t, d -= w * x, a += c * x, b -= d * t;
  }
  p[0] = a, p[1] = b, p[2] = c, p[3] = d;
}
// Of a short one there are two, and one for what is left; ptxas makes no more.
// CHECK-LABEL: .entry {{.*}}7shorter{{.*}}({{$}}
// CHECK: .pragma "nounroll";
// CHECK-COUNT-10: ld.global.nc.b64
// CHECK: bra
// CHECK-COUNT-5: ld.global.nc.b64
// CHECK-NOT: ld.global
// CHECK: ret;
void shorter(double *__restrict p, const double *__restrict q, int n) {
  double x = 0;
  for (int i = 0; i < n; ++i)
    x = x * q[i * 7] + q[i * 6 + n] * q[i * 5 + 2 * n] - q[i * 9 + 4 * n] * q[i * 3 + 3 * n];
  *p = x;
}
// A loop with barriers has one copy, in what ptxas makes too.
// CHECK-LABEL: .entry {{.*}}7waiting{{.*}}({{$}}
// CHECK: .pragma "nounroll";
// CHECK-COUNT-2: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
void waiting(float *p, int n) {
  static xcc::block_shared<float[64]> tile;
  int i = xcc::thread_idx().x;
  float own = p[i];
  for (int step = 0; step < n; ++step) {
    tile[i] = own;
    xcc::sync_block();
    own += tile[63 - i];
    xcc::sync_block();
  }
  p[i] = own;
}
// One whose rounds are known is laid out.
// CHECK-LABEL: .entry {{.*}}5known{{.*}}({{$}}
// CHECK-COUNT-6: bar.sync
// CHECK-NOT: bra
// CHECK: ret;
void known(float *p) {
  static xcc::block_shared<float[64]> tile;
  int i = xcc::thread_idx().x;
  float own = p[i];
  for (int step = 0; step < 3; ++step) {
    tile[i] = own;
    xcc::sync_block();
    own += tile[63 - i];
    xcc::sync_block();
  }
  p[i] = own;
}

void start(float *p, double *d) {
  xcc::launch({{1}, {1}}, eight, p, p, 3);
  xcc::launch({{1}, {1}}, once, p, p, 3);
  xcc::launch({{1}, {1}}, whole, p, p, 3);
  xcc::launch({{1}, {1}}, small, p, p, 3);
  xcc::launch({{1}, {1}}, loaded, d, d, 3);
  xcc::launch({{1}, {1}}, shorter, d, d, 3);
  xcc::launch({{1}, {64}}, waiting, p, 3);
  xcc::launch({{1}, {64}}, known, p);
}
