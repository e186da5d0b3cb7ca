// -foffload-host-calls: a function of the host is given a pointer to an object of which the optimiser sees nothing. The
// CPU device passes the pointer; on a GPU the launch ends with an error.
// RUN: %clangxx -c %S/Inputs/host.cpp -o %t.o
// RUN: %xcc -std=c++20 -O2 -w -foffload-host-calls -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s %t.o -o %t
// RUN: env XCC_DEVICE=cpu %t | FileCheck %s --check-prefix=CPU
// RUN: %if simulator-nvptx %{ env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s --check-prefix=GPU %}
// RUN: %if simulator-amdgcn %{ env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t | FileCheck %s --check-prefix=GPU %}
// DEVICES: host, because it chooses others itself
// CPU: 6
// GPU: the kernel aborted: a function of the host was given a pointer to an object whose size is not known here; call it with xcc::host_call and a std::span
#include <cstdio>
#include <xcc/xcc.h>

extern "C" double total(const double *values, int n);

int main() {
  const double given[3] = {1, 2, 3};
  xcc::buffer<double> values(3), sum(1);
  values.copy_from(given, 3);
  xcc::launch({{1}, {1}}, [from = values.data(), to = sum.data()] {
    *to = total(from, 3);
  });
  try {
    double got;
    sum.copy_to(&got, 1);
    std::printf("%g\n", got);
  } catch (const xcc::error &e) {
    std::puts(e.what());
  }
}
