// What a generic lambda's parameters are, and those of a class with several call
// operators, the call says as it would in the launch's place: references are to
// the argument, an rvalue is each thread's own, and constants are copied.
// RUN: %xcc -O0 -std=c++23 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++23 %s -o %t && %t | FileCheck %s
#include "Inputs/expect.h"
#include "Inputs/same.h"
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct Overloads {
  void operator()(int *p, int &) const { *p = 2; }
  void operator()(int *p, const int &) const { *p = 3; }
  void operator()(int *p, double d) const { *p = d * 2; }
};
struct Forwards {
  template <class T> void operator()(int *p, T &&t) const {
    *p = std::is_lvalue_reference_v<T> ? t : t + 100;
  }
};
template <class T> struct Part {
  T x = 6;
};
struct Whole : Part<int> {
  int y = 0;
};
struct Unmovable {
  Unmovable() = default;
  Unmovable(const Unmovable &) = delete;
  int value = 4;
};
enum class Choice { First, Second };

const xcc::launch_config one{{1}, {1}};

template <class F, class... Arg> void forward(XCC_KERNEL F &&f, Arg &&...arg) {
  xcc::launch(one, std::forward<F>(f), std::forward<Arg>(arg)...);
  xcc::synchronize();
}

void references() {
  int r = 3, s = 4;
  forward([](auto &q) { q = 7; }, r);
  check(r == 7, "auto &");
  forward([](auto &&q) { ++q; }, r);
  check(r == 8, "auto && of an lvalue");
  forward([](auto &...q) { ((q += 1), ...); }, r, s);
  check(r == 9 && s == 5, "auto &...");
  forward([]<class T>(T &q, std::type_identity_t<T> by) { q += by; }, r, 1.0);
  check(r == 10, "one that is not deduced");
  xcc::stream stream;
  xcc::launch({{1}, {1}, 0, &stream}, [](auto &q) { q *= 4; }, r);
  stream.synchronize();
  check(r == 40, "on a stream");

  std::vector<int> v{1, 2, 3};
  forward([](auto &q) { q[1] = 9; }, v);
  check(v[1] == 9, "a vector");
  forward([](auto &q) { q[1] = 8; }, xcc::inout(v));
  check(v[1] == 8, "one with its way stated");
  forward([](const auto &q, int *p) { *p = q[1]; }, xcc::in(v), out());
  EXPECT(8);
  int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  forward([]<class T, std::size_t N>(T (&q)[N], int *p) { *p = N, q[0][0] = q[1][2]; }, table, out());
  EXPECT(2);
  check(table[0][0] == 6, "an array");
  forward([](const auto &q, int *p) { *p = sizeof(q) + q[1][0]; }, table, out());
  EXPECT(28);
  forward([](const auto &q, int *p) { *p = sizeof(q) + q[1]; }, "abc", out());
  EXPECT(102);
  auto owner = std::make_unique<int>(4);
  forward([](auto &q, int *p) { *p = (*q)++; }, owner, out());
  EXPECT(4);
  check(*owner == 5, "what an owner points to");
  Unmovable unmovable;
  forward([](const auto &q, int *p) { *p = q.value; }, unmovable, out());
  EXPECT(4);
  std::atomic<int> count{0};
  xcc::launch({{4}, {32}}, [](auto &q) { q.fetch_add(1); }, count);
  xcc::synchronize();
  check(count == 128, "an atomic object");
  std::optional<int> maybe;
  forward([](auto &q) { q = 5; }, maybe);
  check(maybe == 5, "an optional");
  Choice choice = Choice::Second;
  forward([](auto &q) { q = Choice::First; }, choice);
  check(choice == Choice::First, "an enumeration");
  Whole whole;
  forward([]<class T>(Part<T> &q) { q.x = 7; }, whole);
  check(whole.x == 7, "a base");
  int k = 0;
  auto both = [&k](auto &q) { k = q, q = 9; };
  r = 5;
  forward(both, r);
  check(k == 5 && r == 9, "a capture and a parameter");
}

void values() {
  // The argument may end before the kernel has run.
  auto passed = [](const auto &q, int *p) { *p = q; };
  for (int i = 3; i != 4; ++i)
    xcc::launch(one, passed, i, out());
  EXPECT(3);
  int i = 6;
  forward([](auto &q, int *p) {
    static_assert(std::is_same_v<decltype(q), const int &>);
    *p = q;
  }, std::as_const(i), out());
  EXPECT(6);
  xcc::buffer<int> each(64);
  xcc::launch({{1}, {64}}, [](auto &&q, auto *p) {
    static_assert(std::is_same_v<decltype(q), int &&>);
    q += int(xcc::global_id());
    p[xcc::global_id()] = q;
  }, 5, each.data());
  std::vector<int> now(64);
  each.copy_to(now.data(), 64);
  for (int i = 0; i != 64; ++i)
    check(now[i] == 5 + i, "each thread's own");
  forward([](auto &&f, int *p) { *p = f(); }, [n = 0]() mutable { return ++n; }, out());
  EXPECT(1);
  forward([](auto q, int *p) { *p = ++q; }, xcc::constant(5), out());
  EXPECT(6);
  i = 5;
  forward(Forwards(), out(), i);
  EXPECT(5);
  forward(Forwards(), out(), 7);
  EXPECT(107);
  forward(Overloads(), out(), i);
  EXPECT(2);
  forward(Overloads(), out(), std::as_const(i));
  EXPECT(3);
  forward(Overloads(), out(), 1.5f);
  EXPECT(3);
  forward([](auto &&...a) {
    auto sum = [](auto *p, auto &&...r) { *p = (r + ...); };
    sum(a...);
  }, out(), 2, short(3));
  EXPECT(5);
  float f = 0;
  auto generic = [](auto &q) { q = 1; };
  xcc::launch(one, generic, i);
  xcc::launch(one, generic, f);
  check(xcc::kernel_info_for<int &>(generic).param_count == 2, "a descriptor");
  xcc::parallel_for(4, [p = out()](auto &&n) { p[n] = int(n) + 1, n = 3; });
  EXPECT(1);
}

int main() {
  xcc::buffer<int> made(4);
  memory = &made;
  memory->fill(0);
  references();
  values();
  std::puts("all right"); // CHECK: all right
}
