// What moves, as XCC_LOG=map says, with names, places and reasons: nothing comes back that the kernel has not
// written, nothing moves between launches, and nothing twice.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 XCC_LOG=map %t 2>&1 | FileCheck %s
#include "Inputs/check.h"

#include <span>
#include <vector>

template <class... T> auto hold(T &...objects) {
  return xcc::map(objects...);
}

int main() {
  std::vector<float> x(1000, 1), y(1000, 2);
  float a = 2;
  // CHECK-DAG: map: device 0: 'x': 4000 bytes to the device: new, launch of 'xcc::parallel_for<{{.*}} ({{.*}}moves.cpp:[[# @LINE + 3]])
  // CHECK-DAG: map: device 0: 'y': 4000 bytes to the device: new, launch of
  for (int i = 0; i < 2; ++i)
    xcc::parallel_for(1000, [&](std::size_t i) { y[i] += a * x[i]; });
  // CHECK-DAG: map: device 0: 'x': 4000 bytes present, count 1: launch of 'xcc::parallel_for<
  // CHECK-DAG: map: device 0: 'y': 4000 bytes present, count 1: launch of 'xcc::parallel_for<
  // CHECK-NOT: 4000 bytes to
  // CHECK-NOT: 'x': 4000 bytes back
  // CHECK: 'y': 4000 bytes back to the host: written by launch of 'xcc::parallel_for<{{.*}} ({{.*}}moves.cpp:[[# @LINE - 5]])
  // CHECK-NOT: bytes
  xcc::synchronize();
  CHECK(y[0] == 6);

  std::fprintf(stderr, "a scope\n");
  // CHECK: a scope
  // CHECK: 'y': 4000 bytes to the device: new, mapping ({{.*}}moves.cpp:[[# @LINE + 1]])
  xcc::map scope(y);
  std::fprintf(stderr, "inside\n");
  // CHECK: inside
  // CHECK-NOT: 4000
  // CHECK: 'y': 4000 bytes present, count 1: launch of {{.*}}moves.cpp:[[# @LINE + 1]]), mapped at {{.*}}moves.cpp:[[# @LINE - 4]]
  xcc::parallel_for(1000, [&](std::size_t i) { y[i] += 1; });
  xcc::synchronize();
  std::fprintf(stderr, "to the host\n");
  // CHECK: to the host
  // CHECK: 'y': 4000 bytes back to the host: update, mapping ({{.*}}moves.cpp:[[# @LINE + 1]]), mapped at {{.*}}moves.cpp:[[# @LINE - 9]]
  scope.to_host(y);
  CHECK(y[0] == 7);

  // As they are written: what is stated of them is not, nor line breaks, and
  // in a template it is the parameter.
  std::fprintf(stderr, "names\n");
  int pair[2][2]{};
  {
    // CHECK: names
    // CHECK-DAG: 'x': 4000 bytes to the device: new
    // CHECK-DAG: 'pair[1]': 0 bytes to the device: new
    // CHECK-DAG: 'std::span(y) .first(3)': 12 bytes present, count 1: mapping
    xcc::map named(xcc::in(x), xcc::out(pair[1]), std::span(y)
                                                      .first(3));
    // CHECK: 'x': 4000 bytes to the device: update, mapping ({{.*}}moves.cpp:[[# @LINE + 1]])
    named.to_device(x);
    auto held = hold(a);
    // CHECK: 'objects': 4 bytes to the device: new, mapping ({{.*}}moves.cpp:11)
  }
  // Of many that are alike, the first have lines of their own.
  std::fprintf(stderr, "many\n");
  std::vector<std::vector<int>> rows(50, std::vector<int>(3, 1));
  // CHECK: many
  // In the order of their addresses.
  // CHECK-COUNT-4: 'rows[{{[0-9]+}}]': 12 bytes to the device: new, launch of
  // CHECK-NOT: 'rows[{{[0-9]+}}]': 12 bytes to the device
  // CHECK: device 0: 46 more like 'rows[{{[0-9]+}}]': 552 bytes to the device: new, launch of
  xcc::parallel_for(50, [&](std::size_t i) { rows[i][0] = 2; });
  // CHECK: device 0: 46 more like 'rows[{{[0-9]+}}]': 552 bytes back to the host: written by launch of
  xcc::synchronize();
  CHECK(rows[49][0] == 2);
  // CHECK: it says: {{.*}}'pair[1]' (8 bytes at {{.*}}) is not mapped
  try {
    scope.to_host(pair[1]);
  } catch (const xcc::error &e) {
    std::fprintf(stderr, "it says: %s\n", e.what());
  }
}
