// Captured streams as graphs, three-dimensional memory and pools in CUDA's words.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && env XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: sed -e 's/cuda\([A-Z]\)/hip\1/g' -e 's/cuda.h/hip.h/' %s > %t.hip.cpp && %xcc -O2 %t.hip.cpp -o %t.hip && %t.hip | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

__global__ void scale(float *p, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= by;
}
__global__ void add(float *p, int n, float what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += what;
}
__global__ void number(cudaPitchedPtr volume, cudaExtent size) {
  char *slice = static_cast<char *>(volume.ptr) +
                blockIdx.z * volume.pitch * volume.ysize;
  auto *row = reinterpret_cast<int *>(slice + blockIdx.y * volume.pitch);
  if (threadIdx.x < size.width / sizeof(int))
    row[threadIdx.x] = int(100 * blockIdx.z + 10 * blockIdx.y + threadIdx.x);
}

static void graphs(unsigned kind) {
  const int n = 1000;
  std::vector<float> values(n, 1);
  const std::size_t bytes = n * sizeof(float);
  float *p;
  cudaMalloc((void **)&p, bytes);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, kind);

  cudaGraph_t graph;
  cudaStreamCaptureStatus capturing;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(p, values.data(), bytes, cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 3; ++i)
    xcc::cuda::launch(scale, 4, 256, 0, stream)(p, n, 2.0f);
  xcc::cuda::launch(add, 4, 256, 0, stream)(p, n, 1.0f);
  cudaMemcpyAsync(values.data(), p, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamIsCapturing(stream, &capturing);
  std::printf("capturing %d\n", capturing == cudaStreamCaptureStatusActive);
  cudaStreamEndCapture(stream, &graph);
  cudaStreamIsCapturing(stream, &capturing);
  std::size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("none %d, %zu nodes, %g\n",
              capturing == cudaStreamCaptureStatusNone, nodes, values[n - 1]);

  cudaGraphExec_t run;
  cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
  cudaGraphDestroy(graph);
  cudaGraphLaunch(run, stream);
  cudaGraphLaunch(run, stream);
  cudaStreamSynchronize(stream);
  std::printf("%g\n", values[n - 1]);

  // Work of the default stream is done before, and comes after.
  cudaMemset(p, 0, bytes);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  for (int i = 0; i < 6; ++i)
    xcc::cuda::launch(add, 4, 256, 0, stream)(p, n, float(i));
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t node;
  std::printf("%d",
              cudaGraphExecUpdate(run, graph, &node, &result) == cudaSuccess);
  std::printf(" %d\n", result == cudaGraphExecUpdateSuccess);
  cudaGraphDestroy(graph);
  xcc::cuda::launch(add, 4, 256)(p, n, 100.0f);
  if (kind)
    cudaDeviceSynchronize();
  cudaGraphLaunch(run, stream);
  if (kind)
    cudaStreamSynchronize(stream);
  cudaMemcpy(values.data(), p, bytes, cudaMemcpyDeviceToHost);
  std::printf("%g\n", values[7]);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  xcc::cuda::launch(add, 4, 256, 0, stream)(p, n, 1.0f);
  cudaStreamEndCapture(stream, &graph);
  std::printf("%d", cudaGraphExecUpdate(run, graph, &node, &result) ==
                        cudaErrorGraphExecUpdateFailure);
  std::printf(" %d\n", result == cudaGraphExecUpdateErrorTopologyChanged);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaGraphDestroy(graph);

  // What cannot be recorded is an error, and so is the end.
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  std::printf("%d", cudaEventRecord(event, stream) != cudaSuccess);
  std::printf(" %d", cudaStreamEndCapture(stream, &graph) != cudaSuccess);
  std::printf(" %d\n", graph == nullptr);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(event);
  std::printf("%d\n", cudaStreamBeginCapture(
                          nullptr, cudaStreamCaptureModeGlobal) != cudaSuccess);
  cudaGetLastError();

  cudaGraphExecDestroy(run);
  cudaStreamDestroy(stream);
  cudaFree(p);
}

int main() {
  graphs(cudaStreamDefault);
  // CHECK: capturing 1
  // CHECK-NEXT: none 1, 6 nodes, 1
  // CHECK-NEXT: 73
  // CHECK-NEXT: 1 1
  // CHECK-NEXT: 115
  // CHECK-NEXT: 1 1
  // CHECK-NEXT: a graph with other steps cannot take the place of this one
  // CHECK-NEXT: 1 1 1
  // CHECK-NEXT: {{.*}}record
  // CHECK-NEXT: 1
  graphs(cudaStreamNonBlocking);
  // CHECK: capturing 1
  // CHECK-NEXT: none 1, 6 nodes, 1
  // CHECK-NEXT: 73
  // CHECK-NEXT: 1 1
  // CHECK-NEXT: 115

  const std::size_t width = 7, height = 5, depth = 3;
  cudaExtent size = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr volume;
  std::printf("%d\n", int(cudaMalloc3D(&volume, size)));
  // CHECK: {{^}}0
  cudaMemset3D(volume, 0xff, size);
  xcc::cuda::launch(number, dim3(1, height, depth), 8)(volume, size);
  std::vector<int> all(width * height * depth), part(2 * 2 * 2);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr =
      make_cudaPitchedPtr(all.data(), width * sizeof(int), width, height);
  copy.extent = size;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  std::printf("%d %d %d\n", all[0], all[width * height + 2 * width + 3],
              all.back());
  // CHECK-NEXT: 0 123 246
  copy = {};
  copy.srcPtr = volume;
  copy.srcPos = make_cudaPos(4 * sizeof(int), 3, 1);
  copy.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2, 2);
  copy.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
  copy.kind = cudaMemcpyDefault;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpy3DAsync(&copy, stream);
  cudaStreamSynchronize(stream);
  for (int one : part)
    std::printf("%d ", one);
  std::printf("\n");
  // CHECK-NEXT: 134 135 144 145 234 235 244 245
  cudaMemset3DAsync(volume, 0, make_cudaExtent(sizeof(int), height, 1), stream);
  copy.srcPos = make_cudaPos(0, 0, 0);
  cudaMemcpy3DAsync(&copy, stream);
  cudaStreamSynchronize(stream);
  for (int one : part)
    std::printf("%d ", one);
  std::printf("\n");
  // CHECK-NEXT: 0 1 0 11 100 101 110 111
  cudaFree(volume.ptr);

  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  std::uint64_t keep = 1 << 20, known = 1;
  std::printf("%d", int(cudaMemPoolSetAttribute(
                        pool, cudaMemPoolAttrReleaseThreshold, &keep)));
  std::printf(" %d", int(cudaMemPoolTrimTo(pool, 0)));
  std::printf(" %d", int(cudaMemPoolGetAttribute(
                         pool, cudaMemPoolAttrUsedMemCurrent, &known)));
  std::printf(" %d", int(known));
  std::printf(" %d\n", cudaDeviceGetDefaultMemPool(&pool, 1000) != cudaSuccess);
  cudaGetLastError();
  // CHECK-NEXT: 0 0 0 0 1
  cudaStreamDestroy(stream);
}
