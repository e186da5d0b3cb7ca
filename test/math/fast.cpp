// xcc::fast on a device: how large the errors are, and what comes of numbers
// that are none. `-v` prints the largest error of each function, `-n` another
// number of inputs than 2^16.
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t -v | FileCheck %s
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t -n 4096
// RUN: %xcc -O2 -ffast-math -std=c++20 %s -o %t && %t -n 4096
//
// The bounds are those of docs/math.md: of the CPU device what was measured with
// every 61st float, of GPUs what their makers state. -ffast-math makes divisions
// and roots of float estimates with a step of Newton's, on the CPU device too: x86
// promises estimates within 1.5 * 2^-12, which a step leaves within 4 and 5 units.
#include <xcc/xcc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace {
namespace fast = xcc::fast;

unsigned count = 1 << 16;
bool verbose = false;
int failures = 0;

/// In units of the last place of a result, and what counts as none.
struct Bound {
  double units, absolute = 0;
};
Bound choose(Bound cpu, Bound gpu) {
  static const bool host = !std::strcmp(xcc::device::current().kind(), "host");
  return host ? cpu : gpu;
}
/// `fast`: the CPU device's under -ffast-math.
Bound choose(Bound cpu, Bound fast, Bound gpu) {
#ifdef __FAST_MATH__
  cpu = fast;
#endif
  return choose(cpu, gpu);
}

template <class T, class F>
std::vector<T> onDevice(F f, const std::vector<T> &x, const std::vector<T> &y) {
  xcc::buffer<T> a(x), b(y), out(x.size());
  xcc::parallel_for(x.size(), [f, a = a.data(), b = b.data(),
                               out = out.data()](std::size_t i) {
    out[i] = f(a[i], b[i]);
  });
  return out.template to<std::vector<T>>();
}

/// f on the device, want here in higher precision. `extra` units are allowed on
/// top, by the arguments.
template <class T, class F, class Want, class Extra>
void check(const char *name, Bound bound, T low, T high, T low2, T high2, F f,
           Want want, Extra extra) {
  std::vector<T> x(count), y(count);
  for (unsigned i = 0; i != count; ++i) {
    const T part = T(i) / T(count - 1);
    // Every order of magnitude, where the interval has them.
    x[i] = low > 0 && high > 1e6
               ? std::exp2(std::log2(low) +
                           (std::log2(high) - std::log2(low)) * part)
               : low + (high - low) * part;
    x[i] = std::min(std::max(x[i], low), high);
    y[i] = low2 + (high2 - low2) * T(i * 40503u % 65536) / T(65536);
  }
  const std::vector<T> got = onDevice(f, x, y);
  double worst = 0, furthest = 0;
  bool bad = false;
  for (unsigned i = 0; i != count; ++i) {
    using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
    const Wide right = want(Wide(x[i]), Wide(y[i]));
    if (std::fabs(right) < std::numeric_limits<T>::min() ||
        std::fabs(right) > std::numeric_limits<T>::max())
      continue;
    int exponent;
    std::frexp(right, &exponent);
    const double off = double(std::fabs(got[i] - right));
    const double units =
        std::ldexp(off, std::numeric_limits<T>::digits - exponent);
    worst = std::max(worst, units);
    furthest = std::max(furthest, off);
    const bool wrong = !(units <= bound.units + extra(x[i], y[i])) &&
                       !(off <= bound.absolute);
    if (wrong && !bad)
      std::printf("FAILED: %s(%a, %a) is %a, not %a\n", name, double(x[i]),
                  double(y[i]), double(got[i]), double(right));
    bad |= wrong;
  }
  failures += bad;
  if (verbose)
    std::printf("%s: %.2f units, %.3g\n", name, worst, furthest);
}
template <class T, class F, class Want>
void check1(const char *name, Bound bound, T low, T high, F f, Want want) {
  check<T>(
      name, bound, low, high, 0, 0, [f](T x, T) { return f(x); },
      [want](auto x, auto) { return want(x); }, [](T, T) { return 0; });
}
template <class T, class F, class Want>
void check2(const char *name, Bound bound, F f, Want want) {
  check<T>(name, bound, T(-1e6), T(1e6), T(1e-3), T(1e3), f, want,
           [](T, T) { return 0; });
}

