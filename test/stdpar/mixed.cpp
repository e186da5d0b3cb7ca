// A file with -foffload-stdpar, one of another compiler, and a callable that
// calls a function which is compiled for the host alone.
// RUN: %xcc -O1 -std=c++17 -foffload-stdpar -c %s -o %t.o
// RUN: g++ -O1 -std=c++17 -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -DOTHER -c %s -o %t2.o
// RUN: %xcc %t.o %t2.o -o %t && %t | FileCheck %s
// RUN: not --crash %t throw 2>&1 | FileCheck --check-prefix=THROWS %s
// CHECK: 42, 1, 42
// THROWS: xcc: std::for_each: kernel {{.*}} launched at {{.*}}mixed.cpp:{{[0-9]+}} failed
#include <algorithm>
#include <cstdio>
#include <execution>
#include <stdexcept>
#include <vector>

int elsewhere(int x);
int sorted();
#ifdef OTHER
int elsewhere(int x) { return x + 41; }
int sorted() {
  std::vector<int> v{3, 2, 1};
  std::sort(std::execution::par, v.begin(), v.end());
  return v[0];
}
#else
int main(int argc, char **) {
  std::vector<int> v(5000, 1);
  std::for_each(std::execution::par, v.begin(), v.end(),
                [](int &x) { x = elsewhere(x); });
  std::printf("%d, %d, %d\n", v[0], sorted(), v[4999]);
  std::fflush(stdout);
  if (argc > 1)
    std::for_each(std::execution::par, v.begin(), v.end(),
                  [](int &) { throw std::runtime_error("thrown"); });
}
#endif
