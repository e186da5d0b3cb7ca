// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of the CUDA driver API. driver/driver.h declares the part of the API
// that is used, gpu.h the classes behind the runtime's interface.

#ifndef XCC_SRC_CUDA_DEVICE_H
#define XCC_SRC_CUDA_DEVICE_H

#include "devices/device.h"

namespace xcc::rt::cuda {

/// The stack of threads whose use is not known; whether a thread may handle
/// several indices.
inline constexpr NumberSetting Settings[] = {
    {"XCC_CUDA_STACK", Device::LeastStack, 256 * 1024, true},
    {"XCC_COARSEN", 0, 1, false},
};

/// Opens the driver, or uses a simulator's library in its place, and adds its
/// devices. Uses no device yet.
xcc_error *findDevices(std::vector<Device *> &out, void *driver);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_DEVICE_H
