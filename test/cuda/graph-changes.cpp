// Graphs that a program reads and changes, with memory and events, pools of its own, and batches of copies.
// RUN: %xcc -foffload-cuda -O1 -x cuda %s -o %t && %t | FileCheck %s
// RUN: sed -e 's/cuda\([A-Z]\)/hip\1/g' %s > %t.hip.cpp && %xcc -fsyntax-only -include xcc/hip.h %t.hip.cpp
#include <cstdio>
#define CK(x)                                                                  \
  do {                                                                         \
    cudaError_t e = (x);                                                       \
    if (e) {                                                                   \
      printf("%d: %s %s\n", __LINE__, #x, cudaGetErrorString(e));              \
      return 1;                                                                \
    }                                                                          \
  } while (0)
__global__ void add(int *p, int n) { p[threadIdx.x] += n; }
int main() {
  cudaGraph_t g;
  cudaGraphExec_t run;
  cudaGraphNode_t set, k, back, mem, freed, rec;
  CK(cudaGraphCreate(&g, 0));
  cudaMemAllocNodeParams alloc = {};
  alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  alloc.bytesize = 16;
  CK(cudaGraphAddMemAllocNode(&mem, g, nullptr, 0, &alloc));
  int *p = (int *)alloc.dptr, h[4] = {};
  cudaMemsetParams fill = {p, 16, 0, 1, 16, 1};
  CK(cudaGraphAddMemsetNode(&set, g, &mem, 1, &fill));
  int n = 5;
  void *args[] = {&p, &n};
  cudaKernelNodeParams what = {(void *)add, dim3(1), dim3(4), 0, args, nullptr};
  CK(cudaGraphAddKernelNode(&k, g, &set, 1, &what));
  CK(cudaGraphAddMemcpyNode1D(&back, g, &k, 1, h, p, 16,
                              cudaMemcpyDeviceToHost));
  cudaEvent_t ev;
  CK(cudaEventCreate(&ev));
  CK(cudaGraphAddEventRecordNode(&rec, g, &back, 1, ev));
  CK(cudaGraphAddMemFreeNode(&freed, g, &rec, 1, p));
  cudaGraphNodeType type;
  size_t count = 0, m = 6;
  CK(cudaGraphNodeGetType(k, &type));
  printf("type %d\n", type == cudaGraphNodeTypeKernel);
  CK(cudaGraphGetEdges(g, nullptr, nullptr, &count));
  printf("edges %zu\n", count);
  cudaGraphNode_t from[6], to[6];
  CK(cudaGraphGetEdges(g, from, to, nullptr, &m));
  printf("%d %zu\n", from[1] == set && to[1] == k, m);
  CK(cudaGraphNodeGetDependentNodes(set, from, &m));
  printf("%zu %d\n", m, from[0] == k);
  CK(cudaGraphInstantiate(&run, g, 0));
  CK(cudaGraphLaunch(run, 0));
  CK(cudaEventSynchronize(ev));
  CK(cudaStreamSynchronize(0));
  printf("%d %d\n", h[0], h[3]);
  cudaKernelNodeParams got;
  CK(cudaGraphKernelNodeGetParams(k, &got));
  printf("%d %u\n", *(int *)got.kernelParams[1], got.blockDim.x);
  n = 7;
  got.kernelParams = args;
  CK(cudaGraphKernelNodeSetParams(k, &got));
  CK(cudaGraphLaunch(run, 0));
  CK(cudaDeviceSynchronize());
  printf("%d\n", h[0]);
  cudaGraphExec_t run2;
  CK(cudaGraphInstantiate(&run2, g, 0));
  CK(cudaGraphLaunch(run2, 0));
  CK(cudaDeviceSynchronize());
  printf("%d\n", h[0]);
  CK(cudaGraphNodeSetEnabled(run2, set, 0));
  unsigned on;
  CK(cudaGraphNodeGetEnabled(run2, set, &on));
  CK(cudaGraphLaunch(run2, 0));
  CK(cudaDeviceSynchronize());
  printf("%d %u\n", h[0], on);
  cudaMemsetParams one = fill;
  one.value = 1;
  CK(cudaGraphExecMemsetNodeSetParams(run, set, &one));
  CK(cudaGraphLaunch(run, 0));
  CK(cudaDeviceSynchronize());
  printf("%x\n", h[0]);
  CK(cudaGraphMemsetNodeGetParams(set, &one));
  printf("%u\n", one.value);
  cudaGraph_t copy;
  cudaGraphNode_t in;
  CK(cudaGraphClone(&copy, g));
  CK(cudaGraphNodeFindInClone(&in, k, copy));
  printf("%d\n", in != k);
  CK(cudaGraphDestroyNode(k));
  CK(cudaGraphGetNodes(g, nullptr, &count));
  printf("%zu\n", count);
  cudaMemcpy3DParms three;
  CK(cudaGraphMemcpyNodeGetParams(back, &three));
  printf("%d\n", three.dstPtr.ptr == h);
  CK(cudaGraphDestroy(g));
  CK(cudaGraphExecDestroy(run));
  CK(cudaGraphDestroy(copy));
  CK(cudaGraphExecDestroy(run2));
  cudaMemPool_t pool;
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  CK(cudaMemPoolCreate(&pool, &props));
  cudaMemAccessDesc acc = {{cudaMemLocationTypeDevice, 0},
                           cudaMemAccessFlagsProtReadWrite};
  CK(cudaMemPoolSetAccess(pool, &acc, 1));
  int *q;
  CK(cudaMallocFromPoolAsync(&q, 16, pool, 0));
  void *dst[] = {q, q + 2};
  const void *src[] = {h, h + 2};
  size_t sizes[] = {8, 8};
  CK(cudaMemcpyBatchAsync(dst, src, sizes, 2, nullptr, nullptr, 0, 0));
  int back2[4];
  CK(cudaMemcpy(back2, q, 16, cudaMemcpyDeviceToHost));
  printf("%d\n", back2[3] == h[3]);
  int reuse = 0;
  CK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  CK(cudaFreeAsync(q, 0));
  CK(cudaMemPoolDestroy(pool));
  const char *name;
  CK(cudaFuncGetName(&name, (const void *)add));
  printf("%s\n", name);
#ifdef __CUDACC__
  cudaArray_t one_array, other_array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CK(cudaMallocArray(&one_array, &format, 2, 2));
  CK(cudaMallocArray(&other_array, &format, 2, 2));
  const int four[] = {1, 2, 3, 4};
  int last[4] = {};
  CK(cudaMemcpyToArrayAsync(one_array, 0, 0, four, 16));
  CK(cudaMemcpy2DArrayToArray(other_array, 0, 0, one_array, 4, 0, 4, 2));
  CK(cudaMemcpyArrayToArray(other_array, 4, 0, one_array, 0, 1, 4));
  CK(cudaMemcpyFromArrayAsync(last, other_array, 0, 0, 16));
  CK(cudaDeviceSynchronize());
  printf("%d %d %d\n", last[0], last[1], last[2]);
  CK(cudaMemcpy2DFromArrayAsync(last, 4, other_array, 0, 0, 4, 2));
  CK(cudaDeviceSynchronize());
  printf("%d %d\n", last[0], last[1]);
#endif
}
// CHECK: type 1
// CHECK-NEXT: edges 5
// CHECK-NEXT: 1 5
// CHECK-NEXT: 1 1
// CHECK-NEXT: 5 5
// CHECK-NEXT: 5 4
// CHECK-NEXT: 5
// CHECK-NEXT: 7
// CHECK-NEXT: 14 0
// CHECK-NEXT: 1010106
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 5
// CHECK-NEXT: 1
// CHECK-NEXT: 1
// CHECK-NEXT: add
// CHECK-NEXT: 2 3 4
// CHECK-NEXT: 2 4
