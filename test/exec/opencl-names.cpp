// A program's own functions that are called as OpenCL C's are: libclc's functions, which have their symbols, neither replace them nor call them.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <xcc/xcc.h>

[[gnu::noinline]] double rsqrt(double x) { return xcc::rsqrt(x); }
[[gnu::noinline]] float mad(float a, float b, float c) { return a - b + c * 100; }
[[gnu::noinline]] float mix(float a, float b, float c) { return a + b + c; }
[[gnu::noinline]] float clamp(float a, float b, float c) { return a * b * c; }
[[gnu::noinline]] float degrees(float a) { return a + 1; }
[[gnu::noinline]] float sign(float a) { return a + 7; }
[[gnu::noinline]] float fract(float a) { return a + 9; }
[[gnu::noinline]] double ldexp(double a) { return a * 3; }

int main() {
  xcc::managed_buffer<double> made(9);
  double *p = made.data();
  p[0] = 14;
  xcc::launch({1, 1}, [=] {
    p[0] = rsqrt(p[0] + 2);
    p[1] = mad(0, 1, 2);
    p[2] = mix(1, 2, 3);
    p[3] = clamp(2, 3, 4);
    p[4] = degrees(180) + sign(-3) + fract(2.5f);
    p[5] = ldexp(p[0]);
    // The library's own, which call each other.
    p[6] = std::tgamma(p[0] + 3.75) + std::pow(float(p[3]), 0.5f);
    p[7] = std::erf(p[0]) + std::sinh(p[0]);
  });
  xcc::synchronize();
  for (int i = 0; i < 8; ++i)
    std::printf("%g ", p[i]); // CHECK: 0.25 199 6 24 196.5 0.75 10.899 0.528939
  std::puts("");
}
