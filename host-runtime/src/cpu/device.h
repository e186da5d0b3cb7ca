// The CPU as a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs CPU images on the process's own cores through AQL queues
// (queue/queue.h), their packet processors (queue/processor.h) and a worker
// pool (workers/pool.h), to which the processors are sources of work.

#ifndef XCC_SRC_CPU_DEVICE_H
#define XCC_SRC_CPU_DEVICE_H

#include "devices/device.h"

namespace xcc::rt::cpu {

inline constexpr NumberSetting Settings[] = {
    {"XCC_CPU_THREADS", 1, 1024, false},
    {"XCC_CPU_STACK", 16 * 1024, 64 << 20, true},
    {"XCC_CPU_SEPARATE", 0, 2, false},
};
inline constexpr const NumberSetting &threadsSetting = Settings[0],
                                     &stackSetting = Settings[1],
                                     &separateSetting = Settings[2];

/// Adds the device; starts no thread. Never fails, so the result is null.
xcc_error *findDevices(std::vector<Device *> &out, void *driver);

/// The CPU device. Only for callers that have loaded an image.
Device &device();
/// The device's ordinal; -1 while there is no CPU device.
int ordinal();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_DEVICE_H
