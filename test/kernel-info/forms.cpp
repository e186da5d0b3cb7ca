// kernel_info_for and launch on every form of kernel, in two translation units
// that share some and have internal ones of the same name.
// DEVICES: host, because its kernels use memory of the host
// RUN: %xcc -std=c++20 -O2 %s %S/Inputs/other.cpp -I%S/Inputs -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 %s %S/Inputs/other.cpp -I%S/Inputs -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++17 -DNO_SPAN -g -c %s -I%S/Inputs -o %t.1.o
// RUN: %xcc -std=c++17 -c %S/Inputs/other.cpp -I%S/Inputs -o %t.2.o
// RUN: %xcc %t.1.o %t.2.o -o %t && %t | FileCheck %s
// CHECK: all forms ran
#include "forms.h"
#include <cstdio>
#include <vector>

namespace {
void hidden(int *p) { *p += 1; }
struct Tag {};
template <class T> void tagged(int *p) { *p += 3; }
} // namespace

struct Functor {
  int *p;
  int k;
  void operator()(int a) const { p[xcc::global_id()] += k * a; }
};
struct Class {
  static void member(int *p) { p[xcc::global_id()] = 5; }
};
template <int N> struct Plus {
  template <class T> static void go(T *p) { *p += N; }
};
constexpr auto constant = &Class::member;
void no_throw(int *p) noexcept { *p = 77; }
void references(int &r, const int &v) { r = v + 5; }
void overloaded(int *p) { *p = 1; }
void overloaded(float *p) { *p = 2; }

static int failures;
static std::vector<int> memory(16);
static void expect(int at, int value, int line) {
  xcc::synchronize();
  if (memory[at] == value)
    return;
  std::printf("line %d: element %d is %d, not %d\n", line, at, memory[at], value);
  ++failures;
}
#define EXPECT(at, value) expect(at, value, __LINE__)
#define EXPECT_TRUE(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++failures))

int main() {
  int *p = memory.data();
  // Internal kernels of two units with one name, and kernels of a header.
  EXPECT_TRUE(other_unit(p));
  EXPECT(0, 1000 + 7 + 1 + 10000 + 100);
  memory[0] = 0;
  xcc::launch({{1}, {1}}, hidden, p);
  xcc::launch({{1}, {1}}, tagged<Tag>, p);
  launch_inline_lambda(p);
  EXPECT(0, 104);
  EXPECT_TRUE(&info_from_header() == &xcc::kernel_info_for(from_header));

  // Functions: static members, templates, auto parameters, constants, &f.
  xcc::launch({{1}, {4}}, Box<int>::fill, p, 9);
  EXPECT(3, 9);
  launch_auto<Class::member>(p);
  EXPECT(3, 5);
  launch_auto<&Box<int>::fill>(p, 6);
  EXPECT(3, 6);
  xcc::launch({{1}, {4}}, constant, p);
  EXPECT(3, 5);
  xcc::launch({{1}, {4}}, &Box<int>::fill, p, 8);
  EXPECT(3, 8);
  forward(Class::member, p);
  EXPECT(3, 5);
  forward(no_throw, p);
  EXPECT(0, 77);
  xcc::launch({{1}, {1}}, static_cast<void (*)(int *)>(overloaded), p);
  EXPECT(0, 1);
  xcc::launch({{1}, {1}}, Plus<5>::go<int>, p);
  EXPECT(0, 6);
  int four = 4;
  xcc::launch({{1}, {1}}, references, memory[7], four);
  EXPECT(7, 9);

  // Objects: functors and lambdas through layers, generic, by reference,
  // mutable (each thread has its own copy).
  memory[3] = 5;
  outer_layer(Functor{p, 2}, 10);
  EXPECT(3, 25);
  outer_layer([=](int x) { p[xcc::global_id()] = x; }, 31);
  EXPECT(2, 31);
  outer_layer([=](auto x, auto y) { p[xcc::global_id()] = x + y; }, 31, 2.5);
  EXPECT(2, 33);
  int r = 0;
  xcc::launch({{1}, {1}}, [&] { r = 50; });
  xcc::synchronize();
  EXPECT_TRUE(r == 50);
  xcc::launch({{1}, {1}}, [p] { *p = 12; });
  EXPECT(0, 12);
  int count = 3;
  xcc::launch({{1}, {4}}, [=]() mutable {
    count += 2;
    p[xcc::global_id()] = count;
  });
  EXPECT(3, 5);
  xcc::launch({{1}, {1}}, +[](int *q) { *q = 13; }, p);
  EXPECT(0, 13);

  auto generic = [=](auto i) { *p = i; };
  const xcc::kernel_info &wide = xcc::kernel_info_for<long>(generic);
  EXPECT_TRUE(wide.param_count == 2 && wide.params[1].size == 8);
  EXPECT_TRUE(wide.capture_count == 1);
  EXPECT_TRUE(&wide != &xcc::kernel_info_for<int>(generic));
  EXPECT_TRUE(&xcc::kernel_info_for(Functor{}) ==
              &xcc::kernel_info_for(Functor{p, 1}));
  if (failures == 0)
    std::puts("all forms ran");
  return failures != 0;
}
