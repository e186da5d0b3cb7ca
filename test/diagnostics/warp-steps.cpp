// Lanes that exchange values through memory of the block without a barrier: a warning where that is certain.
// RUN: %xcc -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %xcc -fsyntax-only -Wno-offload-race %s 2>&1 | count 0
// RUN: %not %xcc -fsyntax-only -Werror=offload-race %s 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: warp-steps.cpp:{{[0-9]+}}:{{[0-9]+}}: error: 'sums' is read after another thread of the warp writes it
#include <xcc/cuda.h>

// The end of many an old reduction.
__global__ void old(float *x) {
  __shared__ float sums[256];
  const unsigned thread = threadIdx.x;
  sums[thread] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (thread < 32) {
    sums[thread] += sums[thread + 32];
    // CHECK: warp-steps.cpp:[[# @LINE + 2]]:{{[0-9]+}}: warning: 'sums' is read after another thread of the warp writes it, without a barrier between: lanes do not run in lockstep; write __syncwarp() before [-Woffload-race]
    // CHECK: warp-steps.cpp:[[# @LINE - 2]]:{{[0-9]+}}: note: it is written here
    sums[thread] += sums[thread + 16];
    sums[thread] += sums[thread + 8];
  }
  x[blockIdx.x] = sums[0];
}
// The same in a function of its own.
template <unsigned Size>
__device__ void last_warp(volatile int *sums, unsigned thread) {
  if (Size >= 64)
    sums[thread] += sums[thread + 32];
  // CHECK: warp-steps.cpp:[[# @LINE + 2]]:{{[0-9]+}}: warning: 'sums' is read after another thread of the warp writes it
  if (Size >= 32)
    sums[thread] += sums[thread + 16];
  if (Size >= 16)
    sums[thread] += sums[thread + 8];
}
__global__ void helped(int *x) {
  __shared__ int sums[64];
  sums[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32)
    last_warp<64>(sums, threadIdx.x);
  x[0] = sums[0];
}
// A neighbour's value.
__global__ void shift(int *x) {
  __shared__ int row[33];
  row[threadIdx.x + 1] = x[threadIdx.x];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'row' is read after another thread of the warp writes it
  x[threadIdx.x] = row[threadIdx.x];
}

