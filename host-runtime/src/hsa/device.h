// AMD GPUs as devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of this folder that the rest of the runtime uses.

#ifndef XCC_SRC_HSA_DEVICE_H
#define XCC_SRC_HSA_DEVICE_H

#include "devices/device.h"

namespace xcc::rt::hsa {

/// The stack of threads whose use is not known.
inline constexpr NumberSetting Settings[] = {
    {"XCC_HSA_STACK", Device::LeastStack, 128 * 1024, true},
};

/// Adds a device for every GPU that the HSA runtime reports. Returns null if
/// the runtime works, else the reason, which the caller owns. Called once.
xcc_error *findDevices(std::vector<Device *> &out, void *driver);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_DEVICE_H
