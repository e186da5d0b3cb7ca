// Loops that take more registers unrolled than leave room for all waves stay loops, unless their counters are indices
// of local variables or the user asks; those of other kernels are unrolled as ever.
// RUN: %xcc -O2 -c -foffload-resource-usage -offload-arch=gfx90a,gfx1100 %s -o %t.o 2>&1 | FileCheck %s
// RUN: %xcc -O2 -S -foffload-device-only -offload-arch=gfx1100 %s -o - | FileCheck --check-prefix=CODE %s
// RUN: %xcc -O2 -S -emit-llvm -foffload-device-only -offload-arch=gfx1100 %s -o - | FileCheck --check-prefix=IR %s
#include <xcc/xcc.h>

struct Complex {
  float re, im;
};
struct Matrix {
  Complex e[3][3];
};
struct Vector {
  Complex c[3];
};

// Four steps of sparse products, of which each unrolled one keeps its loads in registers of its own.
template <int Steps>
inline void product(int n, const int *neighbours, const Matrix *links,
                    const Vector *in, Vector *out) {
  const int site = int(xcc::global_id());
  Complex sum[3] = {};
  for (int mu = 0; mu < Steps; ++mu) {
    const int to = neighbours[2 * mu * n + site],
              from = neighbours[(2 * mu + 1) * n + site];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Complex a = links[site * 4 + mu].e[i][j], x = in[to].c[j];
        const Complex b = links[from * 4 + mu].e[j][i], y = in[from].c[j];
        sum[i].re += a.re * x.re - a.im * x.im - b.re * y.re - b.im * y.im;
        sum[i].im += a.re * x.im + a.im * x.re - b.re * y.im + b.im * y.re;
      }
  }
  for (int i = 0; i < 3; ++i)
    out[site].c[i] = sum[i];
}

// CHECK: gfx90a {{[0-9]+ [0-9]+}} 0 0 0 100% large
// CHECK: gfx90a {{[0-9]+ [0-9]+}} {{[0-9]+ [0-9]+}} 0 {{[3-8][0-9]}}% asked
// CHECK: gfx90a {{[0-9]+ [0-9]+}} 0 0 0 100% few
// CHECK: gfx1100 {{[0-9]+ [0-9]+}} 0 0 0 100% large
// CHECK: gfx1100 {{[0-9]+ [0-9]+}} 0 0 0 100% few
// CODE-LABEL: {{^}}{{.*}}5large{{.*}}:
// CODE: s_cbranch
// CODE: s_endpgm
// IR-LABEL: define {{.*}}5large
// IR: br i1 {{.*}}, !llvm.loop
// IR: ret void
void large(int n, const int *neighbours, const Matrix *links, const Vector *in,
           Vector *out) {
  product<4>(n, neighbours, links, in, out);
}

void asked(int n, const int *neighbours, const Matrix *links, const Vector *in,
           Vector *out) {
  const int site = int(xcc::global_id());
  Complex sum[3] = {};
#pragma unroll
  for (int mu = 0; mu < 8; ++mu) {
    const int to = neighbours[mu * n + site];
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        const Complex a = links[site * 8 + mu].e[i][j], x = in[to].c[j];
        sum[i].re += a.re * x.re - a.im * x.im;
        sum[i].im += a.re * x.im + a.im * x.re;
      }
  }
  for (int i = 0; i < 3; ++i)
    out[site].c[i] = sum[i];
}

// CODE-LABEL: {{^}}{{.*}}3few{{.*}}:
// CODE-NOT: s_cbranch
// CODE: s_endpgm
void few(const float *x, float *sum) {
  const auto i = xcc::global_id();
  float s = 0;
  for (int k = 0; k < 8; ++k)
    s += x[i * 8 + k];
  sum[i] = s;
}

void start() {
  xcc::launch({{1}, {256}}, large, 1, nullptr, nullptr, nullptr, nullptr);
  xcc::launch({{1}, {256}}, asked, 1, nullptr, nullptr, nullptr, nullptr);
  xcc::launch({{1}, {256}}, few, nullptr, nullptr);
}
