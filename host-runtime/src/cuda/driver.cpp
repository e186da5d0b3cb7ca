// Opening the driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"
#include "../error.h"
#include "../process/log.h"
#include "cuda_error.h"

#include <cstring>
#include <dlfcn.h>

namespace xcc::rt::cuda {

Driver TheDriver{};

static constexpr bool Required = true, Optional = false;

/// Fills in the table; the name of the first required symbol that is missing.
static const char *resolve(void *Library) {
#define XCC_CUDA_RESOLVE(need, name, symbol, params)                           \
  TheDriver.name =                                                             \
      reinterpret_cast<Result(*) params>(dlsym(Library, #symbol));             \
  if (need && !TheDriver.name)                                                 \
    return #symbol;
  XCC_CUDA_DRIVER_API(XCC_CUDA_RESOLVE)
#undef XCC_CUDA_RESOLVE
  return nullptr;
}

static const char *adviceFor(Result R) {
  switch (R) {
  case StubLibrary:
    return "; the libcuda.so.1 found is the toolkit's stub: install the NVIDIA "
           "driver, or take the stub's folder out of LD_LIBRARY_PATH";
  case SystemDriverMismatch:
    return "; the kernel module and libcuda.so.1 are of different versions: "
           "restart the machine after the driver's update";
  case SystemNotReady:
    return "; start nvidia-fabricmanager on a machine with NVSwitch";
  default:
    return "; run nvidia-smi to see whether the driver works";
  }
}

xcc_error *loadDriver(bool &NoDevices) {
  // Never closed: the library's own threads and handlers outlive us.
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    if (Why && !strstr(Why, "No such file"))
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "libcuda.so.1 cannot be loaded: %s", Why);
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "libcuda.so.1 is not installed; install the NVIDIA driver "
                     "(in a container: start it with --gpus all)");
  }
  if (const char *Missing = resolve(Library))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver is too old: it lacks %s; install one "
                     "for CUDA 11 or later",
                     Missing);
  Result R = TheDriver.Init(0);
  NoDevices = R == NoDevice;
  if (NoDevices)
    return nullptr;
  if (R != Success)
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver does not start: %s%s",
                     ResultText(R).text(), adviceFor(R));
  if (TheDriver.DriverGetVersion(&TheDriver.Version) != Success)
    TheDriver.Version = 0;
  XCC_LOG(Device, "cuda: the driver supports CUDA %d.%d",
          TheDriver.Version / 1000, TheDriver.Version % 1000 / 10);
  return nullptr;
}

} // namespace xcc::rt::cuda
