// Numbers of floating point to and from text, by <charconv>
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>

template <class T> void show(T value) {
  char text[400];
  auto line = [&](std::to_chars_result r) { printf(" %.*s", int(r.ptr - text), text); };
  line(std::to_chars(text, text + sizeof text, value));
  for (auto format : {std::chars_format::scientific, std::chars_format::fixed,
                      std::chars_format::general}) {
    line(std::to_chars(text, text + sizeof text, value, format));
    line(std::to_chars(text, text + sizeof text, value, format, 4));
  }
  if (std::fpclassify(value) != FP_SUBNORMAL && sizeof(T) == 8) // libstdc++ has its own way
    line(std::to_chars(text, text + sizeof text, value, std::chars_format::hex));
  printf("\n");
}
template <class T> void both(T value) {
  show(value);
  show(-value);
}
template <class T> void read(const char *text, std::chars_format format = std::chars_format::general) {
  T value = 77;
  auto r = std::from_chars(text, text + strlen(text), value, format);
  printf("'%s': %d %a %d\n", text, int(r.ptr - text), double(value), int(r.ec));
}

int main() {
  using limits = std::numeric_limits<double>;
  for (double d : {0.0, 1.0, 0.1, 0.3, 2.5, 100.0, 123456.0, 1234567.0, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23, 123456789012345680.0, 1.0 / 3, 2.0 / 3e10, 1e-4, 1e-5, 0.00012345, 5e-324, 1.5e-310, limits::min(), limits::max(), limits::epsilon(), 9007199254740993.0, 3.141592653589793, limits::infinity(), limits::quiet_NaN()})
    both(d);
  for (float f : {0.1f, 1.0f / 3, 16777216.0f, 3.4028235e38f, 1e-45f, 1.17549435e-38f, 0.5f, 123456.7f, 1e10f})
    both(f);
  std::uint64_t bits = 88172645463325252ull;
  for (int i = 0; i != 40; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double d;
    memcpy(&d, &bits, sizeof d);
    if (!std::isfinite(d))
      continue;
    char text[40];
    auto r = std::to_chars(text, text + sizeof text, d);
    *r.ptr = 0;
    double back = 0;
    std::from_chars(text, r.ptr, back);
    printf("%s %d\n", text, back == d);
  }
  for (const char *text : {"1", "-2.5e3x", ".5", "5.", ".", "", "+1", " 1", "1e", "1e+", "1e5", "0x10", "inf", "-infinity!", "nan", "nan(12)", "nan(", "1.5.5", "1e400", "123456789012345678901234567890", "0.1", "-0"})
    read<double>(text);
  read<float>("0.1"), read<float>("3.4028236e38"), read<float>("16777217");
  read<double>("1e5", std::chars_format::fixed), read<double>("15", std::chars_format::scientific), read<double>("1.8p3", std::chars_format::hex), read<double>("-ff", std::chars_format::hex);
  char small[4];
  printf("%d %d\n", int(std::to_chars(small, small + 4, 0.25).ec), int(std::to_chars(small, small + 3, 0.25).ec));
}
