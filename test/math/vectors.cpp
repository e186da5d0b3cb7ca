// Mathematical functions of <cmath> are vector code in kernels of the CPU device,
// and a thread's result does not depend on how many threads run beside it.
// clang-format off
// DEFINE: %{assembly} = %code -offload-arch=x86-64-v3
// RUN: %xcc -O0 -std=c++20 %s -o %t.0 && %t.0
// RUN: %xcc -O3 -std=c++20 %s -o %t.3 && %t.3
// RUN: %xcc -O2 -std=c++20 --offload-arch=x86-64-v2 %s -o %t.v2 && %t.v2
// RUN: %{assembly} %s | FileCheck %s
// RUN: %{assembly} -fveclib=none %s | FileCheck --check-prefix=LIBRARY %s
// RUN: %{assembly} -fmath-errno %s | FileCheck --check-prefix=LIBRARY %s
// clang-format on
#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

// CHECK-NOT: call{{q?[[:space:]]+(exp2?|exp10|expm1|log|log2|log10|pow|sinh|cosh|tanh|erf)f?@}}
// CHECK-NOT: call{{q?[[:space:]]+(a(sin|cos|tan)h?|atan2|cbrt|hypot|log1p|erfc)f@}}
// LIBRARY-DAG: call{{q?[[:space:]]+expf@}}
// LIBRARY-DAG: call{{q?[[:space:]]+pow@}}
constexpr int Functions = 28;

// exp10 may be a program's own.
inline float exp10of(float x) { return __builtin_exp10f(x); }
inline double exp10of(double x) { return __builtin_exp10(x); }

template <class T> void every(const T *x, const T *y, T *out, int n) {
  const int i = int(xcc::global_id());
  if (i >= n)
    return;
  const T a = x[i], b = y[i];
  out += i * Functions;
  out[0] = std::exp(a), out[1] = std::exp2(a), out[2] = std::log(b);
  out[3] = std::log2(b), out[4] = std::log10(b), out[5] = std::pow(b, a);
  out[6] = std::sin(a), out[7] = std::cos(a), out[8] = std::tanh(a);
  out[9] = std::erf(a), out[10] = std::tan(a), out[11] = std::sinh(a);
  out[12] = std::cosh(a), out[13] = std::erfc(a), out[14] = std::expm1(a);
  out[15] = std::log1p(b), out[16] = std::pow(a, 2), out[17] = exp10of(a);
  out[18] = std::hypot(a, b), out[19] = std::cbrt(a), out[20] = std::asin(a);
  out[21] = std::acos(a), out[22] = std::atan(a), out[23] = std::atan2(a, b);
  out[24] = std::asinh(a), out[25] = std::acosh(b), out[26] = std::atanh(a);
  out[27] = std::atan2(b, a);
}

// LLVM knows what a square is: the result is exact.
void square(const double *x, double *out, int n) {
  if (int i = int(xcc::global_id()); i < n)
    out[i] = std::pow(x[i], 2);
}

template <class T> int check() {
  constexpr int n = 1024 + 5;
  using limits = std::numeric_limits<T>;
  std::vector<T> x(n), y(n), together(n * Functions), alone(n * Functions);
  for (int i = 0; i < n; ++i)
    x[i] = T(i - 500) * T(0.0137), y[i] = T(i + 1) * T(0.01);
  const T special[] = {0,
                       -T(0),
                       limits::infinity(),
                       -limits::infinity(),
                       limits::quiet_NaN(),
                       limits::denorm_min(),
                       limits::max(),
                       limits::min(),
                       T(3e6), // a large angle: one thread of its vector
                       T(-1),
                       T(1)};
  for (int i = 0; i < int(std::size(special)); ++i)
    x[100 + i * 7] = y[200 + i * 7] = special[i];
  xcc::launch({{5}, {256}}, every<T>, x.data(), y.data(), together.data(), n);
  for (int i = 0; i < n; ++i)
    xcc::launch({{1}, {1}}, every<T>, x.data() + i, y.data() + i,
                alone.data() + i * Functions, 1);
  xcc::synchronize();
  int bad = 0;
  for (int i = 0; i < n * Functions; ++i) {
    const bool same =
        std::memcmp(&together[i], &alone[i], sizeof(T)) == 0 ||
        (std::isnan(together[i]) && std::isnan(alone[i]));
    if (!same && bad++ < 5)
      std::printf("function %d of %a: %a, alone %a\n", i % Functions,
                  double(x[i / Functions]), double(together[i]),
                  double(alone[i]));
  }
  // What the standard says of them.
  const auto at = [&](int i, int function) {
    return together[i * Functions + function];
  };
  bad += at(100, 0) != 1 || at(114, 0) != limits::infinity() ||
         at(121, 0) != 0 || !std::isnan(at(128, 0)) || !std::isnan(at(114, 6)) ||
         std::signbit(at(107, 6)) != 1 || at(200, 2) != -limits::infinity();
  return bad;
}

int main() {
  std::vector<double> x(100, 3), out(100);
  xcc::launch({{1}, {128}}, square, x.data(), out.data(), 100);
  xcc::synchronize();
  const int bad = check<float>() + check<double>() + (out[99] != 9);
  std::printf("%d\n", bad);
  return bad != 0;
}
