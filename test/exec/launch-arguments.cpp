// A launch is a call: default arguments are evaluated where it is written,
// null pointer constants and whatever else a call converts arrive. Nothing of
// it compiles to no launch.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -c %s -o %t.o && %xcc %t.o -o %t && %t | FileCheck %s
// CHECK: all right
#include <xcc/xcc.h>
#include <cstdio>
#include <optional>
#include <string_view>
#include <source_location>
static int counter = 3;
int next() { return counter++; }
static int global_value = 77;
void k(int *o, int a = 5) { *o = a; }
void k_side(int *o, int a = next(), int b = next()) { *o = a * 10 + b; }
void k_ptr(int *o, int *p) { *o = p == nullptr ? 42 : 1; }
void k_cptr(int *o, const char *p = "x", int n = 4) { *o = p ? n : -n; }
void k_mem(int *o, int std::string_view::*p) { *o = p == nullptr ? 9 : 1; }
void k_nullptr(int *o, std::nullptr_t) { *o = 11; }
void k_opt(int *o, std::optional<int> v = {}) { *o = v ? *v : -1; }
void k_line(int *o, unsigned line = __builtin_LINE()) { *o = line; }
void k_sl(int *o, std::source_location l = std::source_location::current()) { *o = l.line(); }
void k_ref(int &o, const int &g = global_value) { o = g; }
template <class T> void k_t(T *o, T v = T(8)) { *o = v; }
void k_all(int a = 1, int b = 2) {}
struct P { int *p; P(int *p) : p(p) {} };
void k_user(int *o, P p) { *o = p.p == nullptr ? 21 : 1; }
enum class E { a, b = 6 };
void k_enum(int *o, E e = E::b) { *o = int(e); }
void k_noexcept(int *o, int a = 31) noexcept { *o = a; }
struct Fn { void operator()(int *o, int a = 12, int *p = nullptr) const { *o = p ? -1 : a; } };
struct Ov { void operator()(int *o, int *p) const { *o = p ? -1 : 13; }
            void operator()(int *o, int *p, int *q) const { *o = p || q ? -1 : 14; } };
struct G { template <class T> void operator()(T *o, int a = 15, float *f = 0) const { *o = f ? -1 : a; } };
struct S { static void m(int *o, int a = 16) { *o = a; } int base = 100; void go(int *o);};
void S::go(int *o) { xcc::launch({{1},{1}}, m, o); }
template <class T> void in_template(T *o) { xcc::launch({{1},{1}}, k_t<T>, o); }
template <auto K, class... A> void auto_launch(A... a) { xcc::launch({{1},{1}}, K, a...); }
template <class... A> void variadic(int *o, A... a) { (xcc::launch({{1},{1}}, k, o, a), ...); }
inline int in_init(int *o) { struct X { int v; X(int *o) : v((xcc::launch({{1},{1}}, k, o), 1)) {} } x(o); return x.v; }
template <class T> struct DMI { T *o; int v = (xcc::launch({{1},{1}}, k_t<T>, o), 3); };
template <class T> struct DMI2 { T *o = where; int v = (xcc::launch({{1},{1}}, k_t<T>, o), 3); static inline T *where; };
static int *gl;
template <class T> void darg(T *o, int v = (xcc::launch({{1},{1}}, k_t<T>, gl), 1)) {}

