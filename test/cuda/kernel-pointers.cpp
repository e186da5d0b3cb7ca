// Kernels that are known only when they are launched: tables, parameters, members, templates, launches and questions by address, and what is no kernel.
// RUN: %xcc -foffload-cuda -O2 -x cuda %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cuda_runtime.h>

template <int N> __global__ void add(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += N;
}
static __global__ void twice(int *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] *= 2;
}
struct pair {
  char first;
  double second;
};
__global__ void mixed(char c, int *x, pair p, short s) {
  if (threadIdx.x == 0)
    x[0] = c + int(p.first + p.second) + s;
}
namespace inner {
__global__ void three(int *x, int) { x[threadIdx.x] = 3; }
} // namespace inner

using kernel_t = void (*)(int *, int);
kernel_t table[] = {add<1>, &add<10>, twice};
struct plan {
  const char *name;
  kernel_t run;
  void (*const *more)(int *, int);
};
const plan plans[] = {{"three", inner::three, table}, {"twice", twice, nullptr}};
constexpr kernel_t pick(bool first) { return first ? add<100> : add<1>; }

int *x;
int value() {
  cudaDeviceSynchronize();
  return x[0];
}
void apply(void (*kernel)(int *, int), int n) { kernel<<<1, 32>>>(x, n); }
template <class F> void run(F kernel, int n) {
  kernel<<<dim3(2), 32, 0, 0>>>(x, n);
}
template <class... P, class... A>
void forward(void (*kernel)(P...), A... args) {
  (*kernel)<<<1, 32>>>(args...);
}
template <kernel_t K> void fixed() {
  kernel_t own = K;
  own<<<1, 32>>>(x, 8);
}
cudaError_t start(const void *kernel, void **args) {
  return cudaLaunchKernel(kernel, dim3(1), dim3(32), args, 0, 0);
}
void host(int *, int) {}

