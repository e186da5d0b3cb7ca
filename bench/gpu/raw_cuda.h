// The driver's own launch, to compare with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Just enough of the CUDA driver API, found at run time, to launch two kernels
// that do nothing, one without arguments and one with four, and to allocate.

#ifndef XCC_BENCH_GPU_RAW_CUDA_H
#define XCC_BENCH_GPU_RAW_CUDA_H

#include <dlfcn.h>
#include <stdexcept>
#include <string>

class RawCuda {
public:
  /// Throws std::runtime_error where there is no driver or no device.
  RawCuda() {
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      throw std::runtime_error("libcuda.so.1 is not installed");
    call("cuInit", entry<int(unsigned)>("cuInit")(0));
    int device = 0;
    call("cuDeviceGet", entry<int(int *, int)>("cuDeviceGet")(&device, 0));
    void *context = nullptr, *module = nullptr;
    call(
        "cuDevicePrimaryCtxRetain",
        entry<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, device));
    call("cuCtxSetCurrent", entry<int(void *)>("cuCtxSetCurrent")(context));
    call("cuModuleLoadDataEx",
         entry<int(void **, const char *, unsigned, int *, void **)>(
             "cuModuleLoadDataEx")(&module, Ptx, 0, nullptr, nullptr));
    auto find =
        entry<int(void **, void *, const char *)>("cuModuleGetFunction");
    call("cuModuleGetFunction", find(&nothing, module, "nothing"));
    call("cuModuleGetFunction", find(&four, module, "four"));
    constexpr unsigned NonBlocking = 1;
    call("cuStreamCreate",
         entry<int(void **, unsigned)>("cuStreamCreate")(&stream, NonBlocking));
    launchKernel = entry<Launch>("cuLaunchKernel");
    allocate = entry<Allocate>("cuMemAlloc_v2");
    release = entry<Release>("cuMemFree_v2");
    allocateAsync = entry<AllocateAsync>("cuMemAllocAsync");
    releaseAsync = entry<ReleaseAsync>("cuMemFreeAsync");
    wait = entry<int(void *)>("cuStreamSynchronize");
  }

  void launchNothing() {
    call("cuLaunchKernel",
         launchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  }
  void launchFour(int n, float a, const float *x, float *y) {
    void *arguments[] = {&n, &a, &x, &y};
    call("cuLaunchKernel",
         launchKernel(four, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  }
  void synchronize() { call("cuStreamSynchronize", wait(stream)); }

  void allocateAndFree(size_t bytes) {
    unsigned long long memory = 0;
    call("cuMemAlloc", allocate(&memory, bytes));
    call("cuMemFree", release(memory));
  }
  void allocateAndFreeInStream(size_t bytes) {
    unsigned long long memory = 0;
    call("cuMemAllocAsync", allocateAsync(&memory, bytes, stream));
    call("cuMemFreeAsync", releaseAsync(memory, stream));
  }

private:
  using Allocate = int(unsigned long long *, size_t);
  using Release = int(unsigned long long);
  using AllocateAsync = int(unsigned long long *, size_t, void *);
  using ReleaseAsync = int(unsigned long long, void *);
  using Launch = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, unsigned, void *, void **, void **);

  static constexpr const char *Ptx = R"(.version 6.0
.target sm_52
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry four(.param .u32 n, .param .f32 a, .param .u64 x,
                     .param .u64 y) { ret; }
)";

  template <class F> F *entry(const char *name) {
    void *address = dlsym(library, name);
    if (!address)
      throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
    return reinterpret_cast<F *>(address);
  }
  static void call(const char *name, int status) {
    if (status != 0)
      throw std::runtime_error(std::string(name) + " fails with status " +
                               std::to_string(status));
  }

  void *library = nullptr, *nothing = nullptr, *four = nullptr;
  void *stream = nullptr;
  Launch *launchKernel = nullptr;
  int (*wait)(void *) = nullptr;
  Allocate *allocate = nullptr;
  Release *release = nullptr;
  AllocateAsync *allocateAsync = nullptr;
  ReleaseAsync *releaseAsync = nullptr;
};

#endif // XCC_BENCH_GPU_RAW_CUDA_H