int fails;
#define CHECK(o, v) xcc::synchronize(), (*o != (v) ? (printf("line %d: %d, expected %d\n", __LINE__, *o, v), ++fails) : 0), *o = -99
int main() {
  xcc::launch_config c{{1}, {1}};
  static int host; int *o = &host;
  host = -99;
  xcc::launch(c, k, o); CHECK(o, 5);
  xcc::launch(c, k, o, 6); CHECK(o, 6);
  xcc::launch(c, &k, o); CHECK(o, 5);
  xcc::launch(c, k_side, o); CHECK(o, 34);
  xcc::launch(c, k_side, o); CHECK(o, 56);
  xcc::launch(c, k_ptr, o, 0); CHECK(o, 42);
  xcc::launch(c, k_ptr, o, NULL); CHECK(o, 42);
  xcc::launch(c, k_ptr, o, nullptr); CHECK(o, 42);
  xcc::launch(c, k_ptr, o, 0L); CHECK(o, 42);
  xcc::launch(c, k_cptr, o); CHECK(o, 4);
  xcc::launch(c, k_cptr, o, 0); CHECK(o, -4);
  xcc::launch(c, k_mem, o, 0); CHECK(o, 9);
  xcc::launch(c, k_nullptr, o, 0); CHECK(o, 11);
  xcc::launch(c, k_nullptr, o, NULL); CHECK(o, 11);
  xcc::launch(c, k_opt, o); CHECK(o, -1);
  xcc::launch(c, k_opt, o, 4); CHECK(o, 4);
  xcc::launch(c, k_line, o); CHECK(o, __LINE__);
  xcc::launch(c, k_sl, o); CHECK(o, __LINE__);
  xcc::launch(c, k_ref, *o); CHECK(o, 77);
  xcc::launch(c, k_t<int>, o); CHECK(o, 8);
  xcc::launch(c, k_user, o, 0); CHECK(o, 21);
  xcc::launch(c, k_enum, o); CHECK(o, 6);
  xcc::launch(c, k_noexcept, o); CHECK(o, 31);
  xcc::launch(c, k_all);
  xcc::launch(c, k_all, 1);
  xcc::launch(c, Fn{}, o); CHECK(o, 12);
  xcc::launch(c, Fn{}, o, 7, 0); CHECK(o, 7);
  xcc::launch(c, Fn{}, o, 7, NULL); CHECK(o, 7);
  xcc::launch(c, Ov{}, o, 0); CHECK(o, 13);
  xcc::launch(c, Ov{}, o, 0, NULL); CHECK(o, 14);
  xcc::launch(c, G{}, o); CHECK(o, 15);
  xcc::launch(c, G{}, o, 3, 0); CHECK(o, 3);
  xcc::launch(c, [](int *o, int a = 17) { *o = a; }, o); CHECK(o, 17);
  xcc::launch(c, [](int *o, int *p) { *o = p ? 1 : 18; }, o, 0); CHECK(o, 18);
  xcc::launch(c, [](auto *o, int a = 19, float *f = nullptr) { *o = f ? 1 : a; }, o); CHECK(o, 19);
  xcc::launch(c, [](auto *o, int a, float *f) { *o = f ? 1 : a; }, o, 20, 0); CHECK(o, 20);
  xcc::launch(c, [n = 3](int *o, int a = 17) mutable { *o = a + n++; }, o); CHECK(o, 20);
  xcc::launch(c, +[](int *o, int a) { *o = a; }, o, 5); CHECK(o, 5);
  S{}.go(o); CHECK(o, 16);
  in_template(o); CHECK(o, 8);
  auto_launch<k>(o, 3); CHECK(o, 3);
  auto_launch<k>(o); CHECK(o, 5);
  variadic(o, 1, 2, 3); CHECK(o, 3);
  in_init(o); CHECK(o, 5);
  { DMI<int> d{o}; CHECK(o, 8); }
  { DMI2<int>::where = o; DMI2<int> d; CHECK(o, 8); }
  { gl = o; darg(o); CHECK(o, 8); }
  if (true) xcc::launch(c, k, o);
  CHECK(o, 5);
  for (int i = 0; i < 1; xcc::launch(c, k, o), ++i)
    ;
  CHECK(o, 5);
  true ? xcc::launch(c, k, o) : (void)0; CHECK(o, 5);
  [&] { return xcc::launch(c, k, o); }(); CHECK(o, 5);
  ([&](auto x) { xcc::launch(c, k, x); })(o); CHECK(o, 5);
  switch (1) { case 1: xcc::launch(c, k, o); } CHECK(o, 5);
  try { xcc::launch(c, k, o); } catch (...) {} CHECK(o, 5);
  puts(fails ? "FAIL" : "all right");
  return fails;
}
