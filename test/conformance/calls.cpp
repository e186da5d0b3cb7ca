// Templates, calls and classes in kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <concepts>
#include <cstdarg>
#include <new>
#include <utility>

namespace {
constexpr unsigned N = 300;

//===-- Templates ---------------------------------------------------------===//
template <unsigned V> struct factorial {
  static constexpr unsigned value = V * factorial<V - 1>::value;
};
template <> struct factorial<0> { static constexpr unsigned value = 1; };
template <class... T> auto sum(T... v) { return (v + ... + 0); }
template <class T, template <class, std::size_t> class Holder> struct user {
  Holder<T, 4> held;
  T at(unsigned i) const { return held.items[i % 4]; }
};
template <class T, std::size_t S> struct holder { T items[S]; };
template <class D> struct base_by_name {
  unsigned twice(unsigned v) const {
    return static_cast<const D *>(this)->once(v) * 2;
  }
};
struct derived_by_name : base_by_name<derived_by_name> {
  unsigned once(unsigned v) const { return v + 1; }
};
template <class T>
concept number = std::integral<T> || std::floating_point<T>;
template <number T> T triple(T v) { return v * 3; }

//===-- Calls -------------------------------------------------------------===//
[[gnu::noinline]] unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
unsigned is_odd(unsigned n);
[[gnu::noinline]] unsigned is_even(unsigned n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
[[gnu::noinline]] unsigned is_odd(unsigned n) {
  return n == 0 ? 0 : is_even(n - 1);
}
[[gnu::noinline]] unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

[[gnu::noinline]] int add_one(int v) { return v + 1; }
[[gnu::noinline]] int times_two(int v) { return v * 2; }
[[gnu::noinline]] int negative(int v) { return -v; }
using function = int (*)(int);
constexpr function Table[] = {add_one, times_two, negative};

[[gnu::noinline]] int sum_of(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

//===-- Classes -----------------------------------------------------------===//
struct shape {
  virtual int area() const = 0;
  virtual int sides() const { return 0; }

protected:
  ~shape() = default;
};
struct square final : shape {
  int side;
  explicit square(int s) : side(s) {}
  int area() const override { return side * side; }
  int sides() const override { return 4; }
};
struct flat final : shape {
  int a, b;
  flat(int x, int y) : a(x), b(y) {}
  int area() const override { return a * b; }
};
[[gnu::noinline]] int measure(const shape &s) {
  return s.area() * 10 + s.sides();
}

struct left_base {
  int l = 1;
  virtual int name() const { return l; }
};
struct right_base {
  int r = 2;
  virtual int other() const { return r; }
};
struct both : left_base, right_base {
  int name() const override { return l * 100; }
  int other() const override { return r * 100 + l; }
};
[[gnu::noinline]] int call_other(const right_base *r) { return r->other(); }

struct counted {
  int *count;
  explicit counted(int *c) : count(c) { ++*count; }
  counted(const counted &o) : count(o.count) { ++*count; }
  ~counted() { --*count; }
};
struct members {
  int a = 1, b = 2;
  int get(int by) const { return a * by + b; }
};

} // namespace

TEST(templates, needs(execution)) {
  same("templates", N, [](unsigned i) {
    const user<unsigned, holder> u{{{i, i + 1, i + 2, i + 3}}};
    return factorial<7>::value + unsigned(sum(1, int(i), 3L)) + u.at(i) +
           derived_by_name().twice(i) + triple(i);
  });
}

TEST(template_kernels, needs(execution)) {
  auto run = []<class T, int By>(T first, std::integral_constant<int, By>) {
    xcc::buffer<T> out(1);
    xcc::launch({{1}, {1}}, [first, o = out.data()] { *o = first * By; });
    EQUAL(read(out)[0], first * By);
  };
  run(3, std::integral_constant<int, 4>());
  run(2.5f, std::integral_constant<int, 2>());
  run(7ull, std::integral_constant<int, 9>());
}

TEST(recursion, needs(execution)) {
  same("fibonacci", 18, [](unsigned i) { return fibonacci(i); });
  same("mutual", 60, [](unsigned i) { return is_even(i) * 2 + is_odd(i); });
  same("ackermann", 6, [](unsigned i) { return ackermann(2, i); });
}

TEST(function_pointers, needs(execution)) {
  same("table", N, [](unsigned i) { return Table[i % 3](int(i)); });
  same("chosen", N, [](unsigned i) {
    function f = i % 2 ? add_one : times_two;
    for (unsigned k = 0; k < i % 5; ++k)
      f = f == add_one ? times_two : add_one;
    return f(int(i));
  });
}

TEST(virtual_calls, needs(execution)) {
  same("virtual", N, [](unsigned i) {
    const square s{int(i)};
    const flat f{int(i), 3};
    const shape *shapes[] = {&s, &f};
    return measure(*shapes[i % 2]) + measure(s);
  });
}

TEST(virtual_calls_in_device_memory, needs(execution)) {
  // Objects that one kernel makes and another one calls.
  xcc::buffer<unsigned char> room(N * sizeof(flat));
  xcc::buffer<shape *> shapes(N);
  xcc::launch({{(N + 63) / 64}, {64}}, [r = room.data(), s = shapes.data()] {
    const std::size_t i = xcc::global_id();
    if (i >= N)
      return;
    void *at = r + i * sizeof(flat);
    if (i % 2)
      s[i] = new (at) square(int(i));
    else
      s[i] = new (at) flat(int(i), 2);
  });
  xcc::buffer<int> out(N);
  xcc::parallel_for(N, [s = shapes.data(), o = out.data()](std::size_t i) {
    o[i] = measure(*s[i]);
  });
  const auto back = read(out);
  for (int i = 0; i < int(N); ++i)
    EQUAL(back[i], i % 2 ? i * i * 10 + 4 : i * 20);
}

TEST(multiple_inheritance, needs(execution)) {
  same("multiple", N, [](unsigned i) {
    both b;
    b.l = int(i);
    const left_base *l = &b;
    return call_other(&b) + l->name();
  });
}

TEST(member_pointers, needs(execution)) {
  same("member pointers", N, [](unsigned i) {
    members m;
    int members::*field = i % 2 ? &members::a : &members::b;
    int (members::*call)(int) const = &members::get;
    m.*field = int(i);
    return (m.*call)(3);
  });
}

TEST(variadic_functions, needs(execution)) {
  same("variadic", N, [](unsigned i) {
    return sum_of(2, int(i), 4) + sum_of(5, 1, 2, 3, 4, int(i));
  });
}

TEST(constructors_and_destructors, needs(execution)) {
  same("life", N, [](unsigned i) {
    int alive = 0, most = 0;
    {
      counted a(&alive);
      for (unsigned k = 0; k < i % 4; ++k) {
        counted b = a, c = b;
        most = alive > most ? alive : most;
        if (k == 2)
          break;
      }
    }
    return alive * 100 + most;
  });
}

TEST(placement_new, needs(execution)) {
  same("placement", N, [](unsigned i) {
    alignas(square) unsigned char room[sizeof(square)];
    auto *s = new (room) square(int(i));
    return s->area();
  });
}
