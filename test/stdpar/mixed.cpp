// A file with -foffload-stdpar, one of another compiler, and callables that call
// functions which are compiled for the host alone. What a device cannot call so
// runs on the host.
// RUN: %xcc -O1 -std=c++17 -w -foffload-stdpar --offload-arch=host,sm_90 -foffload-no-cubin -c %s -o %t.o
// RUN: g++ -O1 -std=c++17 -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -DOTHER -c %s -o %t2.o
// RUN: %xcc -w --offload-arch=host,sm_90 -foffload-no-cubin %t.o %t2.o -o %t && %t | FileCheck %s
// RUN: env XCC_DEVICE=sim:sm_90 %t | FileCheck %s
// RUN: not --crash %t throw 2>&1 | FileCheck --check-prefix=THROWS %s
// CHECK: 42, 1, 42, 50, 111, 84
// THROWS: xcc: std::for_each: kernel {{.*}} launched at {{.*}}mixed.cpp:{{[0-9]+}} failed
#include <algorithm>
#include <cstdio>
#include <execution>
#include <stdexcept>
#include <vector>

int elsewhere(int x);
int sorted();
const char *name(int x);
int scaled(int x, const std::vector<int> &by);
struct opaque;
opaque &made();
int asked(int x, const opaque &what);
#ifdef OTHER
int elsewhere(int x) { return x + 41; }
const char *name(int x) { return x % 2 ? "odd" : "even"; }
int scaled(int x, const std::vector<int> &by) { return x * by[1]; }
struct opaque {
  int factor;
};
opaque &made() {
  static opaque one{2};
  return one;
}
int asked(int x, const opaque &what) { return x * what.factor; }
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
  std::vector<int> by{1, 2}, of[3];
  for (std::vector<int> &out : of)
    out.resize(v.size());
  std::transform(std::execution::par, v.begin(), v.end(), of[0].begin(),
                 [&by](int x) { return scaled(x - 17, by); });
  std::transform(std::execution::par, v.begin(), v.end(), of[1].begin(),
                 [](int x) { return int(name(x + 1)[0]); });
  std::transform(std::execution::par, v.begin(), v.end(), of[2].begin(),
                 [&what = made()](int x) { return asked(x, what); });
  std::printf("%d, %d, %d, %d, %d, %d\n", v[0], sorted(), v[4999], of[0][9],
              of[1][99], of[2][4999]);
  std::fflush(stdout);
  if (argc > 1)
    std::for_each(std::execution::par, v.begin(), v.end(),
                  [](int &) { throw std::runtime_error("thrown"); });
}
#endif
