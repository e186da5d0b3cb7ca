// A header of vector operators that defines min, max, fminf and rsqrtf where __CUDACC__ is not defined: its functions win over xcc's, and std's stay beside them.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/vector_math.h"
#include <algorithm>
#include <cstdio>
using namespace std;

__global__ void move(float3 *at, int2 *cells, uint4 *most) {
  const int i = threadIdx.x;
  const float3 axis = normalize(cross(make_float3(3.0f, 0, 0), make_float3(0, 4.0f, 0)));
  at[i] += lerp(at[i], 2.0f * axis, 0.5f) * smoothstep(0, 1, 1.5f) - floorf(make_float3(0.5f));
  at[i] = fminf(at[i], fabs(make_float3(-9, 9, 9)));
  cells[i] = min(make_int2(i, min(7, i)), make_int2(make_float2(2.9f)));
  most[i] = max(make_uint4(3), make_uint4(1) * 4u * clamp(unsigned(i), 0u, 2u));
}
static long quick(long a, short b) { return max(a, long(b)) + min(size_t(a), size_t(9)) + max(1.5f, 2.5) + min(2u, 3); }
int main() {
  float3 *at;
  int2 *cells;
  uint4 *most;
  cudaMallocManaged(&at, 4 * sizeof *at);
  cudaMallocManaged(&cells, 4 * sizeof *cells);
  cudaMallocManaged(&most, 4 * sizeof *most);
  for (int i = 0; i < 4; ++i)
    at[i] = make_float3(i, 2 * i, 3 * i);
  xcc::cuda::configure(1, 4), move(at, cells, most);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    printf("%g %g %g, %d %d, %u\n", at[i].x, at[i].y, at[i].z, cells[i].x, cells[i].y, most[i].w);
  // CHECK: 0 0 1, 0 0, 3
  // CHECK: 1.5 3 5.5, 1 1, 4
  // CHECK: 3 6 9, 2 2, 8
  // CHECK: 4.5 9 9, 2 2, 8
  printf("%ld %g %d\n", quick(5, 6), length(make_float3(2, 3, 6)), std::min(3, 4)); // CHECK: 15 7 3
}
