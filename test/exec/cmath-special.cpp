// What <cmath> makes of infinities, NaNs, zeros and the largest and smallest
// numbers is of the same kind as on the host.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cmath>
#include <limits>

template <class T> T special(std::size_t i) {
  using L = std::numeric_limits<T>;
  const T all[] = {T(0),          T(0.5),        T(1),     T(2),
                   T(3),          T(40),         T(1e6),   T(1e30),
                   L::infinity(), L::max(),      L::min(), L::denorm_min(),
                   L::epsilon(),  L::quiet_NaN()};
  const T x = all[i / 2 % 14];
  return i % 2 ? -x : x;
}

/// The kind of a result: a NaN, an infinity, zero or a number, and its sign.
template <class T> int kind(T x) {
  if (x != x)
    return 5;
  const int sign = std::signbit(x) ? -1 : 1;
  return x == 0 ? sign : std::isinf(x) ? sign * 3 : sign * 2;
}

template <class T> void all(const char *type) {
  std::puts(type);
#define ONE(f)                                                                 \
  same(#f, 28, [](std::size_t i) { return kind(std::f(special<T>(i))); });
  ONE(acos)
  ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil)
      ONE(cos) ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1)
          ONE(floor) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2)
              ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan)
                  ONE(tanh) ONE(trunc)
#define TWO(f)                                                                 \
  same(#f, 28 * 28, [](std::size_t i) {                                        \
    return kind(std::f(special<T>(i % 28), special<T>(i / 28)));               \
  });
                      TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmod) TWO(hypot)
                          TWO(nextafter) TWO(pow) TWO(remainder)
}

int main() {
  all<float>("float");
  all<double>("double");
  std::puts("all same"); // CHECK: all same
}