/// Of one number.
template <class F> float at(F f, float x, float y = 0) {
  return onDevice<float>([f](float a, float b) { return f(a, b); },
                         std::vector<float>(1, x), std::vector<float>(1, y))[0];
}
template <class F> void is(const char *what, float want, F f, float x, float y = 0) {
  const float got = at(f, x, y);
  if (want != want ? got == got : got != want)
    std::printf("FAILED: %s is %g, not %g\n", what, got, want), ++failures;
}
#define IS(want, function, ...)                                                \
  is(#function " of " #__VA_ARGS__, want,                                      \
     [](float x, float y) { return (void)y, function; }, __VA_ARGS__)
} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    verbose |= !std::strcmp(argv[i], "-v");
    if (!std::strcmp(argv[i], "-n") && i + 1 < argc)
      count = unsigned(std::atoi(argv[++i]));
  }
  // Approximate instructions round an argument's product first: 2 + 1.2 |x|.
  check<float>(
      "exp", choose({1.1}, {3}), -87.3f, 88.7f, 0, 0,
      [](float x, float) { return fast::exp(x); },
      [](auto x, auto) { return std::exp(x); },
      [](float x, float) { return choose({0}, {1.2}).units * std::fabs(x); });
  check1<float>("exp2", choose({1.1}, {3}), -125.9f, 127.9f,
                [](float x) { return fast::exp2(x); },
                [](auto x) { return std::exp2(x); });
  check1<float>("log", choose({1}, {4, 0x1p-21}), 0x1p-126f, 3e38f,
                [](float x) { return fast::log(x); },
                [](auto x) { return std::log(x); });
  check1<float>("log2", choose({1.7}, {3, 0x1p-21}), 0x1p-126f, 3e38f,
                [](float x) { return fast::log2(x); },
                [](auto x) { return std::log2(x); });
  check1<float>("log near 1", choose({1}, {4, 0x1p-21}), 0.5f, 2.0f,
                [](float x) { return fast::log(x); },
                [](auto x) { return std::log(x); });
  for (float size : {3.1416f, 100.0f}) {
    // An argument's product with 1 / 2 pi is rounded.
    const double gpu = 0x1p-20 + size * 0x1p-22;
    check1<float>("sin", choose({2, 1.3e-7}, {0, gpu}), -size, size,
                  [](float x) { return fast::sin(x); },
                  [](auto x) { return std::sin(x); });
    check1<float>("cos", choose({2, 1.3e-7}, {0, gpu}), -size, size,
                  [](float x) { return fast::cos(x); },
                  [](auto x) { return std::cos(x); });
    check1<float>("sincos", choose({4, 2.6e-7}, {0, 2 * gpu}), -size, size,
                  [](float x) {
                    float s, c;
                    fast::sincos(x, &s, &c);
                    return s - c;
                  },
                  [](auto x) { return std::sin(x) - std::cos(x); });
  }
  // Their results are useless beyond.
  if (choose({1}, {0}).units)
    check1<float>("sin up to 8192", {2, 1.3e-7}, -8192.0f, 8192.0f,
                  [](float x) { return fast::sin(x); },
                  [](auto x) { return std::sin(x); });
  // 2.1 or so for each power of two.
  check<float>(
      "pow", choose({2}, {4}), 1e-3f, 20.0f, -20.0f, 20.0f,
      [](float x, float y) { return fast::pow(x, y); },
      [](auto x, auto y) { return std::pow(x, y); },
      [](float x, float y) {
        return choose({2.1}, {8}).units * std::fabs(y * std::log2(x)) +
               choose({0}, {8}).units * std::fabs(y);
      });
  check2<float>("divide", choose({0.51}, {4}, {2.5}),
                [](float x, float y) { return fast::divide(x, y); },
                [](auto x, auto y) { return x / y; });
  check2<double>("divide double", choose({0.51}, {1}),
                 [](double x, double y) { return fast::divide(x, y); },
                 [](auto x, auto y) { return x / y; });
  check1<float>("rcp", choose({0.5}, {3.5}, {1.5}), 0x1p-120f, 0x1p120f,
                [](float x) { return fast::rcp(x); },
                [](auto x) { return 1 / x; });
  check1<double>("rcp double", choose({0.51}, {1.5}), 1e-300, 1e300,
                 [](double x) { return fast::rcp(x); },
                 [](auto x) { return 1 / x; });
  check1<float>("rsqrt", choose({1.5}, {5}, {2.5}), 0x1p-120f, 0x1p120f,
                [](float x) { return fast::rsqrt(x); },
                [](auto x) { return 1 / std::sqrt(x); });
  check1<double>("rsqrt double", choose({1.5}, {3}), 1e-300, 1e300,
                 [](double x) { return fast::rsqrt(x); },
                 [](auto x) { return 1 / std::sqrt(x); });
  check1<float>("sqrt", choose({0.5}, {5}, {2}), 0x1p-120f, 0x1p120f,
                [](float x) { return fast::sqrt(x); },
                [](auto x) { return std::sqrt(x); });
  check1<float>("xcc::rsqrt", choose({1.5}, {5}, {5}), 0x1p-120f, 0x1p120f,
                [](float x) { return xcc::rsqrt(x); },
                [](auto x) { return 1 / std::sqrt(x); });
  check1<double>("xcc::rsqrt double", choose({1.5}, {3}), 1e-300, 1e300,
                 [](double x) { return xcc::rsqrt(x); },
                 [](auto x) { return 1 / std::sqrt(x); });
  // double stays double.
  check1<double>("exp double", {6}, -700.0, 700.0,
                 [](double x) { return fast::exp(x); },
                 [](auto x) { return std::exp(x); });
  check1<double>("sin double", {6, 1e-15}, -10.0, 10.0,
                 [](double x) { return fast::sin(x); },
                 [](auto x) { return std::sin(x); });

