// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of the CUDA driver API. driver/driver.h declares what is used of
// it, gpu.h the classes behind the runtime's interface.

#ifndef XCC_SRC_CUDA_DEVICE_H
#define XCC_SRC_CUDA_DEVICE_H

#include "devices/device.h"

namespace xcc::rt::cuda {

/// Stack of threads whose use is not known; whether threads may take several
/// indices each.
inline constexpr NumberSetting Settings[] = {
    {"XCC_CUDA_STACK", Device::LeastStack, 256 * 1024, true},
    {"XCC_COARSEN", 0, 1, false},
};

/// Opens the driver, or takes a simulator's library as it, and adds its devices;
/// uses none of them yet.
xcc_error *findDevices(std::vector<Device *> &out, void *driver);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_DEVICE_H
