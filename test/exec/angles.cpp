// Sine and cosine of one angle, which GPUs compute together, are what each is alone: of small,
// large, negative and special angles, in float and double, on every path through a function.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>
#include <xcc/xcc.h>

template <class T> void together(const T *x, T *sine, T *cosine) {
  const auto i = xcc::global_id();
  sine[i] = std::sin(x[i]);
  cosine[i] = std::cos(x[i]);
}
template <class T> void first(const T *x, T *sine) {
  sine[xcc::global_id()] = std::sin(x[xcc::global_id()]);
}
template <class T> void second(const T *x, T *cosine) {
  cosine[xcc::global_id()] = std::cos(x[xcc::global_id()]);
}
template <class T> void on_ways(const T *x, T *sine, T *cosine) {
  const auto i = xcc::global_id();
  const T angle = x[i];
  if (i % 3 == 0) {
    sine[i] = std::sin(angle);
    cosine[i] = std::cos(angle);
    return;
  }
  const T c = std::cos(angle);
  cosine[i] = c;
  for (unsigned turn = 0; turn < i % 3; ++turn)
    sine[i] = std::sin(angle);
}

template <class T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i])) &&
        !(a[i] != a[i] && b[i] != b[i]))
      return false;
  return true;
}

template <class T> void all(const char *name) {
  using limits = std::numeric_limits<T>;
  std::vector<T> angles = {0,
                           -T(0),
                           limits::infinity(),
                           -limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           -limits::denorm_min(),
                           T(1.5707963267948966),
                           T(-3.141592653589793),
                           T(32768),
                           T(32767.998)};
  for (int k = 0; angles.size() < 256; ++k)
    angles.push_back(std::ldexp(T(1 + k % 7 * 0.13), k - 100) * (k % 2 ? -1 : 1));
  const int n = int(angles.size());
  xcc::buffer<T> x(angles), s(n), c(n), s2(n), c2(n), s3(n), c3(n);
  xcc::launch({{n / 64}, {64}}, together<T>, x, s, c);
  xcc::launch({{n / 64}, {64}}, first<T>, x, s2);
  xcc::launch({{n / 64}, {64}}, second<T>, x, c2);
  xcc::launch({{n / 64}, {64}}, on_ways<T>, x, s3, c3);
  const auto sine = s.template to<std::vector<T>>(), cosine = c.template to<std::vector<T>>();
  const bool alike = same(sine, s2.template to<std::vector<T>>()) &&
                     same(cosine, c2.template to<std::vector<T>>()) &&
                     same(sine, s3.template to<std::vector<T>>()) &&
                     same(cosine, c3.template to<std::vector<T>>());
  bool near = true;
  for (int i = 0; i < n; ++i) {
    const T error = std::fabs(sine[i] - std::sin(angles[i])) + std::fabs(cosine[i] - std::cos(angles[i]));
    near &= !(error > 4 * limits::epsilon()) && (error == error) == std::isfinite(angles[i]);
  }
  std::printf("%s: %s, %s\n", name, alike ? "alike" : "DIFFERENT", near ? "right" : "WRONG");
}

int main() {
  all<float>("float");   // CHECK: float: alike, right
  all<double>("double"); // CHECK: double: alike, right
}
