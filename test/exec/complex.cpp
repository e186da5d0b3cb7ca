// <complex> and the engines and distributions of <random>.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cmath>
#include <complex>
#include <random>

struct close {
  std::complex<double> value;
  bool operator==(const close &other) const {
    return std::abs(value - other.value) <= 1e-12 * std::abs(value);
  }
};

int main() {
  same("complex", 100, [](std::size_t i) {
    const std::complex<double> z(0.1 * i - 3, 2 - 0.05 * i), w(1, 0.5);
    return close{z * w + z / w - std::conj(z) * std::norm(w) +
                 std::polar(2.0, 0.1 * i)};
  });
  same("functions of complex", 100, [](std::size_t i) {
    const std::complex<double> z(0.1 * i - 3, 2 - 0.05 * i);
    return close{std::exp(z) + std::sqrt(z) + std::log(z) + std::sin(z) +
                 std::pow(z, 2.5) + std::arg(z)};
  });
  same("inverse functions of complex", 100, [](std::size_t i) {
    // Exact, so that no device comes to another side of a branch cut.
    const std::complex<double> z(0.125 * i - 5.25, 2 - 0.0625 * i);
    return close{std::asin(z) + std::acos(z) + std::atan(z) + std::asinh(z) +
                 std::acosh(z) + std::atanh(z) + std::tanh(z)};
  });
  same("complex infinities and NaN", 30, [](std::size_t i) {
    const double parts[] = {1.5, -0.0, -INFINITY, INFINITY, NAN};
    const std::complex<double> z(parts[i / 5 % 5], parts[i % 5]);
    unsigned kinds = 0;
    for (const std::complex<double> w :
         {std::exp(z), std::log(z), std::sqrt(z)})
      kinds = kinds * 4 + std::isinf(std::abs(w)) + 2 * std::isnan(std::abs(w));
    return kinds;
  });
  same("atanh near -1", 1, [](std::size_t) {
    return close{std::atanh(std::complex<double>(-1, 1e-9))};
  });
  same("proj", 9, [](std::size_t i) {
    constexpr float parts[] = {1.5f, -0.0f, -INFINITY};
    const std::complex<float> f(parts[i / 3], parts[i % 3]);
    const std::complex<double> d = std::proj(std::complex<double>(f));
    return std::proj(f).real() == d.real() && std::signbit(d.imag())
               ? -d.real()
               : d.real() + std::proj(f).imag();
  });
  same("mt19937", 40, [](std::size_t i) {
    std::mt19937 engine(i);
    engine.discard(700);
    return engine();
  });
  same("minstd_rand", 100, [](std::size_t i) {
    std::minstd_rand engine(i + 1);
    return std::uniform_int_distribution<int>(-50, 50)(engine);
  });
  same("ranlux24", 20, [](std::size_t i) {
    std::ranlux24 engine(i + 1);
    return engine();
  });
  same("real distributions", 100, [](std::size_t i) {
    std::mt19937_64 engine(i);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::normal_distribution<double> normal(5, 2);
    std::exponential_distribution<double> exponential(3);
    std::bernoulli_distribution coin(0.3);
    return close{uniform(engine) + normal(engine) + exponential(engine) +
                 coin(engine)};
  });
  std::puts("done");
}
// CHECK-NOT: FAILED
// CHECK: done
