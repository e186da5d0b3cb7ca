// Lanes of a CUDA program that exchange through shared memory without __syncwarp(): ThreadSanitizer finds it on the CPU device, and XCC_SIM_CHECK=races on the simulator; with __syncwarp() neither says anything.
// RUN: %xcc -O1 -g -fsanitize=thread %s -o %t.tsan
// RUN: %not env TSAN_OPTIONS=symbolize=0:exitcode=66 %t.tsan 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %t.tsan right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %xcc -O1 -g --offload-arch=sm_90 -foffload-no-cubin %s -o %t
// RUN: %not env XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t 2>&1 | FileCheck %s --check-prefix=RACES
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// On AMD GPUs the compiler marks __syncwarp(), of which no instruction is made.
// RUN: %xcc -O1 -g --offload-arch=gfx90a -foffload-red-zones %s -o %t.amd
// RUN: %not env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx90a %t.amd 2>&1 | FileCheck %s --check-prefix=RACES
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx90a %t.amd right 2>&1 | FileCheck %s --check-prefix=RIGHT
// THREAD: WARNING: ThreadSanitizer: data race
// RACES: a race: thread {{[0-9]+}} {{.*}}with no barrier in between
// RIGHT-NOT: race
// RIGHT: 4 6 0
// RIGHT-NOT: race
#include <cstdio>
#include <xcc/cuda.h>

template <bool Synced> __global__ void exchange(const float *in, float *out) {
  __shared__ float line[64];
  const int t = threadIdx.x;
  line[t] = in[t];
  if (Synced)
    __syncwarp();
  const float other = line[t ^ 1];
  if (Synced)
    __syncwarp();
  line[t] = 2 * other;
  if (Synced)
    __syncwarp();
  out[t] = line[t ^ 3];
}

int main(int count, char **) {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    in[i] = i;
  if (count > 1)
    xcc::cuda::launch(exchange<true>, 1, 64)(in, out);
  else
    xcc::cuda::launch(exchange<false>, 1, 64)(in, out);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", out[0], out[1], out[2]);
}
