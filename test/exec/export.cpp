// Kernels call functions of other translation units, in objects and archives.
// RUN: rm -rf %t && mkdir %t
// RUN: %xcc -O2 -c %S/Inputs/exported.cpp -o %t/exported.o
// RUN: %xcc -O2 -c %s -o %t/main.o
// RUN: %xcc %t/main.o %t/exported.o -o %t/objects && %t/objects | FileCheck %s
// RUN: %llvm/bin/llvm-ar rc %t/lib.a %t/exported.o
// RUN: %xcc %t/main.o %t/lib.a -o %t/archive && %t/archive | FileCheck %s
// RUN: %xcc -O2 %s %S/Inputs/exported.cpp -o %t/once && %t/once | FileCheck %s
#include "Inputs/same.h"

XCC_EXPORT int triple(int x);

int main() {
  auto results = on_device(10, [](std::size_t i) { return triple(int(i)); });
  std::printf("%d %d\n", results[1], results[9]);
  // CHECK: 3 27
}
