// Math functions set no errno in kernels, so that square roots of several threads are one
// instruction, under a branch too; -fmath-errno asks for what the host does.
//
// RUN: %xcc -O2 -std=c++20 -foffload-device-only -S %s -o - | FileCheck --check-prefix=SIDE %s
// RUN: %xcc -O2 -std=c++20 -fmath-errno -fno-math-errno -foffload-device-only -S %s -o - | FileCheck --check-prefix=SIDE %s
// RUN: %xcc -O2 -std=c++20 -fmath-errno -foffload-device-only -S %s -o - | FileCheck --check-prefix=ONE %s
// SIDE: vsqrtpd {{.*}}ymm
// SIDE: vsqrtpd {{.*}}ymm
// ONE-NOT: vsqrtpd {{.*}}ymm
//
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t
// RUN: %xcc -O2 -std=c++20 -fmath-errno %s -o %t && %t
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>
#include <xcc/xcc.h>

static void roots(int n, std::span<const double> x, std::span<double> y) {
  int i = xcc::global_id();
  if (i < n)
    y[i] = std::sqrt(x[i]);
}

static void someRoots(int n, std::span<const double> x, std::span<double> y) {
  int i = xcc::global_id();
  if (i < n && x[i] > 1)
    y[i] = std::sqrt(x[i] - 1);
}

int main() {
  const int n = 1000;
  std::vector<double> x(n), y(n), z(n, 7);
  for (int i = 0; i < n; ++i)
    x[i] = (i - 100) / 37.0;
  xcc::launch({4, 256}, roots, n, x, y);
  xcc::launch({4, 256}, someRoots, n, x, z);
  xcc::synchronize();
  for (int i = 0; i < n; ++i) {
    double root = std::sqrt(x[i]);
    double other = x[i] > 1 ? std::sqrt(x[i] - 1) : 7;
    bool same = x[i] < 0 ? std::isnan(y[i]) : y[i] == root;
    if (!same || z[i] != other) {
      std::printf("%g: %g and %g, not %g and %g\n", x[i], y[i], z[i], root,
                  other);
      return 1;
    }
  }
}
