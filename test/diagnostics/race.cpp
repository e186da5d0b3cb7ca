// While a kernel may still run, the host may not change what it refers to, nor
// read what it changes. Where nothing can have waited, that is said.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | %FileCheck %s
// RUN: %xcc -std=c++20 -fsyntax-only -DONLY_RIGHT %s 2>&1 | count 0
// RUN: %xcc -std=c++20 -fsyntax-only -Wno-offload-race %s 2>&1 | count 0
// RUN: %not %xcc -std=c++20 -fsyntax-only -Werror=offload-race %s 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR
#include <xcc/xcc.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <vector>

void copy(const int *in, int *out) { *out = *in; }
void fill(std::vector<int> &v) {
  xcc::parallel_for(v.size(), [&](int i) { v[i] = i; });
}

#ifndef ONLY_RIGHT
void rounds(std::vector<int> &v) {
  // CHECK: race.cpp:[[#@LINE+4]]:36: warning: 'round' is changed here while a kernel that refers to it may still run [-Woffload-race]
  // CHECK: race.cpp:[[#@LINE+4]]:5: note: launched here; wait in between, as xcc::synchronize() does, or capture or pass a copy
  // CHECK-NOT: offload-lifetime
  // ERROR: race.cpp:[[#@LINE+1]]:36: error: 'round' is changed here
  for (int round = 0; round < 3; ++round)
    xcc::parallel_for(v.size(), [&](int i) { v[i] += round; });
  xcc::synchronize();
}
void scalar() {
  int sum = 0;
  xcc::parallel_for(1, [&](int) { sum = 5; });
  // CHECK: :[[#@LINE+2]]:23: warning: 'sum' is read here while a kernel that may change it may still run
  // CHECK: :[[#@LINE-2]]:3: note: launched here; wait in between, as xcc::synchronize() does{{$}}
  std::printf("%d\n", sum);
  xcc::synchronize();
}
void elements() {
  std::vector<int> v(9), w(9), x(9), y(9), z(9);
  xcc::parallel_for(9, [&](int i) { v[i] = w[i] = x[i] = y[i] = z[i] = i; });
  // CHECK: :[[#@LINE+1]]:16: warning: 'v' is read
  std::cout << v[3];
  // CHECK: :[[#@LINE+1]]:19: warning: 'w' is read
  std::accumulate(w.begin(), w.end(), 0);
  // CHECK: :[[#@LINE+1]]:19: warning: 'x' is read
  for (int each : x)
    std::cout << each;
  // CHECK: :[[#@LINE+1]]:24: warning: 'y' is read
  std::vector<int> t = y;
  // CHECK: :[[#@LINE+1]]:3: warning: 'z' is changed
  z.push_back(3);
  xcc::synchronize();
}
void arguments() {
  std::vector<int> a(9), b(9);
  xcc::launch({{1}, {1}}, copy, a.data(), &b[2]);
  std::printf("%d\n", a[0]);
  // CHECK: :[[#@LINE+1]]:23: warning: 'b' is read
  std::printf("%d\n", b[0]);
  // CHECK: :[[#@LINE+1]]:3: warning: 'a' is changed
  a[1] = 3;
  xcc::synchronize();
}
void throughOthers() {
  std::vector<int> v(9);
  fill(v);
  // CHECK: :[[#@LINE+1]]:14: warning: 'v' is read
  int last = v[8];
  xcc::synchronize();
  v[0] = last;
}
// CHECK: 10 warnings generated.
#endif

int waited() {
  int sum = 0;
  xcc::parallel_for(1, [&](int) { sum = 5; });
  xcc::synchronize();
  return sum;
}
void onlyRead() {
  std::vector<int> in(9), out(9);
  int n = 9;
  xcc::parallel_for(in.size(), [&](int i) { out[i] = in[i] * n; });
  xcc::parallel_for(out.size(), [&](int i) { out[i] += in[i]; });
  for (int k = 0; k < n; ++k)
    std::printf("%d %zu\n", in[k], out.size());
  xcc::synchronize();
}
void event() {
  std::vector<int> v(9);
  xcc::stream s;
  xcc::event e;
  xcc::launch({{1}, {1}, 0, s}, [&] { v[0] = 1; });
  e.record(s);
  e.synchronize();
  std::printf("%d\n", v[0]);
}
