// Structures are copied in words as wide as their alignment lets them be, through
// the read-only cache where they are only read, and exchanged in registers. Large
// ones are copied in a loop of such words.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

struct alignas(16) Quad {
  float x, y, z, w;
};
struct alignas(16) Pair {
  double x, y;
};
struct Loose {
  int x, y, z, w;
};
struct alignas(16) Large {
  float values[100];
};
struct Matrix {
  Quad rows[4];
};

// CHECK-LABEL: .entry {{.*}}6copied{{.*}}({{$}}
// CHECK: ld.global.nc.v4.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
void copied(Quad *__restrict out, const Quad *__restrict in) {
  out[xcc::global_id()] = in[xcc::global_id()];
}
// CHECK-LABEL: .entry {{.*}}7doubles{{.*}}({{$}}
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
void doubles(Pair *out, const Pair *in) {
  out[xcc::global_id()] = in[xcc::global_id()];
}
// CHECK-LABEL: .entry {{.*}}5loose{{.*}}({{$}}
// CHECK-COUNT-4: ld.global.nc.b32
// CHECK-COUNT-4: st.global.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
void loose(Loose *__restrict out, const Loose *__restrict in) {
  out[xcc::global_id()] = in[xcc::global_id()];
}
// CHECK-LABEL: .entry {{.*}}8matrices{{.*}}({{$}}
// CHECK-COUNT-4: ld.global.nc.v4.b32
// CHECK-COUNT-4: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
void matrices(Matrix *__restrict out, const Matrix *__restrict in) {
  out[xcc::global_id()] = in[xcc::global_id()];
}
// CHECK-LABEL: .entry {{.*}}9exchanged{{.*}}({{$}}
// CHECK-NOT: local
// CHECK-COUNT-2: ld.global.v4.b32
// CHECK-COUNT-2: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.
// CHECK: ret;
void exchanged(Quad *__restrict a, Quad *__restrict b) {
  Quad old = a[xcc::global_id()];
  a[xcc::global_id()] = b[xcc::global_id()];
  b[xcc::global_id()] = old;
}
// CHECK-LABEL: .entry {{.*}}7partial{{.*}}({{$}}
// CHECK: ld.global.nc.v4.b32
// CHECK-NOT: {{ld|st}}.{{global|local}}
// CHECK: st.global.v4.b32
// CHECK: ret;
void partial(Quad *__restrict out, const Quad *__restrict in, float w) {
  Quad quad = in[xcc::global_id()];
  quad.w = w;
  out[xcc::global_id()] = quad;
}

// CHECK-LABEL: .entry {{.*}}5large{{.*}}({{$}}
// CHECK-NOT: .b8
// CHECK: ld.global{{(.nc)?}}.v4.b32
// CHECK-NEXT: add.s64
// CHECK-NEXT: st.global.v4.b32
// CHECK-NOT: .b8
// CHECK: ret;
void large(Large *__restrict out, const Large *__restrict in) {
  out[xcc::global_id()] = in[xcc::global_id()];
}

void start(Quad *q, Pair *p, Loose *l, Matrix *m, Large *large_) {
  xcc::launch({{1}, {32}}, copied, q, q);
  xcc::launch({{1}, {32}}, doubles, p, p);
  xcc::launch({{1}, {32}}, loose, l, l);
  xcc::launch({{1}, {32}}, matrices, m, m);
  xcc::launch({{1}, {32}}, exchanged, q, q);
  xcc::launch({{1}, {32}}, partial, q, q, 1.f);
  xcc::launch({{1}, {32}}, large, large_, large_);
}
