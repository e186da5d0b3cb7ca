// Errors of GPU math libraries, run on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   measure COUNT LIBRARY...
//
// Each library is a GPU's math library as measure.py makes a shared library of
// it, with C's names. Prints a line for each function and type: name, type, and
// each library's largest error in units of the last place against glibc's
// quadruple precision for double, double precision for float ("-" where there
// is no such function, "=" where every result is the host's).

#include "accuracy.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

using Quad = __float128;

// glibc's functions that C++ has no names for with quadruple precision.
// clang-format off
#define FUNCTIONS_1(X)                                                        \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(cos) X(cosh)   \
  X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(j0) X(j1) X(lgamma)       \
  X(log) X(log10) X(log1p) X(log2) X(sin) X(sinh) X(tan) X(tanh) X(tgamma)    \
  X(y0) X(y1)
// clang-format on
#define FUNCTIONS_2(X) X(atan2) X(hypot) X(pow)

extern "C" {
#define DECLARE_1(name) Quad name##f128(Quad);
#define DECLARE_2(name) Quad name##f128(Quad, Quad);
FUNCTIONS_1(DECLARE_1)
FUNCTIONS_2(DECLARE_2)
DECLARE_1(rint)
DECLARE_1(sqrt)
DECLARE_2(fmod)
}

