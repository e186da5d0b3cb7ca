// The errors of <cmath>'s functions on a device, against the host's in higher
// precision; each within its bound. `-v` prints them all.
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t -v | FileCheck %s
#include "Inputs/accuracy.h"

#include <xcc/xcc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/// What is tested: <cmath>'s functions, and glibc's exp10.
namespace functions {
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cbrt;
using std::ceil;
using std::copysign;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::fabs;
using std::fdim;
using std::floor;
using std::fmax;
using std::fmin;
using std::fmod;
using std::hypot;
using std::lgamma;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::logb;
using std::nearbyint;
using std::nextafter;
using std::pow;
using std::remainder;
using std::rint;
using std::round;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::tgamma;
using std::trunc;
float exp10(float x) { return ::exp10f(x); }
double exp10(double x) { return ::exp10(x); }
long double exp10(long double x) { return ::exp10l(x); }
} // namespace functions

namespace {
struct Bounds {
  double ofFloat, ofDouble;
};

constexpr std::size_t count = 1 << 14;
int failures = 0;
bool verbose = false;

/// Higher precision than T's, where the host has one.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;

/// A bound for this kind of device; the bounds are in the order of kinds.
Bounds choose(Bounds cpu, Bounds nvptx, Bounds amdgcn) {
  static const std::string kind = xcc::device::current().kind();
  return kind == "cuda" ? nvptx : kind == "hsa" ? amdgcn : cpu;
}

template <class T> const char *typeName() {
  return sizeof(T) == 4 ? "float" : "double";
}

void report(const char *name, const char *type, double worst, double bound) {
  bool bad = !(worst <= bound);
  failures += bad;
  if (bad || verbose)
    std::printf("%s%s %s: %.2f, bound %g\n", bad ? "FAILED: " : "", name, type,
                worst, bound);
}

template <class T>
std::vector<T> inputs(T low, T high, Where where, int stream) {
  std::vector<T> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = input(i, low, high, where, stream);
  return result;
}

/// f(x[i], y[i]) for all i, computed on the device.
template <class T, class F>
std::vector<T> onDevice(F f, const std::vector<T> &x, const std::vector<T> &y) {
  xcc::buffer<T> a(count), b(count), out(count);
  a.copy_from(x.data(), count);
  b.copy_from(y.data(), count);
  xcc::parallel_for(count, [f, a = a.data(), b = b.data(), out = out.data()](
                               std::size_t i) { out[i] = f(a[i], b[i]); });
  std::vector<T> result(count);
  out.copy_to(result.data(), count);
  return result;
}

/// The largest error of f on the device, against f here on numbers of type W.
template <class W, class T, class F>
void compare(const char *name, double bound, Where where,
             const std::vector<T> &x, const std::vector<T> &y, F f) {
  std::vector<T> results = onDevice(f, x, y);
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, errorOf(results[i], f(W(x[i]), W(y[i])), where));
  report(name, typeName<T>(), worst, bound);
}

template <class T, class F>
void rounded(const char *name, Where where, T low, T high, T low2, T high2,
             Bounds bounds, F f) {
  if (sizeof(Wide<T>) > sizeof(T))
    compare<Wide<T>>(name, sizeof(T) == 4 ? bounds.ofFloat : bounds.ofDouble,
                     where, inputs(low, high, where, 0),
                     inputs(low2, high2, where, 1), f);
}
template <class T, class F> void exact(const char *name, F f) {
  compare<T>(name, 0, Where::everywhere,
             inputs<T>(-1000, 1000, Where::everywhere, 0),
             inputs<T>(-10, 10, Where::everywhere, 1), f);
}
} // namespace

int main(int argc, char **argv) {
  verbose = argc > 1 && std::strcmp(argv[1], "-v") == 0;
  std::printf("%s, a %s device\n", xcc::device::current().name(),
              xcc::device::current().kind());
#define BOUNDS(...) Bounds{__VA_ARGS__}
#define CHOOSE(cpu, nvptx, amdgcn)                                             \
  choose(BOUNDS cpu, BOUNDS nvptx, BOUNDS amdgcn)
#define XCC_ROUNDED_1(name, where, low, high, ...)                             \
  rounded<float>(#name, Where::where, low, high, 0, 0, CHOOSE(__VA_ARGS__),    \
                 LIFT_1(name));                                                \
  rounded<double>(#name, Where::where, low, high, 0, 0, CHOOSE(__VA_ARGS__),   \
                  LIFT_1(name));
#define XCC_ROUNDED_2(name, low, high, low2, high2, ...)                       \
  rounded<float>(#name, Where::everywhere, low, high, low2, high2,             \
                 CHOOSE(__VA_ARGS__), LIFT_2(name));                           \
  rounded<double>(#name, Where::everywhere, low, high, low2, high2,            \
                  CHOOSE(__VA_ARGS__), LIFT_2(name));
#define LIFT_1(name) [](auto x, auto) { return functions::name(x); }
#define LIFT_2(name) [](auto x, auto y) { return functions::name(x, y); }
#define XCC_EXACT_1(name)                                                      \
  exact<float>(#name, LIFT_1(name));                                           \
  exact<double>(#name, LIFT_1(name));
#define XCC_EXACT_2(name)                                                      \
  exact<float>(#name, LIFT_2(name));                                           \
  exact<double>(#name, LIFT_2(name));
#include "Inputs/functions.def"
  std::puts(failures ? "FAILED" : "done");
  return failures != 0;
}
// CHECK-NOT: FAILED
// CHECK: sin float
// CHECK: done
