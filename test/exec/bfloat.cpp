// __bf16 is rounded once from whatever it comes from, to nearest with ties to
// even, passed and computed with on every device. Host code does not touch it:
// GCC's library has what that needs from GCC 13 on.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

/// The nearest one, by looking at the neighbours.
static float nearest(double x) {
  float near = float(x), best = 0;
  unsigned bits;
  std::memcpy(&bits, &near, 4);
  bits &= 0xffff0000;
  double least = INFINITY;
  for (unsigned other : {bits - 0x10000, bits, bits + 0x10000}) {
    float value;
    std::memcpy(&value, &other, 4);
    double away = std::fabs(
        x - (std::isinf(value) ? std::copysign(0x1p128, x) : double(value)));
    if (away < least || (away == least && !(other & 0x10000))) {
      least = away;
      best = value;
    }
  }
  return best;
}

/// Numbers of which many lie halfway between two, or a little off.
static double number(unsigned long i) {
  unsigned long bits = i * 6364136223846793005ul + 1442695040888963407ul;
  bits ^= bits >> 29;
  unsigned long exponent = i % 8 ? 1015 + bits % 24 : 900 + bits % 250;
  unsigned long sign = i & 1, mantissa = bits >> 12;
  if (i % 3 == 0)
    mantissa &= ~((1ul << (44 + i % 5)) - 1);
  if (i % 3 == 1)
    mantissa = (mantissa & ~((1ul << 45) - 1)) | 1ul << 44 | (i & 1);
  bits = sign << 63 | exponent << 52 | mantissa;
  double x;
  std::memcpy(&x, &bits, 8);
  return x;
}

__attribute__((noinline)) static __bf16 halved(__bf16 x) {
  return x * (__bf16)0.5f;
}

struct results {
  float from_double, from_float, from_long, halved, sum;
  long whole;
};

int main() {
  constexpr int n = 2048;
  xcc::buffer<double> in(n);
  xcc::buffer<results> out(n);
  static double x[n];
  static results r[n];
  for (int i = 0; i < n; ++i)
    x[i] = number(i);
  in.copy_from(x, n);
  xcc::launch(
      {n / 128, 128},
      [](const double *in, results *out, __bf16 one) {
        std::size_t i = xcc::global_id();
        double x = in[i];
        __bf16 y = (__bf16)x, z = (__bf16)(float)x;
        out[i] = {y, z, (__bf16)(long double)x, halved(z), z + one, 0};
#ifndef __XCC_SEPARATE_MEMORY__
        if ((float)(__bf16)(__float128)x != (float)y)
          out[i].from_long = NAN;
#endif
        __bf16 w = (__bf16)(float)i;
        w += one;
        out[i].whole = (long)w + (long)(__int128)w;
      },
      in.data(), out.data(),
      __builtin_bit_cast(__bf16, (unsigned short)0x3f80));
  out.copy_to(r, n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float y = nearest(x[i]), z = nearest(float(x[i]));
    long w = long(nearest(nearest(i) + 1.0f));
    if (r[i].from_double != y || r[i].from_long != y || r[i].from_float != z ||
        r[i].halved != nearest(z / 2) || r[i].sum != nearest(z + 1.0f) ||
        r[i].whole != 2 * w) {
      if (!wrong++)
        std::printf("%d: %a gives %a %a %a, %a, %a, %ld\n", i, x[i],
                    r[i].from_double, r[i].from_long, r[i].from_float,
                    r[i].halved, r[i].sum, r[i].whole);
    }
  }
  std::printf("%d wrong\n", wrong); // CHECK: {{^}}0 wrong
}
