// A kernel that does not end does not keep the process from ending on a GPU
// either, and is told of, also where a scope of main waits for it; work that ends
// is waited for.
// RUN: %xcc -O1 --offload-arch=sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_EXIT_WAIT=0 %t > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa XCC_EXIT_WAIT=0 %t > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_EXIT_WAIT=0 %t scope > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t ends > %t.out 2>&1 && FileCheck --check-prefix=ENDS %s < %t.out
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa XCC_EXIT_WAIT=0 %t scope > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa %t ends > %t.out 2>&1 && FileCheck --check-prefix=ENDS %s < %t.out
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

static void endless(volatile int *word) {
  while (!*word)
    ;
}
static void ends(int *word) {
  for (int i = 0; i < 20000; ++i)
    *(volatile int *)word = i;
  std::printf("kernel ends\n");
}
int main(int argc, char **words) {
  void *word = nullptr;
  if (argc > 1 && !std::strcmp(words[1], "scope")) {
    int mapped = 0;
    xcc::map scope(mapped);
    xcc::launch({{1}, {1}}, endless, &mapped);
    std::printf("main ends\n");
    std::fflush(stdout);
    return 0;
  }
  if (xcc_memory_alloc(4, &word) != XCC_SUCCESS || xcc_memory_fill(word, 0, 4) != XCC_SUCCESS)
    return 1;
  if (argc > 1)
    xcc::launch({{1}, {1}}, ends, static_cast<int *>(word));
  else
    xcc::launch({{1}, {1}}, endless, static_cast<int *>(word));
  std::printf("main ends\n");
  std::fflush(stdout);
}
// CHECK: main ends
// CHECK-NEXT: xcc: warning: kernel 'endless' launched at {{.*}}endless-exit-gpus.cpp:{{[0-9]+}} (a grid of (1, 1, 1) with blocks of (1, 1, 1)) still runs on device 0 ({{cuda|hsa}}:0); the process ends without waiting longer; XCC_EXIT_WAIT sets how long it waits
// ENDS-DAG: main ends
// ENDS-DAG: kernel ends
// ENDS-NOT: warning
