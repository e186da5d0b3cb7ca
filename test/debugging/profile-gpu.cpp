// XCC_PROFILE has the times of a GPU's own clock (events, time stamps of signals), here of a simulated one, and XCC_TRACE
// shows on a track of the device when kernels and copies ran, linked with the launches.
// REQUIRES: gpu-simulators
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda XCC_DEVICE=cuda XCC_PROFILE=%t.json XCC_TRACE=%t-trace.json %t
// RUN: %python %S/Inputs/profile.py %t.json %t-trace.json | %FileCheck %s --check-prefixes=CHECK,CUDA
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_PROFILE=%t.json XCC_TRACE=%t-trace.json %t
// RUN: %python %S/Inputs/profile.py %t.json %t-trace.json | %FileCheck %s --check-prefixes=CHECK,HSA
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_PROFILE=1 %t 2>&1 | %FileCheck %s --check-prefix=TABLE
// TABLE: device 0 (hsa:0, {{.*}}): kernels {{[0-9.]+ [mun]?s$}}
// TABLE: {{100.0% +7 .* 4 +64 .* 0 +scale$}}
// TABLE-DAG: {{ 2 +8000 B .* GB/s +host to device$}}
// TABLE-DAG: {{ 1 +4000 B .* GB/s +device to host$}}
// CUDA: device cuda:0
// HSA: device hsa:0
// CHECK-NEXT: kernel scale: 7 launches, 7 timed, blocks 4 to 4, threads 64 to 64
// CHECK-DAG: copy device to host: 1 timed of 1, 4000 bytes
// CHECK-DAG: copy host to device: 2 timed of 2, 8000 bytes
// CHECK: track {{cuda|hsa}}:0: 7 kernels in order, 3 copies, each kernel after its launch began
#include <vector>
#include <xcc/xcc.h>

void scale(int n, float *x) {
  int i = int(xcc::global_id());
  if (i < n)
    x[i] *= 2;
}

int main() {
  std::vector<float> x(1000, 1);
  xcc::buffer<float> b(x.size());
  b.copy_from(x.data(), x.size());
  b.copy_from(x.data(), x.size());
  for (int i = 0; i != 7; ++i)
    xcc::launch({{4}, {64}}, scale, 1000, b.data());
  b.copy_to(x.data(), x.size());
  return x[0] == 128 ? 0 : 1;
}
