// What ends a launch on GPUs alone, where the documents say so: an array of variable length that the stack has no room
// for, and elements aligned to more than 16 bytes of a vector that a kernel lengthens.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin -Wno-vla-cxx-extension %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t array 2>&1 | %FileCheck %s --check-prefix=ARRAY -DKIND=CUDA
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t array 2>&1 | %FileCheck %s --check-prefix=ARRAY -DKIND=HSA
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t aligned 2>&1 | %FileCheck %s --check-prefix=ALIGNED
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t aligned 2>&1 | %FileCheck %s --check-prefix=ALIGNED
// RUN: env XCC_DEVICE=cpu %t aligned | %FileCheck %s --check-prefix=SAME
#include "Inputs/check.h"

#include <vector>

struct alignas(64) Wide {
  int x;
};

// ARRAY: failed on device 0 {{.*}}its threads have {{[0-9]+}} bytes of stack for recursion and calls through pointers: if that was too little, XCC_[[KIND]]_STACK=<bytes> asks for more
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

// ALIGNED: used 4
// ALIGNED: failed on device 0 {{.*}}: the kernel aborted: free of what is not an allocated block
// ALIGNED: of 2
// SAME: used 4
// SAME: of 3
static void aligned() {
  std::vector<Wide> v(2);
  xcc::launch({{1}, {1}}, [&] { v[1].x = 4; });
  xcc::synchronize();
  std::printf("used %d\n", v[1].x);
  std::fflush(stdout);
  try {
    xcc::launch({{1}, {1}}, [&] { v.push_back({5}); });
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
  std::printf("of %zu\n", v.size());
}

int main(int, char **words) {
  try {
    std::strcmp(words[1], "array") == 0 ? array() : aligned();
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
}
