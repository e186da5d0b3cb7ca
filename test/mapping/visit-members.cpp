// xcc::visit_members shows a visitor the bases, members and captures of any
// class's object, private ones too, in the order of their declaration.
// RUN: %xcc -std=c++20 -O0 -g %s -o %t && %t | %FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++17 -O1 -fsanitize=undefined -fno-sanitize-recover=all \
// RUN:   -Werror -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic \
// RUN:   -Wno-padded -Wno-unsafe-buffer-usage -Wno-packed %s -o %t
// RUN: %t | %FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

void print(int value) { std::printf("%d", value); }
void print(double value) { std::printf("%g", value); }

const char *kindOf(xcc::member m) {
  return m.kind == xcc::member_kind::data        ? "data"
         : m.kind == xcc::member_kind::reference ? "reference"
                                                 : "base";
}

/// Prints an object as a tree; its own operator() is what the intrinsic's
/// bodies instantiate.
struct Printer {
  int depth = 0;
  template <class M, class T> void operator()(M m, T &value) const {
    // The type tells the kind too.
    static_assert(std::is_same_v<M, xcc::data_member> || std::is_same_v<M, xcc::reference_member> ||
                  std::is_same_v<M, xcc::base_member>);
    if (m.kind != (std::is_same_v<M, xcc::data_member>        ? xcc::member_kind::data
                   : std::is_same_v<M, xcc::reference_member> ? xcc::member_kind::reference
                                                              : xcc::member_kind::base))
      std::printf("another kind: ");
    std::printf("%*s%s +%zu %s", 2 * depth, "", m.name, m.offset, kindOf(m));
    if constexpr (std::is_const_v<T>)
      std::printf(" const");
    if constexpr (std::is_class_v<T>) {
      std::printf(" {\n");
      xcc::visit_members(value, Printer{depth + 1});
      std::printf("%*s}\n", 2 * depth, "");
    } else if constexpr (std::is_arithmetic_v<T>) {
      std::printf(" ");
      print(value);
      std::printf("\n");
    } else {
      std::printf(" of %zu bytes\n", sizeof(value));
    }
  }
};

template <class T> void show(const char *what, T &object) {
  std::printf("%s\n", what);
  xcc::visit_members(object, Printer{1});
}

struct Point {
  double x = 1, y = 2;
};
class Hidden {
  int secret = 42;
  mutable int changed = 1;
  [[maybe_unused]] static inline int shared = 5;

protected:
  Point at;
};
class Derived : Hidden, private Point {
  int own = 7;
  int row[3] = {};
  int *pointer = nullptr;
};
template <class T, class... More> struct Tuple : Tuple<More...> {
  T first;
  explicit Tuple(T value, More... more) : Tuple<More...>(more...), first(value) {}
};
template <class T> struct Tuple<T> {
  T first;
  explicit Tuple(T value) : first(value) {}
};

class Owner {
  int inside = 3;

public:
  void closures() {
    int local = 10;
    auto withThis = [this, local, &alias = local] {
      return inside + local + alias;
    };
    show("with this", withThis);
    auto withCopy = [*this, twice = 2 * local]() mutable {
      return inside++ + twice++;
    };
    show("with a copy", withCopy);
    auto outer = [withThis, &withCopy] { return withThis() + withCopy(); };
    show("nested", outer);
  }
};

} // namespace

int main() {
  Point p;
  // CHECK: plain
  // CHECK-NEXT: {{^}}  x +0 data 1
  // CHECK-NEXT: {{^}}  y +8 data 2
  show("plain", p);
  const Hidden hidden;
  // CHECK: private
  // CHECK-NEXT: {{^}}  secret +0 data const 42
  // CHECK-NEXT: {{^}}  changed +4 data 1
  // CHECK-NEXT: {{^}}  at +8 data const {
  // CHECK-NEXT: {{^}}    x +0 data const 1
  // CHECK-NEXT: {{^}}    y +8 data const 2
  // CHECK-NEXT: {{^}}  }
  show("private", hidden);
  Derived derived;
  // CHECK: derived
  // CHECK-NEXT: {{^}}  {{.*}}Hidden +0 base {
  // CHECK-NEXT: {{^}}    secret +0 data 42
  // CHECK: {{^}}  {{.*}}Point +24 base {
  // CHECK-NEXT: {{^}}    x +0 data 1
  // CHECK: {{^}}  own +40 data 7
  // CHECK-NEXT: {{^}}  row +44 data of 12 bytes
  // CHECK-NEXT: {{^}}  pointer +56 data of 8 bytes
  show("derived", derived);
  Tuple<int, double, int> tuple(1, 2.5, 3);
  // CHECK: tuple
  // CHECK-NEXT: {{^}}  {{.*}}Tuple<double, int> +0 base {
  // CHECK-NEXT: {{^}}    {{.*}}Tuple<int> +0 base {
  // CHECK-NEXT: {{^}}      first +0 data 3
  // CHECK: {{^}}    first +8 data 2.5
  // CHECK: {{^}}  first +16 data 1
  show("tuple", tuple);
  int n = 4;
  double a = 0.5;
  const Point &q = p;
  auto closure = [&, n] { return n * a + q.x; };
  // CHECK: closure
  // CHECK-NEXT: {{^}}  n +0 data const 4
  // CHECK-NEXT: {{^}}  a +8 reference 0.5
  // CHECK-NEXT: {{^}}  q +16 reference const {
  // CHECK-NEXT: {{^}}    x +0 data const 1
  const auto &constant = closure;
  show("closure", constant);
  // CHECK: with this
  // CHECK-NEXT: {{^}}  this +0 reference {
  // CHECK-NEXT: {{^}}    inside +0 data 3
  // CHECK: {{^}}  local +8 data 10
  // CHECK-NEXT: {{^}}  alias +16 reference 10
  // CHECK: with a copy
  // CHECK-NEXT: {{^}}  *this +0 data {
  // CHECK-NEXT: {{^}}    inside +0 data 3
  // CHECK: {{^}}  twice +4 data 20
  // CHECK: nested
  // CHECK-NEXT: {{^}}  withThis +0 data {
  // CHECK-NEXT: {{^}}    this +0 reference {
  // CHECK-NEXT: {{^}}      inside +0 data 3
  // CHECK: {{^}}    local +8 data 10
  // CHECK: {{^}}  withCopy +24 reference {
  // CHECK-NEXT: {{^}}    *this +0 data {
  Owner().closures();
}
