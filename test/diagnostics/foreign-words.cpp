// The words of CUDA and HIP, where nothing declares them, lead to what xcc has; each hint is given once.
// RUN: %not %xcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -nostdinc -DINCLUDED %s -o %t.o 2>&1 | FileCheck --check-prefix=INCLUDED %s
// RUN: %not %xcc -c -nostdinc -DINCLUDED -DHIP %s -o %t.o 2>&1 | FileCheck --check-prefix=HIP %s
// RUN: %not %xcc -c -DOWN %s -o %t.o 2>&1 | FileCheck --check-prefix=OWN --implicit-check-not=note: %s
#ifdef INCLUDED
#ifdef HIP
#include <hip/hip_runtime.h>
// HIP: fatal error: 'hip/hip_runtime.h' file not found
// HIP: note: xcc's header for programs in HIP is <xcc/hip.h>
#else
#include <cuda_runtime.h>
// INCLUDED: fatal error: 'cuda_runtime.h' file not found
// INCLUDED: note: xcc's header for programs in CUDA is <xcc/cuda.h>
#endif
#elif defined(OWN)
// A program's own names, and other errors.
struct place {
  int x;
} threadIdx;
void cudaMalloc();
int first() {
  cudaMalloc();
  return threadIdx.x + blockSize + 1 << >> 2;
}
// OWN: error: use of undeclared identifier 'blockSize'
#else
#include <xcc/xcc.h>
// CHECK: [[# @LINE + 2]]:1: error: unknown type name '__global__'
// CHECK: [[# @LINE + 1]]:1: note: in xcc this is nothing: a function is a kernel because it is launched; <xcc/cuda.h> has the words of CUDA
__global__ void kernel(int *p) {
  // CHECK: note: in xcc this is xcc::block_idx(); <xcc/cuda.h> has the words of CUDA
  p[blockIdx.x] = 1;
  // CHECK: error: use of undeclared identifier '__syncthreads'
  // CHECK: note: in xcc this is xcc::sync_block();
  __syncthreads();
  // CHECK: note: in xcc this is static xcc::block_shared<T[N]> name;
  __shared__ int line[32];
}
// CHECK: error: unknown type name 'CUmodule'
// CHECK: note: CUDA's driver interface is not there, since its modules are code of one vendor: launch kernels by name or pointer
CUmodule *module_of_driver;
// CHECK: error: unknown type name '__device__'
// CHECK-NOT: note: in xcc this is nothing
__device__ int variable;
void host(int *p) {
  // CHECK: error: expected expression
  // CHECK: note: kernel<<<grid, block>>>(arguments) is xcc::launch({grid, block}, kernel, arguments...), or, with <xcc/cuda.h>, xcc::cuda::launch(kernel, grid, block)(arguments...)
  kernel<<<1, 32>>>(p);
  // CHECK: error: use of undeclared identifier 'cudaMalloc'
  // CHECK: note: in xcc this is xcc::buffer<T>; <xcc/cuda.h> has the words of CUDA
  cudaMalloc(&p, 4);
  // CHECK: error: use of undeclared identifier 'hipMalloc'
  // CHECK: note: in xcc this is xcc::buffer<T>; <xcc/hip.h> has the words of HIP
  hipMalloc(&p, 4);
  // CHECK: error: unknown type name 'cudaStream_t'
  // CHECK: note: in xcc this is xcc::stream; <xcc/cuda.h> has the words of CUDA
  cudaStream_t stream;
  // CHECK: error: use of undeclared identifier 'make_float4'
  // CHECK: note: <xcc/cuda.h> has CUDA's vector types
  make_float4(1, 2, 3, 4);
}
#endif
