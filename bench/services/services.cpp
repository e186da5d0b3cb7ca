// What services cost device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the current device; what it prints on standard output is the kernels'
// text, what it measured goes to standard error: name, operations, seconds.
// SERVICES_CUDA makes a CUDA program of it, for printf and malloc.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#ifdef SERVICES_CUDA
#define KERNEL __global__
#define RUN(kernel, blocks, threads, ...)                                      \
  kernel<<<blocks, threads>>>(__VA_ARGS__), cudaDeviceSynchronize()
__device__ inline unsigned thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
#else
#include <xcc/xcc.h>
#define KERNEL static
#define RUN(kernel, blocks, threads, ...)                                      \
  xcc::launch({{blocks}, {threads}}, kernel, __VA_ARGS__), xcc::synchronize()
inline unsigned thread() { return unsigned(xcc::global_id()); }
#endif

KERNEL void print(unsigned count) {
  if (thread() < count)
    printf("thread %u of %u: %g\n", thread(), count, thread() * 0.5);
}
KERNEL void allocate(unsigned count) {
  if (thread() >= count)
    return;
  auto *p = static_cast<volatile unsigned *>(malloc(16 + thread() % 8 * 16));
  *p = thread();
  free(const_cast<unsigned *>(p));
}
#ifndef SERVICES_CUDA
static int next(int value) { return value + 1; }
KERNEL void call(unsigned times) {
  int value = 0;
  for (unsigned i = 0; i < times; ++i)
    value = xcc::host_call(next, value);
}
#endif

template <class F> void measure(const char *name, double operations, F run) {
  double best = 1e30;
  for (int turn = 0; turn < 3; ++turn) {
    auto begin = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    best = took.count() < best ? took.count() : best;
  }
  std::fprintf(stderr, "%s %.0f %.6f\n", name, operations, best);
}

int main() {
  constexpr unsigned texts = 1000000, blocks = 100000;
  RUN(allocate, 1, 32, 32u);
  measure("printf", texts,
          [=] { RUN(print, (texts + 255) / 256, 256, texts); });
  measure("malloc+free", blocks,
          [=] { RUN(allocate, (blocks + 255) / 256, 256, blocks); });
#ifndef SERVICES_CUDA
  measure("host_call, one thread", 20000, [=] { RUN(call, 1, 1, 20000u); });
  measure("host_call, 4096 threads", 4096 * 20,
          [=] { RUN(call, 64, 64, 20u); });
#endif
}
