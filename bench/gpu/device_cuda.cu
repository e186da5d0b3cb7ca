// The device through the CUDA runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

const char *device::name() {
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, 0));
    return p;
  }();
  return properties.name;
}

void *device::allocate(std::size_t bytes) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  return memory;
}

void device::release(void *memory) { (void)cudaFree(memory); }

void device::copyIn(void *to, const void *from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

void device::copyOut(void *to, const void *from, std::size_t bytes) {
  check(cudaGetLastError()); // of the launches before
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

double device::time(int times, const std::function<void()> &launch) {
  static cudaEvent_t first = nullptr, last = nullptr;
  if (!first) {
    check(cudaEventCreate(&first));
    check(cudaEventCreate(&last));
  }
  check(cudaEventRecord(first));
  for (int i = 0; i < times; ++i)
    launch();
  check(cudaEventRecord(last));
  check(cudaEventSynchronize(last));
  check(cudaGetLastError());
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, first, last));
  return milliseconds;
}
