// What is thrown, the launch's error names, on every device alike.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0: {{.*}}an exception left the kernel: std::out_of_range
// CHECK: 1: {{.*}}kernel: std::out_of_range: array::at: __n (which is 7) >= _Nm (which is 4)
// CHECK: 2: {{.*}}kernel: std::bad_cast
// CHECK: 3: {{.*}}kernel: std::bad_typeid
// CHECK: 4: {{.*}}kernel: My
// CHECK: 5: {{.*}}kernel: Err<int>
// CHECK: 6: {{.*}}kernel: double
// CHECK: 7: {{.*}}kernel: app::error
// CHECK: 8: {{.*}}kernel: std::bad_optional_access
// CHECK: 9: {{.*}}kernel: std::bad_variant_access
// CHECK: 10: {{.*}}kernel: std::out_of_range: basic_string_view::substr: __pos (which is 7) > __size (which is 3)
// CHECK: 11: {{.*}}kernel: std::out_of_range: bitset::test: __position (which is 7) >= _Nb (which is 5)
// CHECK: 12: {{.*}}kernel: char const*
// CHECK: 13: {{.*}}kernel: std::bad_alloc
#include "Inputs/each_in_child.h"
#include <array>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <typeinfo>
#include <variant>
#include <xcc/xcc.h>
struct A {
  virtual ~A() = default;
};
struct B : A {};
struct My {
  int i;
};
template <class T> struct Err : std::runtime_error {
  using runtime_error::runtime_error;
};
namespace app {
struct error : std::exception {
  int code;
  error(int c) : code(c) {}
  const char *what() const noexcept override { return "app"; }
};
} // namespace app
void k(int which, int *p, std::size_t n) {
  switch (which) {
  case 0:
    throw std::out_of_range("x");
  case 1: {
    std::array<int, 4> a{};
    p[0] = a.at(n);
    break;
  }
  case 2: {
    A a;
    A *q = &a;
    if (n == 7)
      p[0] = (int)(long)&dynamic_cast<B &>(*(A *)q);
    break;
  }
  case 3: {
    A *q = n == 7 ? nullptr : (A *)p;
    p[0] = (int)(long)typeid(*q).name();
    break;
  }
  case 4:
    throw My{1};
  case 5:
    throw Err<int>("a");
  case 6:
    throw 3.5;
  case 7:
    throw app::error(4);
  case 8: {
    std::optional<int> o;
    if (n != 7)
      o = 1;
    p[0] = o.value();
    break;
  }
  case 9: {
    std::variant<int, float> v = 1;
    if (n == 7)
      v = 1.f;
    p[0] = std::get<int>(v);
    break;
  }
  case 10: {
    std::string_view v("abc");
    p[0] = (int)v.substr(n).size();
    break;
  }
  case 11: {
    std::bitset<5> b;
    p[0] = b.test(n);
    break;
  }
  case 12:
    throw "text";
  case 13:
    throw std::bad_alloc();
  }
}

int main() {
  each_in_child(14, [](int which) {
    try {
      xcc::buffer<int> p(1);
      xcc::launch({1, 1}, k, which, p.data(), std::size_t(7));
      xcc::synchronize();
      std::printf("%d: no error\n", which);
    } catch (const xcc::error &error) {
      std::printf("%d: %s\n", which, error.what());
    }
  });
}