/// What the host calls between the kernels of a graph.
struct look {
  int *p, seen[4], count;
};
void note(void *data) {
  auto *into = static_cast<look *>(data);
  into->seen[into->count++ & 3] = *into->p;
  *into->p += 100;
}
__global__ void grow(int *p, int n) { *p += n; }
__global__ void double_it(int *p) { *p *= 2; }
static void host_nodes() {
  look one{}, other{};
  cudaMallocManaged(&one.p, sizeof(int));
  *(other.p = one.p) = 1;
  int n = 5;
  void *both[] = {&one.p, &n}, *alone[] = {&one.p};
  cudaGraph_t graph;
  cudaGraphNode_t nodes[4];
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams kernel = {(void *)grow, dim3(1), dim3(1), 0, both, nullptr};
  cudaHostNodeParams host = {note, &one};
  printf("%d", cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel));
  printf("%d", cudaGraphAddHostNode(&nodes[1], graph, nodes, 1, &host));
  kernel.func = (void *)double_it;
  kernel.kernelParams = alone;
  printf("%d", cudaGraphAddKernelNode(&nodes[2], graph, nodes + 1, 1, &kernel));
  printf("%d", cudaGraphAddHostNode(&nodes[3], graph, nodes + 2, 1, &host));
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf(" %d %d %d %d", one.seen[0], one.seen[1], one.seen[2], one.seen[3]);
  host.userData = &other;
  printf(" %d", cudaGraphExecHostNodeSetParams(exec, nodes[3], &host));
  printf("%d", cudaGraphExecHostNodeSetParams(exec, nodes[0], &host) == cudaErrorInvalidValue);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf(" %d %d\n", one.count, other.seen[0]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

int main() {
  cudaMallocManaged(&x, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = 0;
  for (int k = 0; k < 3; ++k)
    table[k]<<<1, 32>>>(x, 8);
  printf("%d", value());
  for (const plan &each : plans) {
    each.run<<<1, 32>>>(x, 8);
    printf(" %s %d", each.name, value());
  }
  (*plans[0].more)<<<1, 32>>>(x, 8);
  printf(" %d\n", value());
  // CHECK: 22 three 3 twice 6 7
  apply(twice, 8);
  printf("%d", value());
  run(inner::three, 8);
  printf(" %d", value());
  run(table[1], 8);
  printf(" %d", value());
  forward(add<5>, x, 8);
  printf(" %d", value());
  fixed<twice>();
  printf(" %d", value());
  kernel_t local = x[0] ? pick(true) : nullptr;
  local<<<1, 32>>>(x, 8);
  printf(" %d\n", value());
  // CHECK: 14 3 13 18 36 136
  int n = 8;
  void *args[] = {&x, &n};
  const void *untyped = (const void *)add<7>;
  cudaError_t failed = start(untyped, args);
  printf("%d %d", failed, value());
  failed = start((void *)table[2], args);
  printf(" %d %d", failed, value());
  char c = 1;
  pair p = {2, 30};
  short s = 400;
  void *four[] = {&c, &x, &p, &s};
  failed = start((void *)mixed, four);
  printf(" %d %d", failed, value());
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = dim3(32);
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  config.attrs = attributes;
  config.numAttrs = 1;
  failed = cudaLaunchKernelExC(&config, untyped, args);
  printf(" %d %d", failed, value());
  failed = cudaLaunchKernelEx(&config, table[0], x, 8);
  printf(" %d %d", failed, value());
  failed = cudaLaunchKernelEx(&config, add<1>, x, 8);
  printf(" %d %d\n", failed, value());
  // CHECK: 0 143 0 286 0 433 0 440 0 441 0 442
  cudaFuncAttributes known, same;
  int grid = 0, block = 0, most = 0;
  printf("%d", cudaFuncGetAttributes(&known, table[0]));
  printf("%d", cudaFuncGetAttributes(&same, untyped));
  printf("%d", cudaOccupancyMaxPotentialBlockSize(&grid, &block, local));
  printf("%d", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, untyped, 32, 0));
  printf("%d", cudaFuncSetAttribute(untyped, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  printf(" %d %d %d\n", known.maxThreadsPerBlock == same.maxThreadsPerBlock, block > 0, most > 0);
  // CHECK: 00000 1 1 1
  // A graph of nodes: y = 2 * (0 + 1 + 1), and again with another kernel.
  int y[8] = {}, one = 1;
  cudaGraph_t graph, outer;
  cudaGraphNode_t nodes[5], child;
  cudaGraphExec_t exec;
  cudaMemsetParams zero = {x, 0, 0, sizeof(int), 8, 1};
  cudaKernelNodeParams node = {(void *)add<1>, dim3(1), dim3(32), 0, args, nullptr};
  printf("%d", cudaGraphCreate(&graph, 0));
  printf("%d", cudaGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &zero));
  printf("%d", cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &node));
  printf("%d", cudaGraphAddKernelNode(&nodes[2], graph, nodes + 1, one, &node));
  node.func = (void *)table[2];
  printf("%d", cudaGraphAddKernelNode(&nodes[4], graph, nullptr, 0, &node));
  printf("%d", cudaGraphAddMemcpyNode1D(&nodes[3], graph, &nodes[4], 1, y, x, sizeof y, cudaMemcpyDeviceToHost));
  printf("%d", cudaGraphAddDependencies(graph, &nodes[2], &nodes[4], 1));
  printf("%d", cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  printf("%d", cudaGraphLaunch(exec, 0));
  cudaDeviceSynchronize();
  printf(" %d", y[7]);
  node.func = (void *)add<10>;
  printf(" %d", cudaGraphExecKernelNodeSetParams(exec, nodes[4], &node));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf(" %d", y[7]);
  printf(" %d", cudaGraphCreate(&outer, 0));
  printf("%d", cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  cudaGraphExecDestroy(exec);
  printf("%d", cudaGraphInstantiate(&exec, outer, 0));
  cudaGraphDestroy(outer);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  // Nodes that change later are new ones to what is instantiated then.
  cudaGraph_t clone;
  cudaGraphNode_t roots[2];
  std::size_t count = 2;
  printf(" %d", cudaGraphClone(&clone, graph));
  printf("%d", cudaGraphGetRootNodes(clone, roots, &count));
  printf(" %d", int(count));
  node.func = (void *)add<1>;
  printf(" %d", cudaGraphKernelNodeSetParams(nodes[4], &node));
  cudaGraphExecDestroy(exec);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf(" %d", y[7]);
  cudaGraphExecDestroy(exec);
  cudaGraphInstantiate(&exec, clone, 0);
  cudaGraphDestroy(clone);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  count = 5;
  printf(" %d", cudaGraphGetNodes(graph, nodes, &count));
  node.func = nullptr;
  printf(" %d %d %d\n", int(count), y[7], cudaGraphAddKernelNode(&child, graph, nullptr, 0, &node) == cudaErrorInvalidDeviceFunction);
  // CHECK: 000000000 4 0 12 000 00 1 0 3 0 5 4 1
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  host_nodes();
  // CHECK-NEXT: 0000 6 212 317 834 01 5 2078
  kernel_t wrong = host;
  wrong<<<1, 32>>>(x, 8);
  failed = cudaGetLastError();
  printf("%s: %s\n", cudaGetErrorName(failed), cudaGetErrorString(failed));
  // CHECK: cudaErrorInvalidDeviceFunction: {{.*}}
  wrong = nullptr;
  apply(wrong, 8);
  printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  // CHECK: launch at {{.*}}kernel-pointers.cpp:{{[0-9]+}}: the pointer {{.*}} is no kernel's; a kernel is marked __global__
  printf("%d\n", start(&n, args) == cudaErrorInvalidDeviceFunction);
  // CHECK: 1
  (void)cudaGetLastError();
  cudaFree(x);
}
