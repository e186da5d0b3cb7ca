// The timeline of XCC_TRACE has what is mapped beside the kernels: bytes, the variable, where and why; and the copies
// that a queue runs for it.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 XCC_TRACE=%t.json %t
// RUN: %python %S/Inputs/trace.py %t.json | FileCheck %s
// RUN: env XCC_TRACE=%t.json %t
// RUN: %python %S/Inputs/trace.py %t.json | count 0
#include "Inputs/check.h"

#include <vector>

int main() {
  std::vector<float> x(20000, 1), y(2000, 2);
  float a = 2;
  // Small ones have their copies together.
  // CHECK: 'x' to device 0: 80000 bytes, 'x' mapped trace.cpp:[[# @LINE + 11]], because new, {{.*}}, 1 copies
  // CHECK: 'y' from device 0: 8000 bytes, 'y' mapped trace.cpp:[[# @LINE + 10]], because written by launch of {{.*}} (trace.cpp:[[# @LINE + 10]]), 0 copies
  // CHECK: 'y' to device 0: 24 bytes, 'y' mapped trace.cpp:[[# @LINE + 12]], because new, mapping (trace.cpp:[[# @LINE + 12]]), 0 copies
  // CHECK: 'y' to device 0: 8000 bytes, 'y' mapped trace.cpp:[[# @LINE + 8]], because new, launch of 'xcc::parallel_for<{{.*}} (trace.cpp:[[# @LINE + 8]]), 0 copies
  // CHECK: 'y' to device 0: 8000 bytes, 'y' mapped trace.cpp:[[# @LINE + 10]], because new, mapping (trace.cpp:[[# @LINE + 10]]), 0 copies
  // How many bytes of small objects go together depends on where they lie.
  // CHECK-DAG: objects from device 0: 8000 bytes of 1, 1 copies
  // CHECK-DAG: objects to device 0: 8000 bytes of 1, 1 copies
  // CHECK-DAG: objects to device 0: 8000 bytes of 1, 1 copies
  // CHECK-DAG: objects to device 0: {{[0-9]+}} bytes of {{[0-9]}}, 1 copies
  // CHECK-DAG: objects to device 0: {{[0-9]+}} bytes of {{[0-9]}}, 1 copies
  xcc::parallel_for(2000, [&](std::size_t i) { y[i] += a * x[i]; });
  xcc::synchronize();
  {
    xcc::map scope(y);
  }
}
