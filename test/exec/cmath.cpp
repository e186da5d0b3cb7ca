// <cmath> and <numeric>'s numbers: the device computes what the host does.
// RUN: %xcc -O2 -std=c++20 -ffp-contract=off %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

/// Equal up to a few units in the last place: vectorised code may use other
/// polynomials than the host's library.
template <class T> struct close {
  T value;
  bool operator==(const close &other) const {
    if (std::isnan(value) || std::isnan(other.value))
      return std::isnan(value) && std::isnan(other.value);
    return value == other.value ||
           std::abs(value - other.value) <=
               8 * std::numeric_limits<T>::epsilon() *
                   std::max(std::abs(value), std::abs(other.value));
  }
};

#define SAME(function)                                                         \
  same(#function " double", 100, [](std::size_t i) {                           \
    const double x = 0.07 * (double(i) - 20);                                  \
    return close<double>{std::function(x)};                                    \
  });                                                                          \
  same(#function " float", 100, [](std::size_t i) {                            \
    const float x = 0.07f * (float(i) - 20);                                   \
    return close<float>{std::function(x)};                                     \
  })

int main() {
  SAME(sqrt); SAME(cbrt); SAME(exp); SAME(exp2); SAME(expm1);
  SAME(log); SAME(log2); SAME(log10); SAME(log1p);
  SAME(sin); SAME(cos); SAME(tan); SAME(asin); SAME(acos); SAME(atan);
  SAME(sinh); SAME(cosh); SAME(tanh); SAME(asinh); SAME(acosh); SAME(atanh);
  SAME(erf); SAME(erfc); SAME(tgamma); SAME(lgamma);
  SAME(floor); SAME(ceil); SAME(round); SAME(trunc); SAME(rint); SAME(abs);
  same("two arguments", 100, [](std::size_t i) {
    const double x = 0.3 + 0.1 * i, y = 2.5 - 0.05 * i;
    int exponent;
    double whole;
    return close<double>{std::pow(x, y) + std::atan2(y, x) + std::hypot(x, y) +
                         std::fmod(y, x) + std::fma(x, y, 1.0) +
                         std::copysign(x, y) + std::fmax(x, y) +
                         std::ldexp(x, 3) + std::frexp(x, &exponent) +
                         exponent + std::modf(x, &whole) + whole +
                         std::lerp(x, y, 0.25) + std::nextafter(x, y) +
                         std::remainder(x, y) + std::fdim(x, y)};
  });
  same("classes of numbers", 4, [](std::size_t i) {
    const float zero = float(i) - i, x = i == 0 ? zero : i == 1 ? 1 / zero
                                         : i == 2 ? zero / zero : 1e-40f;
    return std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) +
           8 * std::isnormal(x) +
           (i == 2 ? 0 : 16 * std::signbit(-x)); // of NaN it is not specified
  });
  same("whole numbers", 1000, [](std::size_t i) {
    const unsigned x = i * 2654435761u;
    return std::gcd(x, 360u) + std::lcm(unsigned(i % 30 + 1), 7u) +
           std::popcount(x) + std::countl_zero(x) + std::rotl(x, 5) +
           std::bit_ceil(x % 10000) + unsigned(std::midpoint(int(i), 77)) +
           unsigned(std::lround(i * std::numbers::pi)) +
           unsigned(__int128(x) * x >> 40);
  });
  std::puts("done");
}
// CHECK-NOT: FAILED
// CHECK: done
