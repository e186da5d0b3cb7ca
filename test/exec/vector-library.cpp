// With -fveclib=libmvec, and with -ffast-math unless -fveclib= says otherwise, kernels of the CPU device compute mathematical functions of several threads at once, by glibc's libmvec.
//
// DEVICES: host, because it is about the CPU device's code
// RUN: %xcc -O2 -std=c++20 -fveclib=libmvec -foffload-device-only -S %s -o - | FileCheck --check-prefix=SIDE %s
// RUN: %xcc -O2 -std=c++20 -ffast-math -foffload-device-only -S %s -o - | FileCheck --check-prefix=SIDE %s
// RUN: %xcc -O2 -std=c++20 -ffp-model=aggressive -foffload-device-only -S %s -o - | FileCheck --check-prefix=SIDE %s
// RUN: %xcc -O2 -std=c++20 -ffast-math -ffp-model=precise -foffload-device-only -S %s -o - | FileCheck --check-prefix=ONE %s
// RUN: %xcc -O2 -std=c++20 -ffast-math -fveclib=none -foffload-device-only -S %s -o - | FileCheck --check-prefix=ONE %s
// RUN: %xcc -O2 -std=c++20 -ffast-math -fno-fast-math -foffload-device-only -S %s -o - | FileCheck --check-prefix=ONE %s
// RUN: %xcc -O2 -std=c++20 -foffload-device-only -S %s -o - | FileCheck --check-prefix=ONE %s
// SIDE-DAG: _ZGVdN8v_expf
// SIDE-DAG: _ZGVdN8v_logf
// SIDE-DAG: _ZGVdN4v_sin
// ONE-NOT: _ZGV
//
// The program needs no other option to find it, at no level.
// RUN: %xcc -O2 -std=c++20 -fveclib=libmvec %s -o %t && %t
// RUN: %xcc -O2 -std=c++20 -ffast-math %s -o %t && %t
// RUN: %xcc -O0 -std=c++20 -fveclib=libmvec %s -o %t && %t
//
// Each unit's option is its own.
// RUN: %xcc -O2 -std=c++20 -DOTHER -c %s -o %t.other.o
// RUN: %xcc -O2 -std=c++20 -fveclib=libmvec -c %s -o %t.o && %xcc -O2 %t.o %t.other.o -o %t && %t
//
// Without the library a program that needs it says so; code that is generated
// where the program runs does without, and the log says so.
// RUN: mkdir -p %t.none && echo none > %t.none/libmvec.so.1
// RUN: %xcc -O2 -std=c++20 -ffast-math %s -o %t
// RUN: %not --crash env LD_LIBRARY_PATH=%t.none %t 2>&1 | FileCheck --check-prefix=NEEDS %s
// NEEDS: image cannot be loaded on device 0 (host, {{.*}}): {{.*}}libmvec.so.1: {{.*}} (launched at {{.*}}vector-library.cpp
// RUN: %xcc -O2 -std=c++20 -ffast-math --offload-arch=generic %s -o %t
// RUN: env XCC_CACHE_SIZE=0 LD_LIBRARY_PATH=%t.none XCC_LOG=load %t 2>&1 | FileCheck --check-prefix=LACKS %s
// RUN: env XCC_CACHE_SIZE=0 XCC_LOG=load %t 2>&1 | FileCheck --check-prefix=HAS %s
// LACKS: device 0: that code does not use glibc's libmvec.so.1, which this process cannot load: mathematical functions are those of single numbers
// HAS: generated here
// HAS-NOT: goes without
//
// Another library is the host's alone, and that is said.
// RUN: %xcc -O2 -std=c++20 -fveclib=SVML -fsyntax-only %s 2>&1 | FileCheck --check-prefix=SAID %s
// SAID: warning: '-fveclib=SVML' is for the host's code; kernels of the CPU device know libmvec alone
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>
#include <xcc/xcc.h>

#ifdef OTHER
static void sines(int n, std::span<const double> x, std::span<double> y) {
  const int i = int(xcc::global_id());
  if (i < n)
    y[i] = std::sin(x[i]);
}
void other(int n, std::span<const double> x, std::span<double> y) {
  xcc::launch({{4}, {256}}, sines, n, x, y);
}
#else
static void floats(int n, std::span<const float> x, std::span<float> y) {
  const int i = int(xcc::global_id());
  if (i < n)
    y[i] = std::exp(x[i]) + std::log(x[i] + 1);
}

// Some of the threads.
static void doubles(int n, std::span<const double> x, std::span<double> y) {
  const int i = int(xcc::global_id());
  if (i < n && x[i] > 1)
    y[i] = std::sin(x[i]);
}

int main() {
  const int n = 1000;
  std::vector<float> x(n), y(n);
  std::vector<double> p(n), q(n, 7);
  for (int i = 0; i < n; ++i)
    p[i] = x[i] = float(i) / 64;
  xcc::launch({{4}, {256}}, floats, n, x, y);
  xcc::launch({{4}, {256}}, doubles, n, p, q);
  xcc::synchronize();
  for (int i = 0; i < n; ++i) {
    const double right = std::exp(double(x[i])) + std::log(double(x[i]) + 1);
    const double sine = p[i] > 1 ? std::sin(p[i]) : 7;
    if (!(std::fabs(y[i] - right) <= 5e-7 * right) ||
        !(std::fabs(q[i] - sine) <= 1e-14)) {
      std::printf("%g: %g and %g, not %g and %g\n", p[i], y[i], q[i], right,
                  sine);
      return 1;
    }
  }
}
#endif
