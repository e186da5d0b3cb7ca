// Every function of <cmath> is there on every GPU, whichever library it has.
// clang-format off
// DEFINE: %{compile} = %xcc -O1 -std=c++20 -Wno-nan-infinity-disabled \
// DEFINE:   -S -foffload-device-only %s -o %t.s
// RUN: %xcc -std=c++20 %s -o %t && %t
// RUN: %if libclc %{ %{compile} -offload-arch=gfx90a,gfx1100 %}
// RUN: %if libclc %{ %{compile} -offload-arch=gfx90a -ffast-math %}
// RUN: %if libdevice %{ %{compile} -offload-arch=sm_90 %}
// RUN: %if libdevice %{ %{compile} -offload-arch=sm_90 -ffast-math %}
// RUN: %if libdevice %{ FileCheck %s --input-file %t.s %}
// clang-format on
#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <vector>

// glibc's.
inline float exp10(float x) { return exp10f(x); }
inline float roundeven(float x) { return roundevenf(x); }
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
inline float lgamma_r(float x, int *sign) { return lgammaf_r(x, sign); }

template <class T> void every(T *x, T *y, long *n, int *i) {
  using namespace std;
  std::size_t at = 0;
#define ONE(f) y[at++] = f(x[at]);
#define TWO(f) y[at++] = f(x[at], x[at + 1]);
#define INTEGER(f) n[at++] = f(x[at]);
  // clang-format off
  ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt)
  ONE(ceil) ONE(cos) ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10) ONE(exp2)
  ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p)
  ONE(log2) ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(roundeven)
  ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot)
  TWO(nextafter) TWO(nexttoward) TWO(pow) TWO(remainder)
  INTEGER(fpclassify) INTEGER(ilogb) INTEGER(isfinite) INTEGER(isinf)
  INTEGER(isnan) INTEGER(isnormal) INTEGER(llrint) INTEGER(llround)
  INTEGER(lrint) INTEGER(lround) INTEGER(signbit)
      // clang-format on
      y[at++] = fma(x[at], x[at + 1], x[at + 2]);
  y[at++] = hypot(x[at], x[at + 1], x[at + 2]);
  y[at++] = lerp(x[at], x[at + 1], x[at + 2]);
  y[at++] = frexp(x[at], i);
  y[at++] = ldexp(x[at], *i);
  y[at++] = scalbn(x[at], *i);
  y[at++] = scalbln(x[at], *n);
  y[at++] = pow(x[at], *i);
  y[at++] = modf(x[at], y);
  y[at++] = remquo(x[at], x[at + 1], i);
  y[at++] = ::lgamma_r(x[at], i);
  ::sincos(x[at], y + at, y + at + 1);
}

template <class T> void run() {
  xcc::buffer<T> x(128), y(128);
  xcc::buffer<long> n(128);
  xcc::buffer<int> i(1);
  std::vector<T> ones(128, T(1));
  int two = 2;
  long three = 3;
  x.copy_from(ones.data(), 128);
  n.copy_from(&three, 1);
  i.copy_from(&two, 1);
  xcc::launch({{1}, {1}}, every<T>, x.data(), y.data(), n.data(), i.data());
  xcc::synchronize();
}

int main() {
  run<float>();
  run<double>();
  std::puts("done");
}

// CHECK-DAG: sin.approx.f32
// CHECK-DAG: cos.approx.f32
// CHECK-DAG: div.approx.f32
// CHECK-DAG: ex2.approx.f32
// CHECK-DAG: lg2.approx.f32
