// A call's result is not the argument that was in its register before: in loops
// where a result takes the place of another value, which becomes the argument.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
#include "Inputs/same.h"

using ulong = unsigned long;

[[gnu::noinline]] static unsigned next(unsigned a) {
  return a * 1664525u + 1013904223u;
}
[[gnu::noinline]] static ulong wide(ulong a) {
  return a * 6364136223846793005u + 7;
}
[[gnu::noinline]] static float half(float a) { return a * 0.5f + 3; }

template <class T, T (*F)(T)> static T turns(std::size_t n, T x, T y) {
  for (std::size_t i = 0; i != n; ++i) {
    T result = F(x);
    x = y;
    y = result;
  }
  return x * 3 + y;
}

int main() {
  same("32 bits", 64, [](std::size_t i) {
    return turns<unsigned, next>(i % 7, unsigned(i), unsigned(2 * i + 1));
  });
  same("64 bits", 64,
       [](std::size_t i) { return turns<ulong, wide>(i % 7, i, 2 * i + 1); });
  same("float", 64, [](std::size_t i) {
    return turns<float, half>(i % 7, float(i), float(2 * i + 1));
  });
}
