// Opening the driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"
#include "error.h"
#include "errors/error.h"
#include "process/log.h"

#include <cstring>
#include <dlfcn.h>

namespace xcc::rt::cuda {

Driver theDriver{};

static constexpr bool Required = true, Optional = false;

/// Fills in the table. Returns the name of a required symbol that is missing,
/// or null.
static const char *resolve(void *library) {
#define XCC_CUDA_RESOLVE(need, name, symbol, params)                           \
  theDriver.name =                                                             \
      reinterpret_cast<Result(*) params>(dlsym(library, #symbol));             \
  if (need && !theDriver.name)                                                 \
    return #symbol;
  XCC_CUDA_DRIVER_API(XCC_CUDA_RESOLVE)
#undef XCC_CUDA_RESOLVE
  return nullptr;
}

static const char *adviceFor(Result r) {
  switch (r) {
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

xcc_error *loadDriver(void *library, bool &noDevices) {
  // Never closed: the library's own threads and handlers outlive the runtime.
  if (!library)
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    if (why && !strstr(why, "No such file"))
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "libcuda.so.1 cannot be loaded: %s", why);
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "libcuda.so.1 is not installed; install the NVIDIA driver "
                     "(in a container: start it with --gpus all)");
  }
  if (const char *missing = resolve(library))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver is too old: it lacks %s; install one "
                     "for CUDA 11 or later",
                     missing);
  Result r = theDriver.Init(0);
  noDevices = r == NoDevice;
  if (noDevices)
    return nullptr;
  if (r != Success)
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the NVIDIA driver does not start: %s%s",
                     ResultText(r).text(), adviceFor(r));
  if (theDriver.DriverGetVersion(&theDriver.version) != Success)
    theDriver.version = 0;
  XCC_LOG(Device, "cuda: the driver supports CUDA %d.%d",
          theDriver.version / 1000, theDriver.version % 1000 / 10);
  return nullptr;
}

} // namespace xcc::rt::cuda
