// Managed, registered and pitched memory, and streams with priorities, in CUDA's
// words.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

__global__ void scale(char *rows, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    reinterpret_cast<float *>(rows + y * pitch)[x] *= 2;
}
__global__ void add(int *p, int n, int what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += what;
}

int main() {
  const int width = 50, height = 20, n = width * height;
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t stream;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100);

  std::vector<float> image(n);
  for (int i = 0; i < n; ++i)
    image[i] = float(i);
  std::printf("%d\n", int(cudaHostRegister(image.data(), n * sizeof(float),
                                           cudaHostRegisterDefault)));
  // CHECK: 0
  char *rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, width * sizeof(float), height);
  cudaMemset2D(rows, pitch, 0xff, width * sizeof(float), height);
  cudaMemcpy2DAsync(rows, pitch, image.data(), width * sizeof(float),
                    width * sizeof(float), height, cudaMemcpyHostToDevice,
                    stream);
  xcc::cuda::launch(scale, dim3(2, 3), dim3(32, 8), 0, stream)(rows, pitch,
                                                               width, height);
  cudaMemcpy2DAsync(image.data(), width * sizeof(float), rows, pitch,
                    width * sizeof(float), height, cudaMemcpyDeviceToHost,
                    stream);
  cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += image[i] != 2 * i;
  std::printf("image: %d wrong, %d\n", wrong, int(cudaHostUnregister(image.data())));
  // CHECK: image: 0 wrong, 0
  std::printf("%d %d\n", int(cudaHostUnregister(image.data())),
              int(cudaMemcpy2D(rows, 10, image.data(), 10, 20, 1,
                               cudaMemcpyHostToDevice)));
  // CHECK: 1 1
  (void)cudaGetLastError();

  int *managed;
  cudaMallocManaged(&managed, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    managed[i] = i;
  cudaMemPrefetchAsync(managed, n * sizeof(int), 0, stream);
  xcc::cuda::launch(add, 4, 256, 0, stream)(managed, n, 5);
  cudaStreamSynchronize(stream);
  // What memory and streams are.
  int *pinned, *own;
  cudaMallocHost(&pinned, 8);
  cudaMallocAsync(&own, 16, stream);
  for (void *at : {static_cast<void *>(rows), static_cast<void *>(own + 3),
                   static_cast<void *>(pinned), static_cast<void *>(managed),
                   static_cast<void *>(&pitch)}) {
    cudaPointerAttributes known;
    cudaPointerGetAttributes(&known, at);
    std::printf("%d%d%d ", int(known.type), known.devicePointer == at,
                known.hostPointer == at);
  }
  // CHECK: 210 210 111 311 001
  unsigned flags, host_flags;
  int priority;
  cudaStreamGetFlags(stream, &flags);
  cudaStreamGetPriority(stream, &priority);
  cudaIpcMemHandle_t handle;
  std::printf("\n%u %d %d %d %d\n", flags, priority == greatest,
              int(cudaHostGetFlags(&host_flags, pinned)),
              int(cudaHostGetFlags(&host_flags, rows)),
              int(cudaIpcGetMemHandle(&handle, rows)));
  // CHECK: 1 1 0 1 801
  (void)cudaGetLastError();
  cudaFreeAsync(own, stream);
  cudaFreeHost(pinned);
  std::printf("managed: %d, %d %d %d\n", managed[n - 1], int(cudaFree(managed)),
              int(cudaFree(rows)), int(cudaStreamDestroy(stream)));
  // CHECK: managed: 1004, 0 0 0
}