// threadIdx.x in variables, rows of blocks, pointers, macros, loops.
#define TX threadIdx.x
__global__ void loop(float *x) {
  __shared__ float sums[64];
  int tid = threadIdx.x;
  sums[tid] = x[tid];
  __syncthreads();
  if (tid < 32)
    for (int s = 32; s > 0; s >>= 1)
      // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'sums' is read after another thread of the warp writes it
      sums[tid] += sums[tid + s];
  x[0] = sums[0];
}
__global__ void guarded(float *x) {
  __shared__ float sums[64];
  sums[TX] = x[TX];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s; s = s / 2) {
    if (TX < s)
      // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'sums' is read after another thread of the warp writes it
      sums[TX] = sums[TX] + sums[TX + s];
  }
  x[0] = sums[0];
}
__global__ void pointer(float *x) {
  extern __shared__ float all[];
  unsigned int tid = threadIdx.x;
  float mine = x[tid];
  all[tid] = mine;
  __syncthreads();
  if (tid <= 31) {
    volatile float *fast = all;
    fast[tid] = mine = mine + fast[tid + 32];
    // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'all' is read after another thread of the warp writes it
    fast[tid] = mine = mine + fast[tid + 16];
  }
  x[0] = all[0];
}
__global__ void rows(float *x) {
  __shared__ float tile[8][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = x[ty * 32 + tx];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'tile' is read after another thread of the warp writes it
  x[ty * 32 + tx] = tile[ty][tx + 1];
}
__global__ void lanes(int *x) {
  __shared__ int sums[256];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  sums[warp * 32 + lane] = x[threadIdx.x];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'sums' is read after another thread of the warp writes it
  x[threadIdx.x] = sums[warp * 32 + lane + 8];
}

// A pass over rows behind one over columns, by pointers, of threads that have not left.
__global__ void passes(float *to, const float *from, unsigned stride, unsigned width) {
  __shared__ float tile[16 * 33];
  const unsigned x = threadIdx.x, y = 8 * threadIdx.y, lane = x & 7;
  const unsigned column = blockIdx.x * 32 + x;
  if (column - lane + 7 >= width)
    return;
  float *down = &tile[y * 33 + x], *along = &tile[(y + lane) * 33 + x - lane];
  float values[8];
  for (unsigned i = 0; i < 8; i++)
    down[i * 33] = from[i * stride];
  for (unsigned i = 0; i < 8; i++)
    // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'tile' is read after another thread writes it, without a barrier between: lanes do not run in lockstep; write __syncthreads() before [-Woffload-race]
    values[i] = along[i];
  for (unsigned i = 0; i < 8; i++)
    to[i * stride] = values[i];
}
__global__ void transpose(float *to, const float *from) {
  __shared__ float tile[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = from[y * 8 + x];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'tile' is read after another thread writes it
  to[y * 8 + x] = tile[x][y];
}

// One value for all, which one thread writes: a variable, a member, a counter.
struct Best {
  float value;
  int place;
};
__global__ void one_value(int *x) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = x[0];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'first' is read after another thread writes it, without a barrier between
  x[threadIdx.x] = first;
}
__global__ void one_member(int *x) {
  __shared__ Best best;
  if (!threadIdx.x)
    best.place = x[0];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'best' is read after another thread writes it
  x[threadIdx.x] = best.place + 1;
}
__global__ void counter(int *x) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'count' is read after another thread writes it
  atomicAdd(&count, x[threadIdx.x]);
}
// Other threads' elements: partners, ends, a warp's scan, an `if` behind another.
__global__ void partner(int *x) {
  extern __shared__ float all[];
  float *mine = all + threadIdx.x;
  *mine = float(x[threadIdx.x]);
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'all' is read after another thread writes it
  x[threadIdx.x] = (int)all[threadIdx.x ^ 1];
}
__global__ void ends(int *x) {
  __shared__ int all[64];
  const unsigned t = threadIdx.x, lane = t % 32;
  all[t] = x[t];
  if (lane > 0)
    // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'all' is read after another thread writes it
    x[t] = all[t] + all[t - 1];
}
__global__ void halves(int *x) {
  __shared__ int all[64];
  const int t = threadIdx.x;
  if (t < 32)
    all[t] = x[t];
  else
    x[t] = 0;
  if (t >= 32)
    // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'all' is read after another thread writes it
    x[t] += all[t - 32];
}
// In functions that are called.
__device__ void put(int *all, int at, int value) { all[at] = value; }
__device__ int round_about(const int *all, int at) {
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'all' is read after another thread writes it
  return all[(at + 1) % 64] + int(sqrtf(float(at)));
}
__global__ void calls(int *x) {
  __shared__ int all[64];
  put(all, threadIdx.x, x[threadIdx.x]);
  x[threadIdx.x] = round_about(all, threadIdx.x);
}

// No warnings: the same with barriers, blocks that an array's bounds show to be
// smaller, elements that a thread may have written itself.
__device__ void meet() { __syncthreads(); }
__device__ int neighbour(const int *all, int at) { return all[at ^ 1]; }
struct Meeting {
  __device__ Meeting() { __syncthreads(); }
};
__global__ void right_values(int *x, int n) {
  __shared__ int first, count, all[64], few[16];
  __shared__ Best best;
  const int t = threadIdx.x;
  if (t == 0)
    first = count = best.place = 0;
  if (t == 0)
    x[0] = first;
  int &alias = first;
  meet();
  x[t] = alias + best.place;
  atomicAdd(&count, 1);
  put(all, t, n);
  Meeting here;
  x[t] += neighbour(all, t);
  __syncthreads();
  if (t == 0)
    all[1] = 0;
  if (x[t] > 3)
    all[t] = 4;
  x[t] = all[1];
  __syncthreads();
  few[t + 8] = n;
  __syncthreads();
  few[t] = n;
  x[t] += few[8 + (t ^ 1)];
  all[t] = 1;
  x[t] += t > 0 ? all[t] : 0;
}

