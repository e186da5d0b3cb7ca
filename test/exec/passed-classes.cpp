// Arguments of classes with constructors and destructors of their own are the
// very objects that the caller made: they may hold their own addresses, and are
// destroyed once.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <string>
#include <utility>

/// Knows where it is.
struct Fixed {
  Fixed *self = this;
  int value;
  int *ended;
  Fixed(int value, int *ended) : value(value), ended(ended) {}
  Fixed(const Fixed &other) : value(other.value + 100), ended(other.ended) {}
  ~Fixed() { *ended += self == this ? 1 : 1000; }
  bool right() const { return self == this; }
};
struct Plain {
  int a[8];
};
struct Base {
  virtual int take(Fixed object, Plain plain) const {
    return object.right() + plain.a[3];
  }
};
struct Derived : Base {
  int take(Fixed object, Plain plain) const override {
    plain.a[3] = 7;
    return object.right() * 10 + plain.a[3];
  }
};
[[gnu::noinline]] int direct(Fixed object) {
  object.value += 1;
  return object.right() ? object.value : -1;
}
[[gnu::noinline]] int on(Fixed object, int depth) {
  return depth ? on(object, depth - 1) : object.value + object.right();
}
[[gnu::noinline]] int both(std::string a, std::string b) {
  std::string moved = std::move(a);
  moved += b;
  a = "again, and too long to be in place";
  std::swap(a, b);
  return int(moved.size() * 100 + a.size());
}
template <class... T> [[gnu::noinline]] int all(T... objects) {
  return (objects.right() + ...);
}

int main() {
  same("passed", 8, [](std::size_t i) {
    int ended = 0, result = 0;
    const int n = int(i);
    {
      Fixed object(n, &ended);
      const Plain plain = {{1, 2, 3, n}};
      Base base;
      Derived derived;
      const Base *bases[] = {&base, &derived};
      int (*pointers[])(Fixed) = {direct, [](Fixed f) { return f.value; }};
      int (Base::*member)(Fixed, Plain) const = &Base::take;
      result += direct(object) + direct(Fixed(n, &ended));
      result += on(object, n) * 3;
      result += bases[n % 2]->take(object, plain) * 5 + plain.a[3];
      result += pointers[n % 2](object) * 7;
      result += (bases[n % 2]->*member)(object, plain) * 11;
      result += all(object, Fixed(3, &ended), object) * 13;
    }
    result += both("short", std::string(20 + n, 'x'));
    return result * 100 + ended;
  });
  // CHECK: passed: same
}
