// Virtual functions, recursion, pointers to functions and members: calls that
// no inliner removes.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <typeinfo>

struct animal {
  int weight;
  explicit animal(int w) : weight(w) {}
  virtual int legs() const = 0;
  virtual int noise(int n) const { return n; }
  virtual ~animal() = default;
};
struct dog : animal {
  using animal::animal;
  int legs() const override { return 4; }
  int noise(int n) const override { return 10 * n + weight; }
};
struct bird : animal {
  using animal::animal;
  int legs() const override { return 2; }
};
struct swims {
  virtual int depth() const { return 7; }
};
struct duck final : bird, swims {
  using bird::bird;
  int noise(int n) const override { return bird::noise(n) + depth(); }
  int depth() const override { return weight / 2; }
};

[[gnu::noinline]] int ask(const animal &a, int n) {
  return 1000 * a.legs() + a.noise(n);
}

[[gnu::noinline]] int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
bool odd(unsigned n);
bool even(unsigned n) { return n == 0 || odd(n - 1); }
bool odd(unsigned n) { return n != 0 && even(n - 1); }

int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
using function = int (*)(int);
constexpr function table[] = {twice, thrice, [](int x) { return -x; }};

struct point {
  int x, y;
  int sum(int z) const { return x + y + z; }
  int product(int z) const { return x * y * z; }
};

int main() {
  same("virtual", 60, [](std::size_t i) {
    dog d{int(i)};
    bird b(3);
    duck k(100);
    const animal *all[] = {&d, &b, &k};
    return ask(*all[i % 3], int(i));
  });
  same("dynamic_cast", 30, [](std::size_t i) {
    dog d(1);
    duck k(100);
    animal *a = i % 2 ? static_cast<animal *>(&d) : &k;
    auto *s = dynamic_cast<swims *>(a);
    return (s ? s->depth() : -1) + 1000 * (typeid(*a) == typeid(dog));
  });
  same("recursion", 20, [](std::size_t i) {
    return ackermann(2, int(i)) + even(unsigned(i)) * 1000;
  });
  same("deep recursion", 2, [](std::size_t i) {
    return int(even(unsigned(200 + i)));
  });
  same("pointers to functions", 60, [](std::size_t i) {
    function f = table[i % 3];
    return f(f(int(i)));
  });
  same("pointers to members", 60, [](std::size_t i) {
    int (point::*f)(int) const = i % 2 ? &point::sum : &point::product;
    int point::*m = i % 3 ? &point::x : &point::y;
    point p = {int(i), 7};
    return (p.*f)(3) + p.*m;
  });
  std::puts("done");
}
// CHECK-NOT: FAILED
// CHECK: done
