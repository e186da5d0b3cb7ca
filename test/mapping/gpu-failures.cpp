// What ends a launch on GPUs alone, where the documents say so: an array of variable length that the stack has no room
// for, memory of a mapped object that is freed twice, a container that grows by the host's functions.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin -Wno-vla-cxx-extension %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t 2>&1 | %FileCheck %s -DKIND=CUDA
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t 2>&1 | %FileCheck %s -DKIND=HSA
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t twice 2>&1 | %FileCheck %s --check-prefix=TWICE
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t twice 2>&1 | %FileCheck %s --check-prefix=TWICE
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t 1 2 2>&1 | %FileCheck %s --check-prefix=STATE
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t 1 2 2>&1 | %FileCheck %s --check-prefix=STATE
#include "Inputs/check.h"
#include <memory_resource>
#include <string>
#include <vector>

// CHECK: failed on device 0 {{.*}}its threads have {{[0-9]+}} bytes of stack for recursion and calls through pointers: if that was too little, set a larger XCC_[[KIND]]_STACK=<bytes>
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

// TWICE: kernel {{.*}} launched at {{.*}} failed on device 0 {{.*}}free of mapped memory that was freed already (of 'jobs[2].values'), in thread (2, 0, 0)
static void twice() {
  struct Job {
    std::string name;
    std::vector<int> values;
  };
  std::vector<Job> jobs(4, {std::string(60, 'x'), {1, 2, 3}});
  xcc::parallel_for(jobs.size(), [&](std::size_t i) {
    if (i != 2)
      return;
    ::operator delete(jobs[i].values.data());
    jobs[i].values.reserve(100);
  });
  xcc::synchronize();
}

// STATE: kernel {{.*}} launched at {{.*}} failed on device 0 {{.*}}; 'numbers' has a stateful allocator, whose functions run on the host only
static void state() {
  std::pmr::vector<int> numbers{1, 2, 3};
  xcc::launch({{1}, {1}}, [&] { numbers.push_back(4); });
  xcc::synchronize();
}

int main(int argc, char **) {
  try {
    argc > 2 ? state() : argc > 1 ? twice() : array();
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
}
