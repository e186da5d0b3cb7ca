// The language itself: what C++20 brought, and what C left.
// RUN: %xcc -O0 -std=c++20 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <compare>
#include <concepts>
#include <cstdarg>
#include <new>

struct version {
  int major, minor;
  auto operator<=>(const version &) const = default;
};
consteval int square(int x) { return x * x; }
template <std::integral T> T next(T x) { return x + 1; }
template <std::floating_point T> T next(T x) { return x + T(0.5); }

int sum_of(int n, ...) {
  va_list list;
  va_start(list, n);
  int sum = 0;
  while (n-- > 0)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}

struct counted {
  int *count;
  explicit counted(int *c) : count(c) { ++*count; }
  ~counted() { *count += 100; }
};

int main() {
  same("C++20", 50, [](std::size_t i) {
    const version v{int(i % 3), int(i % 5)};
    return (v < version{1, 2}) + 10 * (v == version{2, 2}) + square(5) +
           int(next(2.0)) + next(int(i));
  });
  same("lambdas", 50, [](std::size_t i) {
    auto fold = [](auto... x) { return (x + ... + 0); };
    auto self = [&](auto me, int n) -> int {
      return n < 2 ? n : me(me, n - 1) + me(me, n - 2);
    };
    return fold(1, short(2), int(i)) + self(self, int(i % 12));
  });
  same("arrays of variable length, varargs", 50, [](std::size_t i) {
    int a[i + 1];
    for (std::size_t k = 0; k <= i; ++k)
      a[k] = int(k * k);
    return sum_of(3, a[i], a[i / 2], 7);
  });
  same("lifetimes", 50, [](std::size_t i) {
    int count = 0;
    {
      counted a(&count), b(&count);
      alignas(counted) char memory[sizeof(counted)];
      counted *c = new (memory) counted(&count);
      if (i % 2)
        c->~counted();
      if (i % 3)
        return count;
    }
    return count;
  });
  same("bits and unions", 50, [](std::size_t i) {
    struct {
      unsigned a : 3, b : 7;
      signed c : 4;
    } bits{unsigned(i) & 7, unsigned(i) * 3 & 127, -(int(i) % 8)};
    union {
      float f;
      std::uint32_t u;
    } pun;
    pun.f = float(i);
    return bits.a + bits.b + bits.c + pun.u;
  });
  same("wide numbers", 50, [](std::size_t i) {
    const long double x = 1.0L / (i + 1);
    const unsigned __int128 y = (unsigned __int128)(i + 1) << 90;
    return double(x * x) + double(std::uint64_t(y / 12345 >> 20));
  });
  std::puts("done");
}
// CHECK-NOT: FAILED
// CHECK: done