// No warnings: barriers, one thread, threads of other warps, elements of one's own.
__global__ void right(int *x, int n) {
  __shared__ int sums[256];
  const unsigned thread = threadIdx.x;
  int lane = threadIdx.x % 32;
  sums[thread] = x[thread];
  sums[thread] += 1;
  __syncthreads();
  if (thread < 32) {
    sums[thread] += sums[thread + 32];
    __syncwarp();
    sums[thread] += sums[thread + 16];
    __syncwarp();
    if (thread < 4)
      sums[thread] += sums[thread + 4];
  }
  __syncthreads();
  if (thread == 0) {
    sums[thread] = 1;
    x[0] = sums[thread + 1];
  }
  if (lane == 0) {
    sums[thread] = 2;
    x[1] = sums[thread + 1];
  }
  if (n > 3)
    sums[thread] = 3;
  else
    x[2] = sums[thread + 1];
  for (int i = 0; i < n; ++i) {
    x[i] = sums[thread + 1];
    __syncthreads();
    sums[thread] = i;
    __syncthreads();
  }
}
// Barriers in loops, other rows, loops of other steps, one's own element.
__global__ void loops(int *x, int n) {
  __shared__ int sums[256], tile[8][32];
  const int tid = threadIdx.x;
  sums[tid] = x[tid];
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s)
      sums[tid] += sums[tid + s];
  }
  __syncthreads();
  for (int s = 16; s > 0; s >>= 1) {
    if (tid == 0)
      sums[tid] += sums[tid + s];
  }
  for (int s = 16; s > 0; s >>= 1)
    x[tid + s] = sums[tid];
  __syncthreads();
  tile[threadIdx.y][tid] = n;
  x[tid] = tile[threadIdx.y][tid];
  tile[n][tid] = 1;
  x[tid] = tile[n + 1][tid + 1];
  int k = 0;
  sums[tid] = ++k;
  x[tid] = sums[k];
}
__global__ void own(int *x, int n) {
  int mine[8];
  int thread = threadIdx.x;
  for (int i = 1; i < 8; ++i)
    mine[i] = mine[i - 1] + n;
  x[thread] = mine[7];
  n = x[thread + 1];
}

// One's own rows, copies by turns, one value of all threads, and the only thread that is left.
__global__ void alone(float *to, const float *from, int n) {
  __shared__ float tile[64], turns[2][64];
  __shared__ int flag;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 8; ++i)
    tile[x * 8 + i] = from[i];
  for (int i = 0; i < 8; ++i)
    to[i] = tile[x * 8 + i];
  for (int k = 0; k < 4; ++k) {
    turns[k & 1][x] = from[x];
    __syncthreads();
    to[x] = turns[k & 1][63 - x];
  }
  flag = 1;
  to[y] = flag ? tile[y * 8 + x] : 0;
  if (n > 3)
    tile[x] = 1;
  else
    to[x] = tile[x + 1];
  __syncthreads();
  if (x > 0 || y > 0)
    return;
  for (int i = 0; i < 8; ++i)
    tile[i] = 1;
  for (int i = 0; i < 8; ++i)
    to[0] += tile[i];
}

void run(float *x, int *y) {
  xcc::cuda::launch(old, 1, 256)(x);
  xcc::cuda::launch(helped, 1, 64)(y);
  xcc::cuda::launch(shift, 1, 32)(y);
  xcc::cuda::launch(right, 1, 256)(y, 3);
  xcc::cuda::launch(own, 1, 32)(y, 3);
  xcc::cuda::launch(loop, 1, 64)(x);
  xcc::cuda::launch(guarded, 1, 64)(x);
  xcc::cuda::launch(pointer, 1, 64, 256)(x);
  xcc::cuda::launch(rows, 1, dim3(32, 8))(x);
  xcc::cuda::launch(lanes, 1, 256)(y);
  xcc::cuda::launch(loops, 1, 256)(y, 3);
  xcc::cuda::launch(passes, 1, dim3(32, 2))(x, x, 32, 32);
  xcc::cuda::launch(transpose, 1, dim3(8, 8))(x, x);
  xcc::cuda::launch(alone, 1, dim3(8, 8))(x, x, 1);
  xcc::cuda::launch(one_value, 1, 64)(y);
  xcc::cuda::launch(one_member, 1, 64)(y);
  xcc::cuda::launch(counter, 1, 64)(y);
  xcc::cuda::launch(partner, 1, 64, 256)(y);
  xcc::cuda::launch(ends, 1, 64)(y);
  xcc::cuda::launch(halves, 1, 64)(y);
  xcc::cuda::launch(calls, 1, 64)(y);
  xcc::cuda::launch(right_values, 1, 8)(y, 1);
}
