// -foffload-stdpar on the simulators of NVIDIA and AMD GPUs.
// RUN: %xcc -O1 -std=c++17 -w -foffload-stdpar --offload-arch=sm_90,gfx90a -foffload-no-cubin %S/algorithms.cpp -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_LOG=stdpar %t 2>&1 | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_LOG=stdpar %t 2>&1 | FileCheck %s
// A GPU has no code of what only the CPU device runs, which takes long to compile.
// RUN: %xcc-info %t | grep -A1 "piecesILb0E\|6detail4keepI\|14minmax_element" | FileCheck --check-prefix=NONE %s
// NONE-NOT: memory {{[^n].*[r,]}}
// NONE: memory none
// NONE-NOT: memory {{[^n].*[r,]}}
// CHECK: xcc: stdpar: for_each runs on the device
// CHECK: xcc: stdpar: sort runs on the device
// CHECK: xcc: stdpar: sort runs on the host: a GPU cannot call the host's functions
// CHECK: xcc: stdpar: merge runs on the device
// CHECK: all as on the host