#ifndef __FAST_MATH__
  {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    IS(inf, fast::exp(x), 89);
    IS(0, fast::exp(x), -110);
    IS(inf, fast::exp(x), inf);
    IS(0, fast::exp(x), -inf);
    IS(nan, fast::exp(x), nan);
    IS(1, fast::exp(x), 0);
    IS(inf, fast::exp2(x), 128);
    IS(0, fast::exp2(x), -160);
    IS(nan, fast::exp2(x), nan);
    IS(-inf, fast::log(x), 0);
    IS(inf, fast::log(x), inf);
    IS(nan, fast::log(x), -1);
    IS(nan, fast::log(x), nan);
    IS(0, fast::log2(x), 1);
    IS(nan, fast::sin(x), nan);
    IS(nan, fast::cos(x), inf);
    IS(1, fast::pow(x, y), 0, 0);
    IS(0, fast::pow(x, y), 0, 2);
    IS(inf, fast::rcp(x), 0);
    IS(0, fast::rcp(x), inf);
    IS(inf, fast::rsqrt(x), 0);
    IS(0, fast::sqrt(x), 0);
    IS(inf, float(fast::rcp(double(x))), 0);
    IS(inf, float(fast::divide(1.0, double(x))), 0);
    IS(0, float(fast::divide(1.0, double(x))), inf);
  }
#endif
  IS(1, fast::pow(x, y), 7, 0);
  IS(-8, std::rint(fast::pow(x, y)), -2, 3);
  IS(4, std::rint(fast::pow(x, y)), -2, 2);
  std::puts(failures ? "FAILED" : "done");
  return failures != 0;
}
// CHECK-NOT: FAILED
// CHECK: rcp double
// CHECK: done
