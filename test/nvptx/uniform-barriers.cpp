// A barrier in a loop or branch about which a block's threads agree stays one
// aligned barrier, whatever they agree by: the size of blocks and grids, the
// block's index, what is computed of them, what a function returns, parameters,
// memory. What threads may not agree about becomes one barrier for a warp.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/cuda.h>
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}4tree{{.*}}({{$}}
// CHECK-NOT: {{vote.sync|barrier.sync}}
// CHECK: bar.sync
// CHECK-NOT: {{vote.sync|barrier.sync}}
// CHECK: bar.sync
// CHECK-NOT: {{bar|barrier|vote}}.sync
// CHECK: {{^}$}}
void tree(int *p) {
  static xcc::block_shared<int[1024]> part;
  const unsigned t = xcc::thread_idx().x;
  part[t] = p[t];
  xcc::sync_block();
  for (unsigned half = xcc::block_dim().x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    xcc::sync_block();
  }
  p[t] = part[0];
}
// CHECK-LABEL: .entry {{.*}}4cuda{{.*}}({{$}}
// CHECK-NOT: {{vote.sync|barrier.sync}}
// CHECK: bar.sync
// CHECK-NOT: {{bar|barrier|vote}}.sync
// CHECK: {{^}$}}
__global__ void cuda(int *p) {
  for (int i = max(blockDim.x * blockDim.y, 3u); i > 0; i -= min(gridDim.y, 7))
    __syncthreads();
  p[threadIdx.x] = 1;
}
// CHECK-LABEL: .entry {{.*}}6called{{.*}}({{$}}
// CHECK-NOT: {{vote.sync|barrier.sync}}
// CHECK: bar.sync
// CHECK-NOT: {{bar|barrier|vote}}.sync
// CHECK: {{^}$}}
[[gnu::noinline]] unsigned share(unsigned n) {
  return n % xcc::block_dim().z + xcc::block_idx().y / xcc::grid_dim().x;
}
void called(int *p, unsigned n) {
  if (share(n) > 2)
    xcc::sync_block();
  p[xcc::thread_idx().x] = 2;
}
// CHECK-LABEL: .entry {{.*}}6memory{{.*}}({{$}}
// CHECK-NOT: {{vote.sync|barrier.sync|[.]local}}
// CHECK: bar.sync
// CHECK-NOT: {{bar|barrier|vote}}.sync
// CHECK: {{^}$}}
struct Rows {
  const int *start;
  int most[3];
};
void memory(int *p, Rows rows) {
  const unsigned block = xcc::block_idx().x;
  for (int i = rows.start[block]; i < rows.start[block + 1]; ++i)
    if (i < rows.most[block % 3]) {
      p[xcc::thread_idx().x] += i;
      xcc::sync_block();
    }
}
// CHECK-LABEL: .entry {{.*}}5votes{{.*}}({{$}}
// CHECK-NOT: barrier.sync
// CHECK: bar.sync
// CHECK-NOT: barrier.sync
// CHECK: {{^}$}}
__global__ void votes(int *p) {
  while (__syncthreads_or(p[threadIdx.x] > 0))
    --p[threadIdx.x];
}

// What differs: a thread's own result of a function, what one lane reads before
// and another behind an atomic wait.
// CHECK-LABEL: .entry {{.*}}3own{{.*}}({{$}}
// CHECK-NOT: bar.sync
// CHECK: vote.sync.any
// CHECK-NOT: bar.sync
// CHECK: {{^}$}}
[[gnu::noinline]] unsigned lane(unsigned n) {
  return n % (xcc::thread_idx().x % 4 + 1);
}
void own(int *p, unsigned n) {
  for (unsigned i = 0; i < lane(n); ++i)
    xcc::sync_block();
  p[xcc::thread_idx().x] = 2;
}
// CHECK-LABEL: .entry {{.*}}5chain{{.*}}({{$}}
// CHECK-NOT: bar.sync
// CHECK: vote.sync.any
// CHECK-NOT: bar.sync
// CHECK: {{^}$}}
void chain(int *turn, int *number) {
  const int t = xcc::thread_idx().x;
  while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != t)
    ;
  const int mine = *number;
  *number = mine + 1;
  __atomic_store_n(turn, t + 1, __ATOMIC_RELEASE);
  for (int i = 0; i < mine; ++i)
    xcc::sync_block();
  number[t + 1] = 2;
  xcc::sync_block();
  turn[t + 1] = number[33 - t];
}

void start(int *p) {
  xcc::launch({{1}, {32}}, tree, p);
  xcc::launch({{1}, {32}}, cuda, p);
  xcc::launch({{1}, {32}}, called, p, 3u);
  xcc::launch({{1}, {32}}, memory, p, Rows{p, {1, 2, 3}});
  xcc::launch({{1}, {32}}, votes, p);
  xcc::launch({{1}, {32}}, own, p, 3u);
  xcc::launch({{1}, {32}}, chain, p, p + 1);
}
