// What ends a launch on GPUs alone, where the documents say so: an array of variable length that the stack has no room
// for.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin -Wno-vla-cxx-extension %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t 2>&1 | %FileCheck %s -DKIND=CUDA
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t 2>&1 | %FileCheck %s -DKIND=HSA
#include "Inputs/check.h"

// CHECK: failed on device 0 {{.*}}its threads have {{[0-9]+}} bytes of stack for recursion and calls through pointers: if that was too little, XCC_[[KIND]]_STACK=<bytes> asks for more
static void array() {
  int n = 3'000'000, sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    int all[n];
    for (int i = 0; i != n; ++i)
      all[i] = i;
    sum = all[n / 2] + all[n - 1];
  });
  xcc::synchronize();
}

int main() {
  try {
    array();
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
}
