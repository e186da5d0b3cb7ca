// A launch returns while its kernel runs: what the kernel refers to has to live
// until something has waited, and where nothing can have, that is said.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | %FileCheck %s
// RUN: %xcc -std=c++20 -fsyntax-only -DONLY_RIGHT %s 2>&1 | count 0
// RUN: %xcc -std=c++20 -fsyntax-only -Wno-offload-lifetime %s 2>&1 | count 0
// RUN: %not %xcc -std=c++20 -fsyntax-only -Werror=offload-lifetime %s 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR
#include <xcc/xcc.h>

#include <cstdio>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

void put(int *p, int &r) { *p = r; }
template <class F> void each(int n, F f) {
  xcc::parallel_for(n, [=](int i) { f(i); });
}
struct Numbers {
  std::vector<int> v{1};
  void fill() {
    xcc::parallel_for(v.size(), [this](int i) { v[i] = i; });
  }
};
void scaleBy(std::vector<float> &v, float a) {
  xcc::parallel_for(v.size(), [&v, a](int i) { v[i] *= a; });
}

#ifndef ONLY_RIGHT
void scale(std::vector<float> &v, float a) {
  // CHECK: lifetime.cpp:[[#@LINE+3]]:3: warning: the kernel that is launched here refers to 'a', and may still run when it ends [-Woffload-lifetime]
  // CHECK: lifetime.cpp:[[#@LINE+3]]:1: note: 'a' ends here; wait before, as xcc::synchronize() does, or capture or pass a copy
  // ERROR: lifetime.cpp:[[#@LINE+1]]:3: error: the kernel that is launched here refers to 'a'
  xcc::parallel_for(v.size(), [&](int i) { v[i] *= a; });
}
void rounds() {
  for (int round = 0; round < 3; ++round) {
    std::vector<int> work(10);
    // CHECK: :[[#@LINE+2]]:5: warning: {{.*}} refers to 'work', and may
    // CHECK: :[[#@LINE+2]]:3: note: 'work' ends here; {{.*}} or let it live longer
    xcc::parallel_for(10, [&](int i) { work[i] = i; });
  }
  xcc::synchronize();
}
void pointers() {
  std::vector<int> v(10);
  int array[10], number = 3;
  auto owned = std::make_unique<int[]>(10);
  int *p = v.data(), *q = owned.get() + 2;
  std::span<int> s = array;
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}} refers to 'v', and may
  xcc::parallel_for(10, [=](int i) { p[i] = i; });
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}} refers to 'array', and may
  xcc::parallel_for(10, [=](int i) { s[i] = i; });
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}} refers to 'owned', and may
  xcc::parallel_for(8, [=](int i) { q[i] = i; });
  // CHECK: :[[#@LINE+2]]:3: warning: {{.*}} refers to 'v' and 'number', and may still run when they end
  // CHECK: note: 'v' and 'number' end here; wait before, {{.*}} or let them live longer
  xcc::launch({{1}, {1}}, put, &v[1], number);
}
void throughOthers() {
  int n = 0;
  auto set = [&](int i) { n = i; };
  // CHECK: :[[#@LINE+2]]:3: warning: {{.*}} refers to 'n', and may
  // CHECK: :18:3: note: this launches it, and nothing waits for it
  each(9, set);
}
void member() {
  Numbers numbers;
  // CHECK: :[[#@LINE+2]]:11: warning: {{.*}} refers to 'numbers', and may
  // CHECK: :23:5: note: this launches it
  numbers.fill();
}
void sometimes(bool wait) {
  int x = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}} refers to 'x', and may
  xcc::parallel_for(1, [&](int i) { x = i; });
  if (wait)
    xcc::synchronize();
}
void order() {
  xcc::stream s;
  std::vector<int> v(10);
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}} refers to 'v', and may
  xcc::launch({{1}, {1}, 0, s}, [&] { v[0] = 1; });
}
// CHECK: 10 warnings generated.
#endif

void waits() { xcc::synchronize(); }
void elsewhere();
struct Waiting : Numbers {
  ~Waiting() { waits(); }
};
void right() {
  std::vector<float> v(3);
  scaleBy(v, 2);
  std::puts("in flight");
  waits();
}
void rightStream() {
  std::vector<int> v(10);
  xcc::stream s; // ends first, and waits
  xcc::launch({{1}, {1}, 0, s}, [&] { v[0] = 1; });
}
void rightClass() {
  Waiting numbers;
  numbers.fill();
}
void rightMemory() {
  xcc::buffer<int> b(10);
  int *p = b;
  xcc::parallel_for(10, [=](int i) { p[i] = i; });
  static int last;
  xcc::parallel_for(1, [&](int i) { last = i; });
}
void rightEmpty(int *p) {
  std::integral_constant<int, 3> three; // of which nothing is read
  xcc::launch({{1}, {1}}, [&three, p] { p[three] = three(); });
}
void rightMap() {
  std::vector<int> v(10);
  xcc::map scope(v);
  xcc::parallel_for(10, [&](int i) { v[i] = i; });
}
std::vector<int> rightReturn() {
  std::vector<int> v(10);
  xcc::parallel_for(10, [&](int i) { v[i] = i; });
  return v; // made where the caller has it
}
void unknown() {
  int x = 0;
  xcc::parallel_for(1, [&](int i) { x = i; });
  elsewhere(); // may wait
}
