// AMD GPUs as devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rest of the runtime sees of this folder.

#ifndef XCC_SRC_HSA_DEVICE_H
#define XCC_SRC_HSA_DEVICE_H

#include "devices/device.h"

namespace xcc::rt::hsa {

/// Stack of threads whose use is not known.
inline constexpr NumberSetting Settings[] = {
    {"XCC_HSA_STACK", Device::LeastStack, 128 * 1024, true},
};

/// Adds a device for every GPU that the HSA runtime shows. Null when the
/// runtime works, else why it does not (the caller owns a count). Called once.
xcc_error *findDevices(std::vector<Device *> &out, void *driver);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_DEVICE_H