namespace {
constexpr Quad pi = 3.14159265358979323846264338327950288Q;

/// References: double's for float, quadruple ones for double.
namespace reference {
#define REFERENCE_1(name)                                                      \
  double name(double x) { return ::name(x); }                                  \
  Quad name(Quad x) { return name##f128(x); }
#define REFERENCE_2(name)                                                      \
  double name(double x, double y) { return ::name(x, y); }                     \
  Quad name(Quad x, Quad y) { return name##f128(x, y); }
FUNCTIONS_1(REFERENCE_1)
FUNCTIONS_2(REFERENCE_2)

Quad rsqrt(Quad x) { return 1 / sqrtf128(x); }
Quad sinpi(Quad x) {
  Quad r = fmodf128(x, 2); // Exact; then |r - whole| <= 1/4 steps of 1/2.
  Quad halves = rintf128(r * 2), rest = (r - halves / 2) * pi;
  if (rest == 0 && halves == 0)
    return x * 0;
  switch (int(halves) & 3) {
  case 0:
    return sinf128(rest);
  case 1:
    return cosf128(rest);
  case 2:
    return -sinf128(rest);
  default:
    return -cosf128(rest);
  }
}
Quad cospi(Quad x) {
  Quad r = fmodf128(x < 0 ? -x : x, 2);
  Quad halves = rintf128(r * 2), rest = (r - halves / 2) * pi;
  switch (int(halves) & 3) {
  case 0:
    return cosf128(rest);
  case 1:
    return rest == 0 ? 0 : -sinf128(rest);
  case 2:
    return -cosf128(rest);
  default:
    return rest == 0 ? 0 : sinf128(rest);
  }
}
double rsqrt(double x) { return double(rsqrt(Quad(x))); }
double sinpi(double x) { return double(sinpi(Quad(x))); }
double cospi(double x) { return double(cospi(Quad(x))); }
} // namespace reference

std::vector<std::pair<void *, std::string>> libraries;
std::uint64_t count;

/// The function in each library; null where only what it links to has it.
template <class F> std::vector<F *> find(std::string name) {
  std::vector<F *> found;
  for (const auto &[library, file] : libraries) {
    void *function = dlsym(library, name.c_str());
    Dl_info info;
    if (function && (!dladdr(function, &info) || file != info.dli_fname))
      function = nullptr;
    found.push_back(reinterpret_cast<F *>(function));
  }
  return found;
}

bool debugging = std::getenv("MEASURE_WORST") != nullptr;

template <class T> const char *typeName() {
  return sizeof(T) == 4 ? "float" : "double";
}
template <class T> std::string named(const char *name) {
  return std::string(name) + (sizeof(T) == 4 ? "f" : "");
}

void print(const char *name, const char *type, const std::vector<bool> &there,
           const std::vector<double> &worst, bool exact) {
  std::string line = std::string(name) + " " + type;
  for (std::size_t l = 0; l < libraries.size(); ++l) {
    char text[32];
    std::snprintf(text, sizeof text, " %.2f", worst[l]);
    line += !there[l] ? " -" : exact && worst[l] == 0 ? " =" : text;
  }
  std::puts(line.c_str());
  std::fflush(stdout);
}

/// Runs one(i, errors) for all inputs on all cores; the largest errors.
template <class One> std::vector<double> largest(One one) {
  unsigned n = std::thread::hardware_concurrency();
  std::vector<std::vector<double>> parts(n,
                                         std::vector<double>(libraries.size()));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < n; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = t; i < count; i += n)
        one(i, parts[t]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &part : parts)
    for (std::size_t l = 0; l < part.size(); ++l)
      parts[0][l] = std::max(parts[0][l], part[l]);
  return parts[0];
}

template <class T, class Want, class... A>
void note(std::vector<double> &worst, std::size_t l, T got, Want want,
          Where where, A... x) {
  double error = errorOf(got, want, where);
  if (!(error > worst[l]))
    return;
  worst[l] = error;
  if (debugging && error > 4) {
    std::fprintf(stderr, "  library %zu:", l);
    (std::fprintf(stderr, " %.17g", double(x)), ...);
    std::fprintf(stderr, " -> %.17g, not %.17g\n", double(got), double(want));
  }
}

template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, Quad>;

template <class T, class Reference>
void rounded(const char *name, Where where, T low, T high, Reference want) {
  auto functions = find<T(T)>(named<T>(name));
  std::vector<bool> there(functions.begin(), functions.end());
  print(name, typeName<T>(), there,
        largest([&](std::uint64_t i, std::vector<double> &worst) {
          T x = input(i, low, high, where);
          Wide<T> w = want(Wide<T>(x));
          for (std::size_t l = 0; l < functions.size(); ++l)
            if (functions[l])
              note(worst, l, functions[l](x), w, where, x);
        }),
        false);
}
template <class T, class Reference>
void rounded(const char *name, T low, T high, T low2, T high2, Reference want) {
  constexpr Where where = Where::everywhere;
  auto functions = find<T(T, T)>(named<T>(name));
  std::vector<bool> there(functions.begin(), functions.end());
  print(name, typeName<T>(), there,
        largest([&](std::uint64_t i, std::vector<double> &worst) {
          T x = input(i, low, high, where);
          T y = input(i, low2, high2, where, 1);
          Wide<T> w = want(Wide<T>(x), Wide<T>(y));
          for (std::size_t l = 0; l < functions.size(); ++l)
            if (functions[l])
              note(worst, l, functions[l](x, y), w, where, x, y);
        }),
        false);
}

/// 0 if they are the same number with the same sign, or both NaNs.
template <class T> double same(T got, T want) {
  if constexpr (std::is_floating_point_v<T>)
    return (got != got && want != want) ||
                   (got == want && std::signbit(got) == std::signbit(want))
               ? 0
               : INFINITY;
  else
    return got == want ? 0 : INFINITY;
}

/// F: the function's type; call(f, x, y) gives a number or several as pair.
template <class F, class Call>
void exact(const char *name, const char *type, std::string symbol, F *host,
           Call call) {
  auto functions = find<F>(symbol);
  std::vector<bool> there(functions.begin(), functions.end());
  print(name, type, there,
        largest([&](std::uint64_t i, std::vector<double> &worst) {
          for (std::size_t l = 0; l < functions.size(); ++l)
            if (functions[l]) {
              double error = call(functions[l], host, i);
              if (error > worst[l] && debugging)
                std::fprintf(stderr, "  library %zu: %s differs at %llu\n", l,
                             symbol.c_str(), (unsigned long long)i);
              worst[l] = std::max(worst[l], error);
            }
        }),
        true);
}

template <class T> T first(std::uint64_t i) {
  return input<T>(i, -1000, 1000, Where::everywhere);
}
template <class T> T second(std::uint64_t i) {
  return input<T>(i, -10, 10, Where::everywhere, 1);
}

template <class T> void exact1(const char *name, T (*host)(T)) {
  exact<T(T)>(name, typeName<T>(), named<T>(name), host,
              [](auto f, auto h, std::uint64_t i) {
                return same(f(first<T>(i)), h(first<T>(i)));
              });
}
template <class T> void exact2(const char *name, T (*host)(T, T)) {
  exact<T(T, T)>(name, typeName<T>(), named<T>(name), host,
                 [](auto f, auto h, std::uint64_t i) {
                   T x = first<T>(i), y = second<T>(i), want = h(x, y);
                   // The sign of a zero that one of two equal operands gave.
                   T got = f(x, y);
                   return x == 0 && y == 0 && got == want ? 0 : same(got, want);
                 });
}
template <class T, class R>
void toInteger(const char *name, R (*host)(T), double limit) {
  exact<R(T)>(name, typeName<T>(), named<T>(name), host,
              [limit](auto f, auto h, std::uint64_t i) {
                T x = first<T>(i);
                return std::fabs(x) < limit ? same(f(x), h(x)) : 0;
              });
}
/// T name(T, T's or int's place).
template <class T, class P> void parts(const char *name, T (*host)(T, P *)) {
  exact<T(T, P *)>(name, typeName<T>(), named<T>(name), host,
                   [](auto f, auto h, std::uint64_t i) {
                     T x = first<T>(i);
                     P p{}, q{};
                     T got = f(x, &p), want = h(x, &q);
                     bool number = std::isfinite(x);
                     return std::max(same(got, want), number ? same(p, q) : 0);
                   });
}
template <class T, class N> void scale(const char *name, T (*host)(T, N)) {
  exact<T(T, N)>(name, typeName<T>(), named<T>(name), host,
                 [](auto f, auto h, std::uint64_t i) {
                   T x = first<T>(i);
                   N n = N(scramble(i + 77) % 5000) - 2500;
                   return same(f(x, n), h(x, n));
                 });
}
template <class T> void quotients(T (*host)(T, T, int *)) {
  exact<T(T, T, int *)>("remquo", typeName<T>(), named<T>("remquo"), host,
                        [](auto f, auto h, std::uint64_t i) {
                          T x = first<T>(i), y = second<T>(i);
                          int p = 0, q = 0;
                          T got = f(x, y, &p), want = h(x, y, &q);
                          return std::max(
                              same(got, want),
                              std::isfinite(want) ? same(p & 7, q & 7) : 0);
                        });
}
} // namespace

int main(int argc, char **argv) {
  count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  for (int i = 2; i < argc; ++i) {
    libraries.emplace_back(dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), argv[i]);
    if (!libraries.back().first) {
      std::fprintf(stderr, "measure: %s\n", dlerror());
      return 1;
    }
  }
#define XCC_ROUNDED_1(name, where, low, high, ...)                             \
  rounded<float>(#name, Where::where, low, high,                               \
                 [](auto x) { return reference::name(x); });                   \
  rounded<double>(#name, Where::where, low, high,                              \
                  [](auto x) { return reference::name(x); });
#define XCC_MEASURED_1 XCC_ROUNDED_1
#define XCC_ROUNDED_2(name, low, high, low2, high2, ...)                       \
  rounded<float>(#name, low, high, low2, high2,                                \
                 [](auto x, auto y) { return reference::name(x, y); });        \
  rounded<double>(#name, low, high, low2, high2,                               \
                  [](auto x, auto y) { return reference::name(x, y); });
#define XCC_EXACT_1(name)                                                      \
  exact1<float>(#name, name##f);                                               \
  exact1<double>(#name, name);
#define XCC_EXACT_2(name)                                                      \
  exact2<float>(#name, name##f);                                               \
  exact2<double>(#name, name);
#include "functions.def"
  toInteger<float>("ilogb", ilogbf, INFINITY);
  toInteger<double>("ilogb", ilogb, INFINITY);
  toInteger<float>("lround", lroundf, 9e18);
  toInteger<double>("lround", lround, 9e18);
  toInteger<float>("llrint", llrintf, 9e18);
  toInteger<double>("llrint", llrint, 9e18);
  parts<float, int>("frexp", frexpf);
  parts<double, int>("frexp", frexp);
  parts<float, float>("modf", modff);
  parts<double, double>("modf", modf);
  scale<float, int>("ldexp", ldexpf);
  scale<double, int>("ldexp", ldexp);
  scale<float, long>("scalbln", scalblnf);
  scale<double, long>("scalbln", scalbln);
  exact1<float>("roundeven", roundevenf);
  exact1<double>("roundeven", roundeven);
  exact2<float>("fmaximum", fmaximumf);
  exact2<double>("fmaximum", fmaximum);
  exact1<float>("nextup", nextupf);
  exact1<double>("nextdown", nextdown);
  quotients<float>(remquof);
  quotients<double>(remquo);
}
